"""What each may know: views, digests, lists and scores, and moves as they are told."""

import copy
import json
from typing import Any

from engine import CHANCE, PUBLIC, Game
from engine.digest import digest
from notation import read_moves, write_moves
from tests.engine.contract_journeys import GAMES, every_table, journeys, look_alike, play, some_positions, viewers


@every_table
def test_a_view_is_plain_data_for_every_seat_and_for_the_public(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        for viewer in viewers(position, game):
            view = game.view(position, viewer)
            assert json.loads(json.dumps(view, allow_nan=False)) == view
            assert tuple(view["to_act"]) == game.to_act(position)


def spoil(data: Any) -> None:
    """Write into plain data wherever something can be written."""
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        spoil(part)
    if isinstance(data, dict):
        data["spoiled"] = True
    elif isinstance(data, list):
        data.append("spoiled")


@every_table
def test_whoever_writes_into_a_view_changes_nothing_for_others(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        for viewer in viewers(position, game):
            before = copy.deepcopy(game.view(position, viewer)), digest(game, position)
            spoil(game.view(position, viewer))
            assert (game.view(position, viewer), digest(game, position)) == before


@every_table
def test_equal_positions_have_equal_digests(game: Game[Any], players: int) -> None:
    for _, positions, plies in journeys(game, players):
        again = copy.deepcopy(positions[0])
        seen = [digest(game, again)]
        for ply in plies:
            again = game.apply(again, ply)
            seen.append(digest(game, again))
        assert seen == [digest(game, position) for position in positions]


@every_table
def test_the_public_knows_no_more_than_any_seat(game: Game[Any], players: int) -> None:
    for seat in game.seats[:players]:
        for alike in look_alike(game, players, seat):
            assert len({json.dumps(game.view(position, PUBLIC), sort_keys=True) for position in alike}) == 1


@every_table
def test_what_a_seat_may_do_follows_from_what_it_may_know(game: Game[Any], players: int) -> None:
    for seat in game.seats[:players]:
        for alike in look_alike(game, players, seat):
            options = {frozenset(ply for ply in game.legal(position) if ply.seat == seat) for position in alike}
            assert len(options) == 1, "the list of legal moves gives a secret away"


@every_table
def test_the_score_before_the_end_follows_from_what_the_public_knows(game: Game[Any], players: int) -> None:
    for alike in look_alike(game, players, PUBLIC):
        assert len({repr(game.score(position)) for position in alike}) == 1, "the score gives a secret away"


@every_table
def test_whoever_moves_reads_all_of_the_move(game: Game[Any], players: int) -> None:
    for _, positions, plies in journeys(game, players):
        for position, ply in zip(positions, plies, strict=False):
            if ply.seat != CHANCE:
                assert game.told(position, ply, ply.seat) == ply.move


@every_table
def test_moves_that_are_told_alike_leave_a_viewer_with_the_same_view(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players, 15):
        for viewer in viewers(position, game):
            views: dict[Any, str] = {}
            for ply in list(game.legal(position))[:40]:
                after = game.apply(position, ply)
                if game.to_act(after):
                    view = json.dumps(game.view(after, viewer), sort_keys=True)
                    told = (ply.seat, game.told(position, ply, viewer))
                    assert views.setdefault(told, view) == view, f"{viewer} can tell what {ply} hides"


@every_table
def test_a_move_with_something_hidden_can_be_written_and_read_back(game: Game[Any], players: int) -> None:
    for _, positions, plies in journeys(game, players):
        for position, ply in zip(positions, plies, strict=False):
            told = game.told(position, ply, PUBLIC)
            if told != ply.move:
                assert read_moves(game, write_moves(game, (told,))) == (told,)


# What the contract promises must be somewhere to be seen


def test_among_the_games_there_are_chance_secrets_and_seats_due_at_once() -> None:
    every = [(game, position) for game in GAMES for position in play(game, min(game.players), 0).positions]
    assert any(game.to_act(position) == (CHANCE,) for game, position in every)
    assert any(len(game.to_act(position)) > 1 for game, position in every)
    assert any(game.view(position, PUBLIC) != game.view(position, game.seats[0]) for game, position in every)
    assert any(look_alike(game, min(game.players), PUBLIC) for game in GAMES)


@every_table
def test_a_move_that_shows_its_player_something_hidden_says_so(game: Game[Any], players: int) -> None:
    for seat in game.seats[:players]:
        for alike in look_alike(game, players, seat):
            for ply in [ply for ply in game.legal(alike[0]) if ply.seat == seat]:
                seen = {json.dumps(game.view(game.apply(each, ply), seat), sort_keys=True) for each in alike}
                assert len(seen) == 1 or game.discloses(alike[0], ply), f"{ply} tells {seat} a secret"
