"""Suggestions are legal, go as far as a player can see, and lead to different positions, the best first."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine import registry
from engine.chance import KeyedDealer
from engine.game import CHANCE, Game, Ply, Seat, Setup
from engine.replay import replay
from engine.through_the_desert import GAME as DESERT
from pbem.judging.lookahead import count_ends, play_out, suggest_turns

every_game = pytest.mark.parametrize("key", registry.game_keys())


def moments(game: Game[Any], every: int) -> Iterator[tuple[Any, Seat]]:
    """Positions of a sampled game, each with a player who is due."""
    dealer = KeyedDealer(b"suggesting")
    setup = game.lay_out(Setup(game.seats[: game.players[-1]]), dealer)
    for number, played in enumerate(play_out(game, game.start(setup), dealer)):
        due = game.to_act(played.after)
        if number % every == 0 and due and CHANCE not in due:
            yield played.after, due[0]


def find(key: str) -> Game[Any]:
    game = registry.find_game(key)
    assert game is not None
    return game


@every_game
def test_suggestions_are_legal_and_end_where_nothing_more_can_be_foreseen(key: str) -> None:
    game, seen = find(key), 0
    for position, seat in moments(game, 29 if key != "shy-well" else 1):
        turns = suggest_turns(game, position, seat, width=4)
        assert turns, "whoever is due can do something"
        for one in turns:
            told = replay(game, position, [Ply(seat, move) for move in one.moves])
            assert (told.position, told.verdict) == (one.after, None)
            assert seat not in game.to_act(one.after) or game.turn(one.after) != game.turn(position)
            assert one.prospect == game.prospect(one.after, seat)
        assert len({game.essence(one.after) for one in turns}) == len(turns)
        assert [one.prospect for one in turns] == sorted([one.prospect for one in turns], reverse=True)
        seen += 1
    assert seen > 3


@every_game
def test_whoever_looks_at_everything_finds_every_end_of_the_turn(key: str) -> None:
    game, compared = find(key), 0
    for position, seat in moments(game, 3 if key != "shy-well" else 1):
        if compared == 8 or len(list(game.legal(position))) > 20:
            continue
        everything = suggest_turns(game, position, seat, width=10_000)
        assert len(everything) == count_ends(game, position, seat)
        compared += 1
    assert compared > 3


def test_looking_at_more_finds_better_turns() -> None:
    nomadi = find("nomadi")
    better = 0
    for position, seat in moments(nomadi, 37):
        narrow, wide = (suggest_turns(nomadi, position, seat, width=width)[0].prospect for width in (1, 64))
        assert wide >= narrow
        better += wide > narrow
    assert better


def test_nothing_is_suggested_out_of_turn_or_after_the_end() -> None:
    position, seat = next(moments(DESERT, 50))
    (other, *_) = (each for each in position.ground.seats if each != seat)
    assert suggest_turns(DESERT, position, other) == []
    *_, last = play_out(DESERT, position, KeyedDealer(b"to the end"))
    assert suggest_turns(DESERT, last.after, seat) == []


def test_progress_is_told() -> None:
    position, seat = next(moments(DESERT, 50))
    replayed: list[int] = []
    suggest_turns(DESERT, position, seat, tell=replayed.append)
    assert replayed == sorted(replayed)
    assert replayed[-1] > 1
