"""Engine and oracle count the same ways to play on, from the records in ``brotherhood.perft``.

A record's ``Perft`` header lists how many sequences of one, two, … plies are legal after its last entry. The records
end where nobody can trade, for of offers the engine lists only a few.
"""

from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME
from engine.brotherhood.moves import RESOURCES, Road, Roads, Settlement, Winter
from engine.game import View
from pbem.judging.lookahead import perft
from pbem.judging.record_replay import replay_record
from tests.oracle.brotherhood import brotherhood_oracle as oracle
from tests.oracle.brotherhood.brotherhood_imagined import imagine_answers, imagine_building, imagine_cards, paths_of
from tests.oracle.brotherhood.brotherhood_start import lay_oracle_table
from tests.perft.perft_counts import Count, name, read_counts

PATIENCE = 200
"""How many positions the oracle may visit for one count; deeper counts are the engine's alone."""

COUNTS = read_counts(Path(__file__).with_name("brotherhood.perft"))


def imaginable(view: View) -> list[Any]:
    """Everything that the player on turn could want now or later, trade apart; Winter's pairs as they are listed."""
    everything = [*imagine_building(view), *imagine_answers(view), *imagine_cards(view)]
    everything += map(Roads, product(paths_of(view), repeat=2))
    return [move for move in dict.fromkeys(everything) if not isinstance(move, Winter) or is_in_order(move)]


def is_in_order(winter: Winter) -> bool:
    return RESOURCES.index(winter.one) <= RESOURCES.index(winter.two)


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


@pytest.mark.parametrize("count", COUNTS, ids=name)
def test_the_engine_counts_what_the_record_says(count: Count) -> None:
    assert perft(GAME, replay_record(count.record).position, count.depth) == count.expected


@pytest.mark.parametrize("count", [count for count in COUNTS if count.inner <= PATIENCE], ids=name)
def test_the_oracle_counts_what_the_record_says(count: Count) -> None:
    table = lay_oracle_table(GAME.key, count.record.setup)
    for entry in count.record.entries:
        for move in entry.moves:
            oracle.play(table, (entry.who, move))
    replayed = replay_record(count.record)
    view = replayed.table.view(replayed.position, "public")
    moves = imaginable(view)
    if view["stage"] in ("settle", "pave"):
        moves = [
            move for move in moves if isinstance(move, Settlement | Road)
        ]  # the rest is tried in the other records
    assert count_with_oracle(table, count.depth, moves) == count.expected


def test_the_records_cover_three_and_four_players_and_whatever_a_player_can_be_asked_but_trade() -> None:
    replays = [replay_record(count.record) for count in COUNTS]
    views = [replayed.table.view(replayed.position, "public") for replayed in replays]
    assert {len(view["seats"]) for view in views} == {3, 4}
    assert {view["waits_for"] for view in views} == {"settle", "tormund", "roll", "build"}
