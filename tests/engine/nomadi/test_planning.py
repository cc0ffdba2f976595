"""Whole turns: found lazily, legal move by move, and none of them twice."""

from itertools import islice

import pytest
from nomadi_tables import full_block, moving

from engine.game import Ply
from engine.nomadi import GAME
from engine.nomadi.moves import End
from engine.nomadi.planning import plans
from engine.nomadi.position import MOVING, Position
from engine.replay import replay

HOOK = "F12 G12 H12 I12 I13 I14 J14"


def every_end(position: Position) -> set[Position]:
    """All tables in which a turn can end, by following every legal ply."""
    ends, waiting = set(), [position]
    while waiting:
        table = waiting.pop()
        for ply in GAME.legal(table):
            after = GAME.apply(table, ply)
            if after.phase == MOVING and after.turn == table.turn:
                waiting.append(after)
            else:
                ends.add(after)
    return ends


@pytest.mark.parametrize("dice", [(1, 2), (6, 4, 2), (3, 5), (1, 1, 2), (3, 5, 6)])
def test_the_plans_lead_to_every_table_in_which_the_turn_can_end(dice: tuple[int, ...]) -> None:
    position = moving(HOOK, dice=dice)
    reached = [plan.after for plan in plans(position)]
    assert {(table.stones, table.coins) for table in reached} == {
        (table.stones, table.coins) for table in every_end(position)
    }
    assert len(reached) == len(set(reached))


def test_a_plan_is_legal_move_by_move() -> None:
    position = moving(HOOK, dice=(1, 2, 6, 3))
    for plan in plans(position):
        told = replay(GAME, position, [Ply("blue", move) for move in plan.moves])
        assert (told.position, told.verdict) == (plan.after, None)


def test_plans_are_found_one_by_one_however_many_there_are() -> None:
    position = moving(full_block())
    first = list(islice(plans(position), 50))
    assert len({plan.after for plan in first}) == 50
    assert all(len(plan.moves) >= 3 for plan in first)


def test_dice_that_can_do_nothing_leave_one_plan() -> None:
    assert [plan.moves for plan in plans(moving(HOOK, dice=(3, 5)))] == [(End(),)]


def test_nobody_plans_while_nothing_is_to_be_played() -> None:
    over = moving(HOOK)._replace(phase="over")
    assert list(plans(over)) == []
