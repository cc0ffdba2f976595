"""Checks of judging, listing, playing and scoring, at every number of players."""

import copy
from itertools import combinations, pairwise

from engine import CHANCE, GameRules, KeyedDealer, Ply, replay
from engine.replay import run
from pbem.contract.playouts import expect, play, playouts, some_positions


def random_play_ends(game: GameRules, players: int) -> None:
    """Random play ends, nothing is legal then, and there are winners among the seats."""
    for setup, positions, _ in playouts(game, players):
        last = positions[-1]
        expect(not list(game.legal(last)), "plies are listed after the end")
        winners = game.score(last).winners
        expect(winners and {*winners} <= {*setup.seats}, "winners are {}, seats {}", winners, setup.seats)


def those_due_have_a_move(game: GameRules, players: int) -> None:
    """Every seat that is due has a legal ply listed; chance is due alone."""
    for setup, positions, _ in playouts(game, players):
        for position in positions:
            due, listed = game.to_act(position), {ply.seat for ply in game.legal(position)}
            expect(len(set(due)) == len(due), "a seat is due twice: {}", due)
            if CHANCE in due:
                expect(due == (CHANCE,), "chance and others are due at once: {}", due)
                expect(listed <= {CHANCE}, "chance is due, and plies of {} are listed", listed)
            else:
                expect({*due} <= listed, "due are {}, plies are listed for {}", due, listed)
                expect(listed <= {*setup.seats}, "plies are listed for {}, seats are {}", listed, setup.seats)


def listed_plies_are_legal(game: GameRules, players: int) -> None:
    """Every ply that `legal` lists, and each of the liberties, passes `judge`, and is of a kind that the game names."""
    for position in some_positions(game, players):
        for ply in (*game.legal(position), *game.liberties(position)):
            expect(type(ply.move) in game.moves, "{} is not among the moves of the game", type(ply.move).__name__)
            verdict = game.judge(position, ply)
            expect(verdict is None, "{} is listed and refused: {}", ply, verdict)


def dealt_plies_are_legal(game: GameRules, players: int) -> None:
    """Every ply that `deal` gives passes `judge`, and different dealers give different plies."""
    for position in some_positions(game, players):
        if game.to_act(position) == (CHANCE,):
            dealt = {game.deal(position, KeyedDealer(bytes([key]))) for key in range(50)}
            for ply in dealt:
                verdict = game.judge(position, ply)
                expect(ply.seat == CHANCE and verdict is None, "{} is dealt and refused: {}", ply, verdict)
            expect(len(dealt) > 1, "chance is due and has only one outcome: {}", dealt)


