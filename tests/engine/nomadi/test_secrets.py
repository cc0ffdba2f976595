"""Tables that differ only in cards a player does not know look the same to him until a move says that it shows one."""

import json
from collections.abc import Iterator

from engine.chance import KeyedDealer
from engine.game import CHANCE
from engine.nomadi import GAME
from engine.nomadi.position import Position
from tests.engine.nomadi.nomadi_tables import play, start


def other_worlds(position: Position, seat: str) -> Iterator[Position]:
    """The same table with another value on a card that was looked at, where the seat does not know it."""
    for index, card in enumerate(position.found):
        for value in (-2, 3):
            found = (*position.found[:index], card._replace(value=value), *position.found[index + 1 :])
            world = position._replace(found=found)
            if GAME.view(world, seat) == GAME.view(position, seat):
                yield world


def test_only_a_move_that_says_so_shows_its_player_something_hidden() -> None:
    differing, compared = set(), 0
    for number in range(6):
        for position, ply, _ in play(start(2 + number % 4), KeyedDealer(b"nomadi secrets %d" % number)):
            if ply.seat == CHANCE:
                continue
            worlds = [position, *other_worlds(position, ply.seat)]
            compared += len(worlds) > 1
            after = [GAME.apply(world, ply) for world in worlds]
            if len({json.dumps(GAME.view(world, ply.seat), sort_keys=True) for world in after}) > 1:
                assert GAME.discloses(position, ply), ply
                differing.add(type(ply.move).__name__ if GAME.to_act(after[0]) else "the end")
    assert compared > 50
    assert differing >= {"Take", "the end"}
