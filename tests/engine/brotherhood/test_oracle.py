"""Both games of Brotherhood of the Watch and a slow, literal oracle of their rules agree, ply by ply, on random games.

``CARAVAN_GAMES`` says how many games of each are played (50 unless set); every game follows from its number.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.brotherhood import moves
from tests.oracle.brotherhood import brotherhood_duel as duel
from tests.oracle.brotherhood import brotherhood_map
from tests.oracle.brotherhood import brotherhood_oracle as oracle
from tests.oracle.brotherhood import brotherhood_tempers as tempers
from tests.oracle.brotherhood import brotherhood_tries as tries
from tests.oracle.brotherhood.brotherhood_table import RESOURCES

GAMES = int(os.environ.get("CARAVAN_GAMES", "50"))
BASE, WATCH = "brotherhood-base", "brotherhood"

SHORT = {"supply short for one", "supply short for several"}
CALLED = {"climber advances", "giant takes a guard", "regular advances"}
REACHED = {
    BASE: {
        "fair": {"longest taken", "largest taken", "ten points"},
        "harvest": {"longest taken", "longest taken over", *SHORT},
        "robbery": {"longest taken", "largest taken"},
    },
    WATCH: {
        "fair": {"longest taken", "ten points", *CALLED},
        "harvest": {"longest taken", *SHORT, *CALLED},
        "storm": {"climber advances", "supply short for one"},
        "siege": {"breach", "rush", "third breach", "giant takes a guard"},
        "muster": {"longest taken", "climber advances"},
        "crowd": {"breach", "rush"},
        "doom": {"breach", "giant takes a guard"},
        "robbery": {"longest taken", *CALLED},
    },
}
"""What each luck is there for: its games must really get there."""

MORE_GAMES = 12
"""So many more may be played where something rare is still missing."""


@pytest.mark.parametrize(("key", "luck"), [(key, luck) for key, lucks in REACHED.items() for luck in lucks])
def test_engine_and_oracle_agree_on_every_ply(key: Any, luck: Any) -> None:
    lucks, likes = list(REACHED[key]), list(tempers.LIKES)
    wanted = REACHED[key][luck] | {kind.__name__ for kind in moves.PLAY}
    reached: Counter[str] = Counter()
    for number in range(lucks.index(luck), GAMES + len(lucks) * MORE_GAMES, len(lucks)):
        if number >= GAMES and wanted <= reached.keys():
            break
        temper = likes[(number + number // len(likes)) % len(likes)]
        reached += duel.Duel(Random(f"{key} {number}"), key, 3 + number // len(lucks) % 2).play(temper, luck)
    assert wanted <= reached.keys()


def test_engine_and_oracle_agree_beyond_the_first_pool_of_tokens() -> None:
    reached: Counter[str] = Counter()
    for number in range(MORE_GAMES):
        reached += duel.Duel(Random(f"pool {number}"), WATCH, 4).play("summon", "muster")
        if {"tokens shuffled", "no climber left"} <= reached.keys():
            break
    assert {"tokens shuffled", "no climber left"} <= reached.keys()


@pytest.mark.parametrize("watch", [False, True])
@pytest.mark.parametrize("players", [3, 4])
def test_nothing_is_lost_or_made_in_an_oracle_game(watch: bool, players: int) -> None:
    random = Random(f"conservation {watch} {players}")
    board = brotherhood_map.lay(watch, players)
    table = oracle.lay_table(watch=watch, seats=tries.EVERY_SEAT[:players], board=board)
    for _ in range(300):
        due = sorted(oracle.to_act(table))
        group = [tries.strokes_of_chance] if due == [oracle.CHANCE] else tries.groups(table)
        plies = [(seat, move) for seat in due for sort in group for move in sort(random, table)]
        allowed = [ply for ply in plies if oracle.allows(table, ply)]
        if allowed:
            oracle.play(table, tempers.choose(random, allowed, "settle"))
        assert_whole(table)


def assert_whole(table: Any) -> None:
    """All cards, figures and tokens of the box are somewhere, once."""
    for kind in RESOURCES:
        assert table.supply[kind] + sum(hand[kind] for hand in table.hands.values()) == 19
    assert min(table.supply.values()) >= 0
    assert min((count for hand in table.hands.values() for count in hand.values()), default=0) >= 0
    if table.watch:
        on_board = [kind for row in (*table.camps.values(), *table.clearings.values()) for kind in row]
        assert Counter(on_board) + Counter(table.gift.values()) + table.frostfangs == Counter(
            regular=24, climber=8, giant=8
        )
        unseen = sum(tokens.total() for tokens in table.unseen.values())
        due = sum(item[0] == "token" and item[1] != "pool" for item in table.agenda)
        assert unseen == table.pool.total() + sum(map(len, table.under.values())) + due
        assert unseen + table.used.total() == 57


@pytest.mark.parametrize(
    ("watch", "players", "counts"),
    [(False, 3, (21, 60, 80)), (False, 4, (21, 60, 80)), (True, 3, (16, 47, 62)), (True, 4, (21, 60, 80))],
)
def test_the_oracles_map_has_the_counts_of_the_digest(watch: bool, players: int, counts: Any) -> None:
    board = brotherhood_map.lay(watch, players)
    assert (len(board.hexes), len(board.points), len(board.paths)) == counts
    assert board.three_to_one | board.two_to_one.keys() <= board.points.keys()
    hot = [place for place, numbers in board.numbers.items() if numbers & {6, 8}]
    assert not any(near in hot for place in hot for near in brotherhood_map.around(place))


def test_beginners_start_with_the_cards_of_the_digest() -> None:
    board = brotherhood_map.lay(False, 4)
    table = oracle.lay_table(watch=False, seats=tries.EVERY_SEAT, board=board, free_placement=False)
    cards = {seat: set(hand) for seat, hand in table.hands.items()}
    assert cards == {
        "red": {"ore", "lumber", "brick"},
        "blue": {"brick", "ore", "lumber"},
        "yellow": {"grain", "brick", "wool"},
        "black": {"lumber", "ore", "grain"},
    }
