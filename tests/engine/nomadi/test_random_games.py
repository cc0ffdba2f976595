"""Random games of every size: nothing is lost, nothing appears, and every coin can be accounted for.

``CARAVAN_RANDOM_GAMES`` says how many games are played for each number of players (3 unless set).
"""

import os
from collections import Counter

import pytest

from engine.chance import KeyedDealer
from engine.game import Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.board import FAR, NEAR, START, WATERHOLES, flood
from engine.nomadi.legal import SUPPLY
from engine.nomadi.moves import Card, End, Step
from engine.nomadi.position import PLACING, Position
from tests.engine.nomadi.nomadi_tables import play

GAMES = int(os.environ.get("CARAVAN_RANDOM_GAMES", "3"))
VARIANTS = [(), (("Oasis", "I6"),), (("Coins", "hidden"),)]


def bank_pays(before: Position, ply: Ply, after: Position) -> int:
    """What the bank pays for a ply, all seats together; negative when it takes."""
    if isinstance(ply.move, End):
        return -len(before.unplayed)
    if not isinstance(ply.move, Step):
        return 0
    was, now, goal = before.caravan, after.caravan, before.ground.goal
    landed = now & ~was
    pays = 5 * (bool(was & START) and not now & START)
    pays += 5 * (bool(now & FAR) and not was & FAR)
    pays -= 5 * (bool(was & NEAR) and not now & NEAR)
    pays += 8 - 2 * (was & goal).bit_count() if landed & goal else 0
    return pays + (2 if landed & WATERHOLES else 1) * bool(landed & before.cards)


def check(before: Position, ply: Ply, after: Position) -> None:
    assert GAME.judge(before, ply) is None
    assert sum(after.coins) - sum(before.coins) == bank_pays(before, ply, after), ply
    assert after.cards.bit_count() + len(after.found) == 18
    assert after.cards | sum(card.square for card in after.found) == before.ground.cards
    if isinstance(ply.move, Card):
        drawn = Counter(card.value for card in after.found if card.value is not None)
        assert drawn.total() == len(after.found)
        assert all(count <= SUPPLY[value] for value, count in drawn.items())
    if after.phase != PLACING:
        caravan = after.caravan
        assert [own.bit_count() for own in after.stones] == [after.ground.each] * len(after.stones)
        assert caravan.bit_count() == sum(own.bit_count() for own in after.stones), "two stones share a square"
        assert flood(caravan & -caravan, caravan) == caravan, "the caravan is torn"


@pytest.mark.parametrize("players", GAME.players)
def test_stones_cards_and_coins_are_kept_through_whole_games(players: int) -> None:
    for number in range(GAMES):
        dealer = KeyedDealer(f"random {players} {number}".encode())
        options = VARIANTS[number % len(VARIANTS)]
        position = GAME.start(GAME.lay_out(Setup(GAME.seats[:players], options), dealer))
        assert isinstance(position, Position)
        for before, ply, after in play(position, dealer):
            check(before, ply, after)
            position = after
        assert (position.caravan & position.ground.goal).bit_count() == 3
        assert all(not card.is_open for card in position.found)
        totals = {tally.seat: tally.total for tally in GAME.score(position).tallies}
        assert sum(totals.values()) == sum(position.coins) + sum(card.value or 0 for card in position.found)
        assert set(GAME.score(position).winners) == {seat for seat in totals if totals[seat] == max(totals.values())}
