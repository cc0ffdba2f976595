"""The contract of `engine.game`, held against every registered game: ours, and guests that are installed.

A new game passes through all of this without a line written for it.
"""

import copy
import json
import re
from collections import defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import CHANCE, PUBLIC, Game, KeyedDealer, Ply, Setup, Verdict, registry, replay
from engine.digest import digest
from engine.replay import run
from notation import read_moves, read_text, write_moves

KEYS = registry.keys()
GAMES = [game for key in KEYS for game in registry.editions(key)]
TABLES = [(game, players) for game in GAMES for players in game.players]
SEEDS = range(3)
LONGEST = 20_000
"""Plies after which random play counts as endless."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.key}-{game.edition}")
every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda v: getattr(v, "key", v))


class Journey(NamedTuple):
    """One random game from the first position to the last; `positions` has one more than `plies`."""

    setup: Setup
    positions: list[Any]
    plies: list[Ply]


def lay_out(game: Game[Any], players: int, seed: int = 0) -> Setup:
    return game.lay_out(Setup(game.seats[:players]), KeyedDealer(f"set-up {seed}".encode()))


@cache
def play(game: Game[Any], players: int, seed: int) -> Journey:
    setup = lay_out(game, players, seed)
    position = game.start(setup)
    assert not isinstance(position, Verdict), str(position)
    dealer, journey = KeyedDealer(f"play {seed}".encode()), Journey(setup, [position], [])
    while due := game.to_act(position):
        assert len(journey.plies) < LONGEST, "random play does not end"
        if CHANCE in due:
            ply = game.deal(position, dealer)
        else:
            choices = list(game.legal(position))
            ply = choices[dealer.pick(len(choices), "choice")]
        position = game.apply(position, ply)
        journey.plies.append(ply)
        journey.positions.append(position)
    return journey


def journeys(game: Game[Any], players: int) -> list[Journey]:
    return [play(game, players, seed) for seed in SEEDS]


def some_positions(game: Game[Any], players: int, count: int = 25) -> list[Any]:
    """Positions spread evenly over a game, the first and the last among them."""
    positions = play(game, players, 0).positions
    return [*positions[:: max(1, len(positions) // count)], positions[-1]]


def viewers(position: Any, game: Game[Any]) -> tuple[str, ...]:
    return (*game.view(position, PUBLIC)["seats"], PUBLIC)


@cache
def neighbourhood(game: Game[Any], players: int, count: int = 800) -> list[Any]:
    """The first positions that can be reached, nearest first, whatever anybody chooses."""
    found = dict.fromkeys(play(game, players, 0).positions[:1])
    for position in (queue := list(found)):
        for ply in game.legal(position):
            after = game.apply(position, ply)
            if after not in found:
                found[after] = None
                queue.append(after)
            if len(found) == count:
                return queue
    return queue


# Facts


@every_game
def test_a_game_states_its_facts(game: Game[Any]) -> None:
    assert registry.find(game.key, game.edition) is game
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.key)
    assert game.title
    assert game.edition
    assert len(set(game.seats)) == len(game.seats)
    assert not {CHANCE, PUBLIC, ""} & {*game.seats}
    assert 1 <= min(game.players) <= max(game.players) <= len(game.seats)
    assert len({option.name for option in game.options}) == len(game.options)


@pytest.mark.parametrize("key", KEYS)
def test_editions_have_names_of_their_own(key: str) -> None:
    names = [game.edition for game in registry.editions(key)]
    assert names
    assert len(set(names)) == len(names)
    assert {game.key for game in registry.editions(key)} == {key}


@every_game
def test_every_rule_can_be_printed_and_looked_up(game: Game[Any]) -> None:
    for rule in game.rules:
        assert re.fullmatch(r"[A-Z]{2,3}-[A-Z]?[0-9]+", rule.code), rule.code
        assert all([rule.name, rule.text, rule.source, rule.obeys]), rule.code
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name), rule.name


def test_no_code_means_two_rules() -> None:
    codes = defaultdict(set)
    for game in GAMES:
        for rule in game.rules:
            codes[rule.code].add(rule)
    assert not {code: meanings for code, meanings in codes.items() if len(meanings) > 1}


# Set-up


@every_table
def test_laying_out_completes_a_set_up_and_changes_nothing_the_second_time(game: Game[Any], players: int) -> None:
    setup = lay_out(game, players)
    named = {name for name, _ in setup.options}
    assert setup.seats == game.seats[:players]
    assert {option.name for option in game.options if option.drawn} <= named <= {o.name for o in game.options}
    assert game.lay_out(setup, KeyedDealer(b"other")) == setup
    assert lay_out(game, players) == setup, "the same dealer lays out the same"


@every_table
def test_any_order_of_the_seats_can_sit_down(game: Game[Any], players: int) -> None:
    setup = game.lay_out(Setup(game.seats[:players][::-1]), KeyedDealer(b"order"))
    position = game.start(setup)
    assert not isinstance(position, Verdict)
    assert tuple(game.view(position, PUBLIC)["seats"]) == setup.seats


@every_game
def test_a_table_that_cannot_be_is_refused_under_a_rule(game: Game[Any]) -> None:
    first, most = game.seats[0], max(game.players)
    for seats in [(), (first, first), ("nobody", first), (*game.seats, *game.seats)[: most + 1]]:
        setup = game.lay_out(Setup(seats), KeyedDealer(b"wrong"))
        refusal = game.start(setup)
        assert isinstance(refusal, Verdict), f"{seats} may sit down"
        assert refusal.rule in game.rules
        assert refusal.detail


# Play


@every_table
def test_random_play_ends_with_winners_among_the_seats(game: Game[Any], players: int) -> None:
    for setup, positions, _ in journeys(game, players):
        last = positions[-1]
        assert list(game.legal(last)) == []
        winners = game.score(last).winners
        assert winners
        assert {*winners} <= {*setup.seats}


@every_table
def test_only_seats_that_are_due_are_listed_and_chance_is_due_alone(game: Game[Any], players: int) -> None:
    for setup, positions, _ in journeys(game, players):
        for position in positions:
            due = game.to_act(position)
            assert len(set(due)) == len(due)
            assert due == (CHANCE,) or {*due} <= {*setup.seats}
            assert {ply.seat for ply in game.legal(position)} <= {*due}


@every_table
def test_whatever_is_listed_passes_the_judge(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        for ply in game.legal(position):
            assert type(ply.move) in game.moves
            assert game.judge(position, ply) is None, ply


@every_table
def test_whatever_is_dealt_passes_the_judge(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        if game.to_act(position) == (CHANCE,):
            dealt = {game.deal(position, KeyedDealer(bytes([key]))) for key in range(50)}
            assert all(ply.seat == CHANCE and game.judge(position, ply) is None for ply in dealt)
            assert len(dealt) > 1, "chance that cannot choose is no chance"


@every_table
def test_a_refusal_cites_a_rule_of_the_game_in_a_sentence_and_offers_legal_moves(game: Game[Any], players: int) -> None:
    journey = play(game, players, 0)
    tried = journey.plies[:: max(1, len(journey.plies) // 20)]
    refused = 0
    for position in some_positions(game, players):
        for _, move in tried:
            for seat in (*game.seats, CHANCE):
                verdict = game.judge(position, Ply(seat, move))
                if verdict is not None:
                    refused += 1
                    assert verdict.rule in game.rules
                    assert verdict.detail
                    assert str(verdict).startswith(verdict.rule.code)
                    assert all(game.judge(position, Ply(seat, other)) is None for other in verdict.instead)
    assert refused


@every_table
def test_applying_a_ply_leaves_the_position_as_it_was(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        before = copy.deepcopy(position)
        for ply in list(game.legal(position))[:20]:
            after = game.apply(position, ply)
            assert after != position
            assert game.apply(position, ply) == after
            assert hash(game.apply(position, ply)) == hash(after)
        assert position == before
        assert hash(position) == hash(before)


@every_table
def test_a_run_judges_and_plays_as_the_game_does(game: Game[Any], players: int) -> None:
    journey = play(game, players, 1)
    strange = journey.plies[:: max(1, len(journey.plies) // 10)]
    carried = run(game, journey.positions[0])
    for position, ply, after in zip(journey.positions, journey.plies, journey.positions[1:], strict=False):
        for other in strange:
            if (verdict := game.judge(position, other)) is not None:
                assert carried.advance(other) == verdict
        assert (carried.position(), carried.turn) == (position, game.turn(position)), "a refused ply changes nothing"
        assert carried.advance(ply) is None
        assert carried.position() == after


@every_table
def test_a_replay_reaches_the_same_end(game: Game[Any], players: int) -> None:
    for _, positions, plies in journeys(game, players):
        told = replay(game, positions[0], plies)
        assert (told.position, told.played, told.verdict) == (positions[-1], len(plies), None)


@every_table
def test_turns_are_counted_from_one_and_never_back(game: Game[Any], players: int) -> None:
    for _, positions, _ in journeys(game, players):
        turns = [game.turn(position) for position in positions]
        assert turns[0] == 1
        assert all(after - before in (0, 1) for before, after in pairwise(turns))


@every_table
def test_the_score_names_a_rule_for_every_point_and_no_winner_before_the_end(game: Game[Any], players: int) -> None:
    codes = {rule.code for rule in game.rules}
    for position in some_positions(game, players):
        score = game.score(position)
        assert [tally.seat for tally in score.tallies] == list(game.seats[:players])
        assert {line.rule for tally in score.tallies for line in tally.lines} <= codes
        assert all(isinstance(line.detail, str) for tally in score.tallies for line in tally.lines)
        assert bool(score.winners) == (game.to_act(position) == ())


# What each may know


@every_table
def test_a_view_is_plain_data_for_every_seat_and_for_the_public(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        for viewer in viewers(position, game):
            view = game.view(position, viewer)
            assert json.loads(json.dumps(view, allow_nan=False)) == view
            assert tuple(view["to_act"]) == game.to_act(position)


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


@cache
def look_alike(game: Game[Any], players: int, viewer: str) -> list[list[Any]]:
    """Different positions that are one and the same to a viewer."""
    groups = defaultdict(list)
    for position in neighbourhood(game, players):
        groups[json.dumps(game.view(position, viewer), sort_keys=True)].append(position)
    return [group for group in groups.values() if len(group) > 1]


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


@every_table
def test_what_silence_stands_for_is_a_legal_move(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        for seat in game.to_act(position):
            move = game.by_default(position, seat)
            assert move is None or game.judge(position, Ply(seat, move)) is None


# The vocabulary


@every_game
def test_every_kind_of_move_occurs_and_no_other(game: Game[Any], root: Path) -> None:
    seen = {type(ply.move) for n in game.players for journey in journeys(game, n) for ply in journey.plies}
    # Some moves are so rare that chance does not meet them; then a record kept for the tests must.
    for path in (root / "tests/records" / game.key).glob("*.turns"):
        for reading in read_text(path.read_text("utf-8")):
            assert reading.record is not None, reading.faults
            seats = {*reading.record.seats, CHANCE}
            seen |= {type(move) for entry in reading.record.entries if entry.who in seats for move in entry.moves}
    assert seen == {*game.moves}


@every_table
def test_every_move_can_be_written_and_read_back(game: Game[Any], players: int) -> None:
    moves = {ply.move for journey in journeys(game, players) for ply in journey.plies}
    moves |= {ply.move for position in some_positions(game, players, 5) for ply in game.legal(position)}
    for move in moves:
        text = write_moves(game, (move,))
        assert read_moves(game, text) == (move,), text


# What the contract promises must be somewhere to be seen


def test_among_the_games_there_are_chance_secrets_and_seats_due_at_once() -> None:
    every = [(game, position) for game in GAMES for position in play(game, min(game.players), 0).positions]
    assert any(game.to_act(position) == (CHANCE,) for game, position in every)
    assert any(len(game.to_act(position)) > 1 for game, position in every)
    assert any(game.view(position, PUBLIC) != game.view(position, game.seats[0]) for game, position in every)
    assert any(look_alike(game, min(game.players), PUBLIC) for game in GAMES)
