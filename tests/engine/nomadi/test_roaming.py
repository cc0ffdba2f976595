"""Where the stones of many caravans can go, asked at once: the same as the oracle says of each caravan by itself."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.nomadi.board import BITS, NAMES, mask_of
from engine.nomadi.caravan import is_solid
from engine.nomadi.paths import TOGETHER, roam
from tests.oracle.nomadi import nomadi_oracle as oracle
from tests.oracle.nomadi.nomadi_map import NAME, SQUARE, beside, hang_together
from tests.oracle.nomadi.nomadi_table import start

DICE = (1, 2, 3, 4, 5, 6)
SETUP = {"Cards": "A10 A11 A12 A13 A14 A15", "Oasis": "J5"}
"""With the goal elsewhere, stones move into every corner of the board."""
CORNERS = ("A1", "P1", "A19", "P19", "H9", "M15")
"""Where caravans begin: at the ends of the board, at the ravine and the goal, at the start zone."""
GOAL = mask_of(*[column + row for column in "JKLM" for row in "5678"])


def grown(random: Any, corner: Any, stones: Any, *, loosely: Any) -> Any:
    """A whole caravan: each stone beside another one, or loosely, where few others are."""
    squares = [SQUARE[corner]]
    while len(squares) < stones:
        near = sorted({place for square in squares for place in beside(square)} & NAME.keys() - set(squares))
        random.shuffle(near)
        squares.append(min(near, key=lambda place: len(beside(place) & set(squares))) if loosely else near[0])
    return squares


def ringed(random: Any, corner: Any, stones: Any) -> Any:
    """A whole caravan around one or two empty squares that it encloses."""
    while True:
        squares = set(grown(random, corner, stones, loosely=False))
        width, height = random.choice(((3, 3), (3, 4), (4, 3)))
        across, down = random.choice(sorted(squares))
        left, top = min(across, 17 - width), min(down, 20 - height)
        ring = {(left + x, top + y) for x in range(width) for y in range(height)}
        inside = {(left + x, top + y) for x in range(1, width - 1) for y in range(1, height - 1)}
        caravan = sorted((ring | squares) - inside)
        if hang_together(caravan):
            return caravan


def both(squares_of_all: Any) -> Any:
    """What the engine finds for some caravans at once, and the oracle for each."""
    caravans = [sum(BITS[NAME[square]] for square in squares) for squares in squares_of_all]
    found = [
        {(die, NAMES[origin], NAMES[target]) for die, moves in ways.items() for origin, target in moves}
        for ways in roam(caravans, [DICE] * len(caravans), goal=GOAL)
    ]
    table = start(("blue", "yellow"), SETUP)
    expected = []
    for squares in squares_of_all:
        stones = {square: ("blue", number) for number, square in enumerate(squares)}
        steps = oracle.steps(replace(table, hand={}, stones=stones, thrown=DICE, unplayed=DICE))
        expected.append({(die, NAME[origin], NAME[target]) for die, origin, target in steps})
    return found, expected


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("loosely", [False, True], ids=["dense", "loose"])
def test_stones_of_many_caravans_go_where_the_oracle_lets_them(corner: Any, loosely: bool) -> None:
    random = Random(f"roaming {corner} {loosely}")
    for _ in range(2):
        stones = [random.randint(2, 16) for _ in range(TOGETHER)]
        found, expected = both([grown(random, corner, count, loosely=loosely) for count in stones])
        assert found == expected


@pytest.mark.parametrize("corner", CORNERS)
def test_a_caravan_that_encloses_a_square_holds_together_around_it(corner: Any) -> None:
    random = Random(f"ring {corner}")
    caravans = [ringed(random, corner, random.randint(2, 8)) for _ in range(TOGETHER)]
    found, expected = both(caravans)
    assert found == expected
    assert not any(is_solid(sum(BITS[NAME[square]] for square in squares)) for squares in caravans)


def test_only_the_dice_asked_for_are_looked_at() -> None:
    row = mask_of("H10", "H11", "H12")
    one, other = roam([row, row], [(3, 4), ()], goal=GOAL)
    assert one == {3: [(BITS["H12"], BITS["H9"]), (BITS["H10"], BITS["H13"])], 4: []}
    assert other == {}
