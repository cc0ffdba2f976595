"""What newcomers to the Brotherhood of the Watch said in their own words, and what the post made of it.

Nothing is mailed here: letters are read at a moment of a game, which takes a thousandth of the time.
"""

from functools import cache

import pytest

from engine.game import PUBLIC
from pbem.events.chain import Draft
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import ParsedLetter, parse_commands
from pbem.tables.play import Pending, find_pending
from pbem.tables.referee_decisions import open_table
from tests.known_games import known_game
from tests.post.mailed_games import WATCHERS, Game, watched


@cache
def begun(key: str) -> Game:
    """A game of which nothing was played yet."""
    game = Game([])
    opened = open_table(known_game(key), names=WATCHERS, options={}, terms={})
    assert isinstance(opened, Draft)
    game.apply_events([opened])
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(seat))
    return game


@cache
def at(key: str, moment: str) -> tuple[Game, Pending]:
    """A game at some moment, and what somebody who is asked can do in it."""
    game = begun(key) if moment == "start" else Game(list(watched(key, moment)))
    on_turn = game.table.game.view(game.table.position, PUBLIC)["on_turn"]
    pending = find_pending(game.table, on_turn if on_turn in game.table.due else game.table.due[0])
    assert pending is not None
    return game, pending


def parse(key: str, moment: str, said: str) -> ParsedLetter:
    """What a letter is at a moment of a game."""
    game, pending = at(key, moment)
    return parse_commands(said, game=game.table.game, pending=pending)


@pytest.mark.parametrize("said", ["osada 18 i droga w prawo", "nederzetting 18 en weg omhoog"])
def test_a_road_without_its_place_is_asked_about_with_each_that_can_be_built(said: str) -> None:
    question = parse("brotherhood", "start", said).question
    assert question is not None
    assert question.suggests == tuple(f"settlement 18, road {road}" for road in ("12-18", "13-18", "18-24"))
