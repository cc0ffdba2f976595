"""The board has the shape that the rules state, and its bits never run from one end of it into the other."""

from collections import Counter

import pytest

from engine.nomadi.board import (
    BITS,
    BOARD,
    COLUMNS,
    FAR,
    MAP,
    NAMES,
    NEAR,
    PLAIN,
    PRINTED_GOAL,
    ROWS,
    START,
    WATERHOLES,
    grow,
    mask_of,
    place,
    squares,
)
from engine.nomadi.paths import AROUND, choices, ways
from engine.nomadi.setup import EACH, STONES
from tests.engine.nomadi.nomadi_tables import full_block, moving

WATER = "C7 C13 F3 F18 H9 H15 I5 I11 K2 K17 N7 N13"


def test_there_are_304_squares_in_sixteen_columns_and_nineteen_rows() -> None:
    assert (COLUMNS, ROWS, len(BITS), BOARD.bit_count()) == (16, 19, 304, 304)
    assert {len(line) for line in MAP.split()} == {16}


def test_start_goal_waterholes_and_plain_desert_have_their_sizes() -> None:
    sizes = [zone.bit_count() for zone in (START, PRINTED_GOAL, WATERHOLES, PLAIN)]
    assert sizes == [16, 16, 12, 260]
    assert START | PRINTED_GOAL | WATERHOLES | PLAIN == BOARD


def test_the_zones_lie_in_opposite_corners() -> None:
    assert squares(START) == [f"{column}{row}" for column in "MNOP" for row in (16, 17, 18, 19)]
    assert squares(PRINTED_GOAL) == [f"{column}{row}" for column in "ABCD" for row in (1, 2, 3, 4)]


def test_the_waterholes_are_those_of_the_map_and_each_half_is_the_others_half_turn() -> None:
    assert squares(WATERHOLES) == WATER.split()
    assert (WATERHOLES & FAR).bit_count() == (WATERHOLES & NEAR).bit_count() == 6
    turned = {(15 - column, 18 - row) for column, row in map(place, WATER.split())}
    assert turned == set(map(place, WATER.split()))


def test_the_ravine_runs_below_row_nine() -> None:
    assert {int(name[1:]) for name in squares(FAR)} == set(range(1, 10))
    assert FAR | NEAR == BOARD


def test_sides_never_lead_around_the_edge() -> None:
    for name, bit in BITS.items():
        column, row = place(name)
        beside = {place(other) for other in squares(grow(bit) & BOARD)}
        around = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
        assert beside == {(x, y) for x, y in around if 0 <= x < COLUMNS and 0 <= y < ROWS}


@pytest.mark.parametrize(("die", "ends"), [(1, 8), (2, 4), (3, 4), (4, 4), (5, 20), (6, 24)])
def test_a_die_leads_as_far_as_it_shows(die: int, ends: int) -> None:
    found = {target: each for target in NAMES if (each := ways(die, BITS["H10"], target))}
    assert len(found) == ends
    for target, each in found.items():
        x, y = place(NAMES[target])
        assert die == 1 or abs(x - 7) + abs(y - 9) == die
        assert all(way.over.bit_count() == die - 1 for way in each)
        assert len(each) == (1 if die < 5 or x == 7 or y == 9 else 2)
    assert len(AROUND) == 8


def test_a_full_start_block_can_play_every_die() -> None:
    counted = Counter(die for die, _, _ in choices(moving(full_block())))
    assert [counted[die] for die in range(1, 7)] == [12, 4, 4, 8, 20, 12]


def test_there_are_28_stones_and_fifteen_or_sixteen_of_them_play() -> None:
    assert sum(STONES.values()) == 28
    assert {players: players * each for players, each in EACH.items()} == {2: 16, 3: 15, 4: 16, 5: 15}


def test_names_and_bits_are_each_others_inverse() -> None:
    assert all(NAMES[bit] == name for name, bit in BITS.items())
    assert mask_of("A1", "P19") == BITS["A1"] | BITS["P19"]
