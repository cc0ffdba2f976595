"""Every table to which a turn can lead: the oracle, which follows move by move, finds the same and no others.

The oracle is slow, so it is asked where it can finish: with the last dice of a turn, with few dice, and with all six
where little can move. ``CARAVAN_GAMES`` says how many games the tables come from in all (100 unless set).
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.game import Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.board import squares
from engine.nomadi.moves import End, Step
from engine.nomadi.outcomes import Outcomes, outcome
from engine.nomadi.position import MOVING
from engine.replay import replay
from tests.engine.nomadi.nomadi_tables import full_block, moving
from tests.oracle.nomadi import nomadi_oracle as oracle
from tests.oracle.nomadi import nomadi_playouts as playouts
from tests.oracle.nomadi.nomadi_duel import next_ply, set_up
from tests.oracle.nomadi.nomadi_events import events
from tests.oracle.nomadi.nomadi_map import BEYOND, NAME, PRINTED_GOAL, START
from tests.oracle.nomadi.nomadi_play import apply
from tests.oracle.nomadi.nomadi_table import on_turn, phase, start

PLAYERS = (2, 3, 4, 5)
GAMES = int(os.environ.get("CARAVAN_GAMES", "100")) // (4 * len(playouts.TEMPERS))
SHARE = 0.2
"""Of the moments of a game, how many are compared."""
PATIENCE = 40
"""How many tables the oracle may follow for one moment."""
ENOUGH = 60
"""How many moments of each temper must have been compared."""

EVERYWHERE = {"2 players", "3 players", "4 players", "5 players", "way back shut", "debt", "turn ended early"}
EVERYWHERE |= {"looking", "waterhole", "waterhole with a foreign stone", "card on a plain square with a foreign stone"}
REACHED = {
    playouts.march: {"oasis", "deals", "first over the ravine", "stone 1 home", "stone 3 home"},
    playouts.roam: {"oasis", "answers", "last out of the start", "stone 2 home", "all six dice"},
    playouts.herd: {"oasis", "deals", "last over the ravine", "last out of the start", "stone 3 home"},
    playouts.seek: {"oasis", "deals", "stone 2 home with a foreign stone", "all six dice"},
    playouts.squander: {"oasis", "deals", "last out of the start with a foreign stone", "all six dice"},
    playouts.scatter: {"deals", "last over the ravine", "stone 1 home with a foreign stone", "all six dice"},
}
"""What each temper is there for: its turns must really lead there."""


@pytest.mark.parametrize("temper", playouts.TEMPERS, ids=lambda temper: temper.__name__)
def test_the_oracle_finds_the_same_ends_of_a_turn(temper: Any) -> None:
    seen: Counter[str] = Counter()
    for number in range(max(GAMES, len(PLAYERS))):
        random = Random(f"outcomes {temper.__name__} {number}")
        for table, position in moments(random, PLAYERS[number % len(PLAYERS)], temper):
            found: Counter[str] = Counter()
            expected = ends(table, found)
            if expected is not None:
                outcomes = Outcomes(position)
                assert {tell(position, one) for one in outcomes} == expected
                assert len(outcomes) == len(expected)
                seen += found
    assert seen["compared"] >= ENOUGH
    assert EVERYWHERE | REACHED[temper] <= seen.keys()


def moments(random: Any, players: Any, temper: Any) -> Iterator[Any]:
    """Moments of a game at which dice are to be played, some with fewer dice, as oracle and engine see them."""
    dealer = KeyedDealer(random.randbytes(16))
    seats, chosen = playouts.deal(random, players)
    options = dict(GAME.lay_out(Setup(seats, tuple(chosen.items())), dealer).options)
    table, position = start(seats, options), set_up(seats, options)
    while phase(table) != "over":
        if position.phase == MOVING and random.random() < SHARE:
            yield table, position
            few = tuple(random.choices(random.sample((1, 2, 3, 4, 5, 6), 2), k=3))
            yield replace(table, unplayed=few), position._replace(unplayed=few)
        ply = next_ply(random, table, position, dealer, temper)
        table, position = apply(table, ply), GAME.apply(position, Ply(*ply))


def ends(table: Any, seen: Any) -> Any:
    """All that the oracle finds where a turn can end, and what happens on the way; None if it is too much to follow."""
    found, waiting, known = set(), [table], set()
    seen.update(["compared", f"{len(table.seats)} players", *["deals"] * table.deals])
    seen.update(["oasis"] * (table.goal != PRINTED_GOAL) + ["all six dice"] * (len(table.unplayed) == 6))
    while waiting:
        before = waiting.pop()
        steps: list[Step | End] = [
            Step(die, NAME[origin], NAME[target]) for die, origin, target in oracle.steps(before)
        ]
        for move in steps or [End()]:
            ply = on_turn(before), move
            after = apply(before, ply)
            seen.update(events(before, ply, after))
            end = tell_of_oracle(after)
            if phase(after) != "moving":
                found.add(end)
                seen[phase(after)] += 1
            elif end not in known:
                known.add(end)
                waiting.append(after)
                seen["way back shut"] += bool(end[3])
        if len(known) > PATIENCE:
            return None
    return found


def tell_of_oracle(table: Any) -> Any:
    """What there is to know of the oracle's table: what was played matters only for ways back that are now shut."""
    now = phase(table)
    dice = () if now in ("over", "answers") else tuple(sorted(table.unplayed))
    square_of = {stone: square for square, stone in table.stones.items()}
    shut = {
        (die, NAME[square_of[stone]], NAME[square])
        for stone, die, square in table.left_from
        if die in dice and might_return(table, square_of[stone], square)
    }
    stones = {(NAME[square], seat) for square, (seat, _) in table.stones.items()}
    return now, tuple(table.coins[seat] for seat in table.seats), dice, frozenset(shut), frozenset(stones)


