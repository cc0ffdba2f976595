"""The examples that the rules were settled with: drawn positions, what a die may do there, and why not."""

import pytest

from engine.game import Ply
from engine.nomadi import GAME
from engine.nomadi.board import BITS
from engine.nomadi.moves import End, Step
from engine.nomadi.paths import choices
from engine.nomadi.position import Position
from notation import Fault, read_moves, write_moves
from tests.engine.nomadi.nomadi_tables import drawn, moving

HOOK = """
    D E F G H I J K L M
11  . . . . . . . . . .
12  . . o o o o . . . .
13  . . . . . o . . . .
14  . . . . . o o . . .
15  . . . . . . . . . .
"""
LEGAL = {
    1: "F12-G11 F12-G13 I12-H13 I14-J13 J14-I15 J14-J13",
    2: "J14-H14",
    3: "",
    4: "F12-J12",
    5: "",
    6: "F12-I15",
}
REFUSED = [
    ("1 F12-E12", "NO-M2", "the stone from F12 would stand alone at E12"),
    ("1 I14-H13", "NO-M2", "J14 would stand alone"),
    ("3 G12-J12", "NO-M2", "F12 would stand alone"),
    ("3 J14-G14", "NO-M8", "H14 is a gap"),
    ("6 F12-F15-I15", "NO-M8", "F13 is a gap"),
    ("6 F12-G12-I15", "NO-M6", "the way from F12 to I15 does not bend at G12"),
    ("5 F12-I15", "NO-M6", "a 5 leads 5 squares far, and from F12 to I15 it is 6"),
    ("2 I14-I12", "NO-M7", "a stone of blue stands at I12"),
    ("4 I12-M12", "NO-M8", "J12 is a gap"),
    ("1 E12-E11", "NO-M1", "no stone stands at E12"),
]


def hook(dice: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> Position:
    return moving(drawn(HOOK), dice=dice)


def step(text: str) -> Step:
    moves = read_moves(GAME, text)
    assert not isinstance(moves, Fault)
    (move,) = moves
    assert isinstance(move, Step)
    return move


@pytest.mark.parametrize(("die", "expected"), LEGAL.items())
def test_these_are_all_the_moves_of_a_die(die: int, expected: str) -> None:
    found = [ply.move for ply in GAME.legal(hook((die,))) if isinstance(ply.move, Step)]
    assert [write_moves(GAME, (move,)) for move in found] == [f"{die} {way}" for way in expected.split()]


@pytest.mark.parametrize(("text", "code", "detail"), REFUSED)
def test_this_is_refused_and_why(text: str, code: str, detail: str) -> None:
    verdict = GAME.judge(hook(), Ply("blue", step(text)))
    assert verdict is not None
    assert str(verdict) == f"{code} {detail}"
    assert verdict.instead
    assert all(GAME.judge(hook(), Ply("blue", other)) is None for other in verdict.instead)


def test_a_named_way_that_is_legal_leads_to_the_same_place() -> None:
    named, plain = step("6 F12-I12-I15"), step("6 F12-I15")
    assert GAME.judge(hook(), Ply("blue", named)) is None
    after = [GAME.apply(hook(), Ply("blue", move)) for move in (named, plain)]
    assert after[0].stones == after[1].stones


@pytest.mark.parametrize("dice", [(3,), (5,), (3, 5, 3)])
def test_a_turn_ends_when_no_die_that_is_left_can_be_played(dice: tuple[int, ...]) -> None:
    position = hook(dice)
    assert GAME.judge(position, Ply("blue", End())) is None
    assert GAME.apply(position, Ply("blue", End())).coins == (5 - len(dice), 5)


@pytest.mark.parametrize(("dice", "die"), [((3, 6), 6), ((3, 5, 2), 2), ((4, 3), 4)])
def test_a_turn_does_not_end_while_a_die_can_be_played(dice: tuple[int, ...], die: int) -> None:
    verdict = GAME.judge(hook(dice), Ply("blue", End()))
    assert verdict is not None
    assert (verdict.rule.code, verdict.facts["die"]) == ("NO-D3", die)
    assert [GAME.judge(hook(dice), Ply("blue", move)) for move in verdict.instead] == [None]


BLOCK = """
    E F G H I
 9  . . . . .
10  . o o o .
11  . o o o .
12  . o o o .
13  . . . . .
"""


def test_the_middle_of_a_block_is_shut_in() -> None:
    position = moving(drawn(BLOCK))
    assert BITS["G11"] not in {origin for _, origin, _ in choices(position)}
    for die in range(1, 7):
        verdict = GAME.judge(position, Ply("blue", Step(die, "G11", "G9")))
        assert verdict is not None
        assert verdict.rule.code == "NO-M3"


def test_a_five_bends_around_the_corner_of_a_block() -> None:
    position = moving(drawn(BLOCK))
    assert GAME.judge(position, Ply("blue", step("5 F10-I12"))) is None
    assert GAME.judge(position, Ply("blue", step("5 F10-F12-I12"))) is None


def test_three_ones_in_a_triangle_do_not_bring_a_stone_home() -> None:
    position = moving("F10 G10 H10 H11 H12 F11", dice=(1, 1, 1, 2))
    position = GAME.apply(position, Ply("blue", step("1 F11-G11")))
    position = GAME.apply(position, Ply("blue", step("1 G11-G12")))
    verdict = GAME.judge(position, Ply("blue", step("1 G12-F11")))
    assert str(verdict) == "NO-M9 this stone left F11 in this turn with another 1"


def test_another_stone_of_the_same_colour_may_go_where_the_first_one_left() -> None:
    position = moving("E10 F10 G10 H10 F11", dice=(1, 1, 1, 2))
    position = GAME.apply(position, Ply("blue", step("1 F11-G11")))
    assert GAME.judge(position, Ply("blue", step("1 E10-F11"))) is None


def test_many_stones_that_would_be_cut_off_are_named() -> None:
    verdict = GAME.judge(moving("F10 G10 H10 I10 J10 K10 H11", dice=(1,)), Ply("blue", step("1 H10-I11")))
    assert verdict is not None
    assert verdict.detail.endswith("would be cut off")