def refusals_cite_rules(game: GameRules, players: int) -> None:
    """A refusal cites a rule of the game in a sentence, and what it offers instead is legal."""
    playout = play(game, players, 0)
    tried = playout.plies[:: max(1, len(playout.plies) // 20)]
    refused = 0
    for position in some_positions(game, players):
        for _, move in tried:
            for seat in (*game.seats, CHANCE):
                verdict = game.judge(position, Ply(seat, move))
                if verdict is not None:
                    refused += 1
                    expect(verdict.rule in game.rules, "{} is not in the list of rules", verdict.rule)
                    expect(verdict.detail, "{} is refused without a sentence", move)
                    for other in verdict.instead:
                        again = game.judge(position, Ply(seat, other))
                        expect(again is None, "{} is offered instead and refused: {}", other, again)
    expect(refused, "nothing is ever refused")


def traits_are_few_words(game: GameRules, players: int) -> None:
    """Traits are short texts by short names, and of whole games there are few names."""
    names: set[str] = set()
    for setup, positions, plies in playouts(game, players):
        for before, ply, after in zip(positions, plies, positions[1:], strict=False):
            for name, value in game.traits(before, ply, after).items():
                fits = isinstance(name, str) and isinstance(value, str) and 0 < len(name) <= 40 and 0 < len(value) <= 40
                expect(fits and (name + value).isprintable(), "{} has a trait that is no short text: {}", ply, value)
                expect(game.traits(before, ply, after)[name] == value, "the trait {} changes when asked again", name)
                names.add(name)
        expect(len(names) <= 20, "there are more than 20 traits at a table of {}", setup.seats)


def applying_keeps_the_position(game: GameRules, players: int) -> None:
    """Applying a ply gives another position, always the same, and leaves the one before unchanged."""
    for position in some_positions(game, players):
        before = copy.deepcopy(position)
        for ply in list(game.legal(position))[:20]:
            after = game.apply(position, ply)
            expect(after != position, "{} changes nothing", ply)
            again = game.apply(position, ply)
            expect(again == after and hash(again) == hash(after), "{} leads to different positions", ply)
        expect(position == before and hash(position) == hash(before), "a position has changed")


def a_run_plays_as_the_game_does(game: GameRules, players: int) -> None:
    """A `run`, which may be the game's own fast one, judges and plays exactly as `judge` and `apply` do."""
    playout = play(game, players, 1)
    strange = playout.plies[:: max(1, len(playout.plies) // 10)]
    carried = run(game, playout.positions[0])
    for position, ply, after in zip(playout.positions, playout.plies, playout.positions[1:], strict=False):
        for other in strange:
            if (verdict := game.judge(position, other)) is not None:
                expect(carried.advance(other) == verdict, "the run judges {} differently", other)
        expect(carried.position() == position, "a refused ply has changed the run")
        expect(carried.turn == game.turn(position), "the run counts turn {}, not {}", carried.turn, game.turn(position))
        verdict = carried.advance(ply)
        expect(verdict is None, "the run refuses {}: {}", ply, verdict)
        expect(carried.position() == after, "the run plays {} differently", ply)


def a_replay_reaches_the_same_end(game: GameRules, players: int) -> None:
    """A replay of the plies of a game reaches its last position."""
    for _, positions, plies in playouts(game, players):
        told = replay(game, positions[0], plies)
        expect(told.verdict is None, "a replay is refused: {}", told.verdict)
        expect((told.position, told.played) == (positions[-1], len(plies)), "a replay ends elsewhere")


def turns_are_counted(game: GameRules, players: int) -> None:
    """Turns are counted from 1, one by one, and never back."""
    for _, positions, _ in playouts(game, players):
        turns = [game.turn(position) for position in positions]
        expect(turns[0] == 1, "the first turn is {}", turns[0])
        for before, after in pairwise(turns):
            expect(after - before in (0, 1), "turn {} follows turn {}", after, before)


def scores_cite_rules(game: GameRules, players: int) -> None:
    """Every point has a rule of the game, every seat a tally, and there are winners at the end and not before."""
    codes = {rule.code for rule in game.rules}
    for position in some_positions(game, players):
        score = game.score(position)
        expect([tally.seat for tally in score.tallies] == list(game.seats[:players]), "tallies are not in seat order")
        for line in (line for tally in score.tallies for line in tally.lines):
            expect(line.rule in codes, "{} is not in the list of rules", line.rule)
            expect(isinstance(line.detail, str), "{} has no text", line)
        over = game.to_act(position) == ()
        expect(bool(score.winners) == over, "winners {} while the game is {}", score.winners, "over" if over else "on")


def silence_stands_for_a_legal_move(game: GameRules, players: int) -> None:
    """The move that a seat makes by saying nothing, where the rules name one, is legal."""
    for position in some_positions(game, players):
        for seat in game.to_act(position):
            move = game.by_default(position, seat)
            verdict = None if move is None else game.judge(position, Ply(seat, move))
            expect(verdict is None, "{} stands for the silence of {} and is refused: {}", move, seat, verdict)


def forced_moves_have_no_alternative(game: GameRules, players: int) -> None:
    """A move that is forced is legal, and the only one that its seat could make."""
    for _, positions, _ in playouts(game, players):
        for position in positions:
            due = game.to_act(position)
            for seat in game.seats[:players]:
                move = game.forced(position, seat)
                if move is None:
                    continue
                verdict = game.judge(position, Ply(seat, move))
                expect(seat in due and verdict is None, "{} is forced for {} and refused: {}", move, seat, verdict)
                others = {ply.move for ply in (*game.legal(position), *game.liberties(position)) if ply.seat == seat}
                expect(others == {move}, "{} is forced for {}, who could do otherwise: {}", move, seat, others)


def essence_is_enough_to_plan(game: GameRules, players: int) -> None:
    """Positions with the same essence allow the same plies, score the same, and stay alike."""
    for position in some_positions(game, players):
        plies = list(game.legal(position))[:8]
        for first, second in combinations(plies, 2):
            if first.seat != second.seat:
                continue
            one, other = (replay(game, position, order) for order in ((first, second), (second, first)))
            if one.verdict is None and other.verdict is None:
                _expect_alike(game, one.position, other.position)


def _expect_alike(game: GameRules, one: object, other: object) -> None:
    if game.essence(one) == game.essence(other):
        expect(game.to_act(one) == game.to_act(other), "the same essence, but others are due")
        expect(game.score(one) == game.score(other), "the same essence, but another score")
        legal = list(game.legal(one))
        expect(set(legal) == set(game.legal(other)), "the same essence, but other plies are legal")
        for ply in legal[:20]:
            ours, theirs = (game.essence(game.apply(each, ply)) for each in (one, other))
            expect(ours == theirs, "the same essence, but not after {}", ply)
