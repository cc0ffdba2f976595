"""Judging, listing, playing and scoring, at every table."""

import copy
from itertools import combinations, pairwise
from typing import Any

from engine import CHANCE, Game, KeyedDealer, Ply, replay
from engine.replay import run
from tests.engine.contract_journeys import every_table, journeys, play, some_positions


@every_table
def test_random_play_ends_with_winners_among_the_seats(game: Game[Any], players: int) -> None:
    for setup, positions, _ in journeys(game, players):
        last = positions[-1]
        assert list(game.legal(last)) == []
        winners = game.score(last).winners
        assert winners
        assert {*winners} <= {*setup.seats}


@every_table
def test_whoever_is_due_has_a_move_listed_and_chance_is_due_alone(game: Game[Any], players: int) -> None:
    for setup, positions, _ in journeys(game, players):
        for position in positions:
            due, listed = game.to_act(position), {ply.seat for ply in game.legal(position)}
            assert len(set(due)) == len(due)
            if CHANCE in due:
                assert due == (CHANCE,)
                assert listed <= {CHANCE}
            else:
                assert {*due} <= listed <= {*setup.seats}


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


@every_table
def test_what_silence_stands_for_is_a_legal_move(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        for seat in game.to_act(position):
            move = game.by_default(position, seat)
            assert move is None or game.judge(position, Ply(seat, move)) is None


@every_table
def test_of_positions_with_the_same_essence_whoever_plans_needs_only_one(game: Game[Any], players: int) -> None:
    for position in some_positions(game, players):
        plies = list(game.legal(position))[:8]
        for first, second in combinations(plies, 2):
            if first.seat != second.seat:
                continue
            one, other = (replay(game, position, order) for order in ((first, second), (second, first)))
            if one.verdict is None and other.verdict is None:
                _assert_alike(game, one.position, other.position)


def _assert_alike(game: Game[Any], one: Any, other: Any) -> None:
    if game.essence(one) == game.essence(other):
        assert game.to_act(one) == game.to_act(other)
        assert game.score(one) == game.score(other)
        legal = list(game.legal(one))
        assert set(legal) == set(game.legal(other))
        for ply in legal[:20]:
            assert game.essence(game.apply(one, ply)) == game.essence(game.apply(other, ply))
