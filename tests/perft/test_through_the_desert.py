"""Engine and oracle count the same ways to play on, from the records in ``through-the-desert.perft``.

A record's ``Perft`` header lists how many sequences of one, two, … plies are legal after its last entry. The
reading here is small and strict, and owes nothing to the notation.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from tests.oracle.desert import desert_duel
from tests.oracle.desert import desert_oracle as oracle

FILE = Path(__file__).with_name("through-the-desert.perft")
HEADER = re.compile(r'\[(\S+) "(.*)"\]')
ENTRY = re.compile(r"(\d+)\. (\w+): (.+)")
PATIENCE = 600
"""How many positions the oracle may visit for one count; deeper counts are the engine's alone."""


class Count(NamedTuple):
    """One count of one record."""

    name: str
    seats: tuple[Any, ...]
    options: dict[str, Any]
    plies: list[Any]
    depth: int
    expected: int
    inner: int
    """How many sequences there are one ply before the last."""


def read_plies(seat: Any, phrases: Any) -> Iterator[Any]:
    """The plies of one entry."""
    for phrase in phrases.split(", "):
        match phrase.split():
            case ["pass"]:
                yield seat, Pass()
            case ["remove", colour]:
                yield seat, Remove(colour)
            case ["leader", colour, space]:
                yield seat, Leader(colour, space)
            case [colour, *spaces]:
                yield from ((seat, Camel(colour, space)) for space in spaces)


def read_counts(text: Any) -> Iterator[Any]:
    """Every count of every record."""
    for record in re.split(r"\n\n(?=\[Format)", text.strip()):
        headers = dict(HEADER.findall(record))
        seats = tuple(name.removeprefix("Seat.") for name in headers if name.startswith("Seat."))
        options = {name: headers[name] for name in ("Board", "Oases", "Water", "Herds") if name in headers}
        plies = [ply for _, seat, phrases in ENTRY.findall(record) for ply in read_plies(seat, phrases)]
        counts = [1, *map(int, headers["Perft"].split())]
        for depth in range(1, len(counts)):
            yield Count(headers["Id"], seats, options, plies, depth, counts[depth], counts[depth - 1])


COUNTS = list(read_counts(FILE.read_text("utf-8")))


def count_with_engine(position: Any, depth: Any) -> Any:
    plies = list(GAME.legal(position))
    if depth == 1:
        return len(plies)
    return sum(count_with_engine(GAME.apply(position, ply), depth - 1) for ply in plies)


def count_with_oracle(table: Any, depth: Any) -> Any:
    plies = oracle.legal(table)
    if depth == 1:
        return len(plies)
    return sum(count_with_oracle(oracle.apply(table, ply), depth - 1) for ply in plies)


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"{count.name}-{count.depth}")
def test_the_engine_counts_what_the_record_says(count: Any) -> None:
    _, position = desert_duel.follow(count.seats, count.options, count.plies)
    assert count_with_engine(position, count.depth) == count.expected


@pytest.mark.parametrize(
    "count",
    [count for count in COUNTS if count.inner <= PATIENCE],
    ids=lambda count: f"{count.name}-{count.depth}",
)
def test_the_oracle_counts_what_the_record_says(count: Any) -> None:
    table, _ = desert_duel.follow(count.seats, count.options, count.plies)
    assert count_with_oracle(table, count.depth) == count.expected


def test_the_records_cover_every_number_of_players_and_every_phase() -> None:
    reached = set()
    for count in COUNTS:
        table, _ = desert_duel.follow(count.seats, count.options, count.plies)
        reached.add((len(count.seats), oracle.phase(table)))
    phases = {(players, phase) for players in (2, 3, 4, 5) for phase in ("leaders", "camels")}
    assert phases | {(5, "removal")} <= reached


def test_a_record_is_followed_by_numbers_of_turns_without_a_gap() -> None:
    for record in FILE.read_text("utf-8").split("[Format")[1:]:
        numbers = [int(number) for number, _, _ in ENTRY.findall(record)]
        assert numbers == list(range(1, len(numbers) + 1))
