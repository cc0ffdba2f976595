"""Engine and oracle count the same ways to play on, from the records in ``brotherhood.perft``.

A record's ``Perft`` header lists how many sequences of one, two, … plies are legal after its last entry. The records
end where nobody can trade, for of offers the engine lists only a few.
"""

from copy import deepcopy
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any, NamedTuple

import brotherhood_oracle as oracle
import pytest
from brotherhood_start import lay_oracle_table

from engine.brotherhood.moves import (
    RESOURCES,
    TORMUND,
    Buy,
    End,
    Keep,
    Ranger,
    Road,
    Roads,
    Roll,
    Settlement,
    Tormund,
    Winter,
)
from engine.brotherhood.the_gift import GAME
from notation import Record, read_text
from pbem.referee.counting import perft
from pbem.referee.listening import hear

FILE = Path(__file__).with_name("brotherhood.perft")
PATIENCE = 200
"""How many positions the oracle may visit for one count; deeper counts are the engine's alone."""


class Count(NamedTuple):
    """One count of one record, and how many sequences there are one ply before the last."""

    record: Record
    depth: int
    expected: int
    inner: int


def read_counts() -> list[Count]:
    counts = []
    for reading in read_text(FILE.read_text("utf-8")):
        assert reading.record is not None, reading.faults
        numbers = [1, *map(int, (reading.record.header("Perft") or "").split())]
        for depth in range(1, len(numbers)):
            counts.append(Count(reading.record, depth, numbers[depth], numbers[depth - 1]))
    return counts


COUNTS = read_counts()


def imaginable(paths: list[tuple[int, int]], seats: tuple[str, ...]) -> list[Any]:
    """Everything that the player on turn could want, trade apart."""
    letters = [chr(ord("A") + number) for number in range(21)]
    arrivals = list(product(letters, (None, *seats)))
    return [
        *(Roll(), End(), Buy()),
        *map(Settlement, range(1, 61)),
        *map(Keep, range(1, 61)),
        *(Road(*path) for path in paths),
        *(Tormund(*arrival) for arrival in arrivals),
        *(Ranger(TORMUND, *arrival) for arrival in arrivals),
        *(Winter(*pair) for pair in combinations_with_replacement(RESOURCES, 2)),
        *(Roads((path,)) for path in paths),
        *(Roads(pair) for pair in product(paths, paths)),
    ]


def count_with_oracle(table: Any, depth: int, moves: list[Any]) -> int:
    found = 0
    (seat,) = oracle.to_act(table)
    for move in moves:
        if oracle.allows(table, (seat, move)):
            if depth == 1:
                found += 1
            else:
                after = deepcopy(table)
                oracle.play(after, (seat, move))
                found += count_with_oracle(after, depth - 1, moves)
    return found


def name(count: Count) -> str:
    return f"{count.record.header('Id')}-{count.depth}"


@pytest.mark.parametrize("count", COUNTS, ids=name)
def test_the_engine_counts_what_the_record_says(count: Count) -> None:
    assert perft(GAME, hear(count.record).position, count.depth) == count.expected


@pytest.mark.parametrize("count", [count for count in COUNTS if count.inner <= PATIENCE], ids=name)
def test_the_oracle_counts_what_the_record_says(count: Count) -> None:
    table = lay_oracle_table(GAME.key, count.record.setup)
    for entry in count.record.entries:
        for move in entry.moves:
            oracle.play(table, (entry.who, move))
    view = GAME.view(hear(count.record).position, "public")
    moves = imaginable([(one, two) for one, two in view["paths"]], count.record.seats)
    if view["stage"] in ("settle", "pave"):
        moves = [
            move for move in moves if isinstance(move, Settlement | Road)
        ]  # the rest is tried in the other records
    assert count_with_oracle(table, count.depth, moves) == count.expected


def test_the_records_cover_three_and_four_players_and_whatever_a_player_can_be_asked_but_trade() -> None:
    views = [GAME.view(hear(count.record).position, "public") for count in COUNTS]
    assert {len(view["seats"]) for view in views} == {3, 4}
    assert {view["waits_for"] for view in views} == {"settle", "tormund", "roll", "build"}