def might_return(table: Any, stone: Any, square: Any) -> Any:
    """Whether no other rule keeps a stone from a square that it left."""
    barred = (square in START and stone not in START) or (stone in BEYOND and square not in BEYOND)
    return stone not in table.goal and not barred


def tell(position: Any, found: Any) -> Any:
    """The same of an outcome that the engine found."""
    (now, coins, dice, shut), stones = found
    names = frozenset((die, *squares(stone), *squares(square)) for die, stone, square in shut)
    owned = zip(position.ground.seats, stones, strict=True)
    return now, coins, dice, names, frozenset((square, seat) for seat, own in owned for square in squares(own))


# -- By hand, and beside every position that legal plies lead to

HOOK = "F12 G12 H12 I12 I13 I14 J14"


def followed(position: Any) -> Any:
    """All outcomes of a turn, by following every legal ply."""
    found, waiting, known = set(), [position], set()
    while waiting:
        before = waiting.pop()
        for ply in GAME.legal(before):
            after = GAME.apply(before, ply)
            if after.phase != MOVING:
                found.add(outcome(after))
            elif (mark := outcome(after)) not in known:
                known.add(mark)
                waiting.append(after)
    return found


@pytest.mark.parametrize("dice", [(1, 2), (6, 4, 2), (1, 2, 6, 3), (1, 1, 2, 2), (5, 5, 6), (2, 2, 2, 1)])
def test_the_outcomes_are_where_legal_plies_lead(dice: Any) -> None:
    position = moving(HOOK, dice=dice)
    found = list(Outcomes(position))
    assert len(found) == len(Outcomes(position)) == len(set(found))
    assert set(found) == followed(position)


def test_a_whole_block_with_three_dice_can_come_to_thousands_of_tables() -> None:
    position = moving(full_block(), dice=(1, 5, 6))
    assert len(Outcomes(position)) == len(followed(position)) == 3175


def test_dice_that_can_do_nothing_have_one_outcome() -> None:
    position = moving(HOOK, dice=(3, 5))
    (only,) = Outcomes(position)
    assert (only.hand.phase, only.hand.coins, only.stones) == ("throwing", (3, 5), position.stones)


def test_there_are_no_outcomes_while_nothing_is_to_be_played() -> None:
    assert list(Outcomes(moving(HOOK)._replace(phase="over"))) == []


# -- What matters of a position


def test_the_order_of_moves_is_forgotten_but_not_what_they_leave() -> None:
    position = moving(HOOK, dice=(1, 2, 6, 3))
    plies = [Ply("blue", Step(1, "J14", "J13")), Ply("blue", Step(6, "F12", "I15"))]
    both = [replay(GAME, position, order) for order in (plies, plies[::-1])]
    assert [each.verdict for each in both] == [None, None]
    one, other = (each.position for each in both)
    assert one != other
    assert GAME.essence(one) == GAME.essence(other)
    assert GAME.essence(one) != GAME.essence(GAME.apply(position, plies[0]))
