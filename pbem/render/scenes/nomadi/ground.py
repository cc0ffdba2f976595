"""What never changes during a game: the board on paper, with its coordinates and its ravine.

Only where the goal lies may differ from table to table. The ravine takes room of its own between two rows, so that
it can be seen where stones stand on both of its sides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Final

from engine.nomadi.board import COLUMNS, FAR_ROWS, ROWS, place
from pbem.render.geometry import Point
from pbem.render.plain_scene import Spot

SIDE: Final = 42
"""The length of a square's sides."""
HALF: Final = SIDE // 2
RAVINE: Final = 24
"""Room for the ravine."""
EDGE: Final = 4
"""Room around everything."""
MARGIN: Final = 28
"""Room for the coordinates around the board."""
HEADER: Final = 46
"""Room for the title above it."""
PANEL: Final = 258
"""Room for dice, players and signs beside it."""
LOOKS: Final = 3
"""Sand comes in so many looks, so that the desert does not seem printed."""
WOBBLE: Final = (5, 2, 7, 3, 8, 4, 6, 1)
"""How far the rims of the ravine reach into it, one after the other."""

LETTERS: Final = tuple(ascii_uppercase[:COLUMNS])
NUMBERS: Final = tuple(str(row + 1) for row in range(ROWS))

LEFT: Final = EDGE + MARGIN
TOP: Final = HEADER + MARGIN
RIGHT: Final = LEFT + COLUMNS * SIDE
CHASM: Final = TOP + FAR_ROWS * SIDE
"""Where the ravine begins."""
LOWEST: Final = TOP + ROWS * SIDE + RAVINE


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """The board on paper. Squares and lines are path data."""

    spots: Mapping[str, Spot]
    sand: tuple[str, ...]
    """The squares, by look."""
    goal: str
    start: str
    """The two zones."""
    goal_middle: Point
    start_middle: Point
    ravine: str
    """The ravine from end to end."""
    bed: str
    """What is darkest in it."""
    coordinates: tuple[Spot, ...]
    """The names of columns and rows on all four sides of the board."""
    far: str = NUMBERS[FAR_ROWS - 1]
    near: str = NUMBERS[FAR_ROWS]
    """The rows on both sides of the ravine."""
    top: int = HEADER
    bottom: int = LOWEST + MARGIN
    """Where the board begins and ends; the title stands above it."""
    left: int = EDGE
    right: int = RIGHT + MARGIN
    """Where the board begins and ends; the panel stands beside it."""
    width: int = RIGHT + MARGIN + PANEL
    height: int = LOWEST + MARGIN + EDGE


@cache
def survey(goal: tuple[str, ...], start: tuple[str, ...]) -> BoardDrawing:
    """Lay the board on paper."""
    names = [letter + number for number in NUMBERS for letter in LETTERS]
    columns = [(letter, centre(f"{letter}1").x) for letter in LETTERS]
    rows = [(number, centre(f"A{number}").y) for number in NUMBERS]
    return BoardDrawing(
        spots={name: _spot(name) for name in names},
        sand=tuple(squares(name for name in names if look_of(name) == look) for look in range(LOOKS)),
        goal=squares(goal),
        start=squares(start),
        goal_middle=_middle(goal),
        start_middle=_middle(start),
        ravine=_ravine(depth=0),
        bed=_ravine(depth=5),
        coordinates=(
            *(_label(letter, x, y) for letter, x in columns for y in (HEADER + 19, LOWEST + 19)),
            *(_label(number, x, y + 5) for number, y in rows for x in (LEFT - 14, RIGHT + 14)),
        ),
    )


@cache
def centre(square: str) -> Point:
    """The middle of a square."""
    column, row = place(square)
    return Point(LEFT + column * SIDE + HALF, TOP + row * SIDE + HALF + (RAVINE if row >= FAR_ROWS else 0))


def squares(names: Iterable[str]) -> str:
    """Path data of the named squares, each closed."""
    middles = map(centre, names)
    return "".join(f"M{x - HALF} {y - HALF}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in middles)


def _spot(square: str) -> Spot:
    x, y = centre(square)
    return Spot(square, f'x="{x}" y="{y}" data-at="{square}"')


def _label(name: str, x: int, y: int) -> Spot:
    return Spot(name, f'x="{x}" y="{y}"')


def _middle(zone: tuple[str, ...]) -> Point:
    (left, top), (right, bottom) = centre(zone[0]), centre(zone[-1])
    return Point((left + right) // 2, (top + bottom) // 2)


def _ravine(depth: int) -> str:
    """Path data of a jagged band; with some depth, of what lies so far inside it."""
    across = range(LEFT, RIGHT + 1, SIDE // 2)
    upper = [f"{x} {CHASM + depth + WOBBLE[at % 8] - 2}" for at, x in enumerate(across)]
    lower = [f"{x} {CHASM + RAVINE - depth - WOBBLE[(at * 3 + 5) % 8] + 2}" for at, x in enumerate(across)]
    return f"M{'L'.join(upper)}L{'L'.join(reversed(lower))}z"


@cache
def look_of(square: str) -> int:
    """Vary the looks in a way that shows no pattern and never changes."""
    column, row = place(square)
    return (column * 7 + row * 11 + column * row) % LOOKS
