"""Nomadi for a telephone: a window on the caravan and two squares around it, a small map of the whole, the dice above.

Stones are plates with the names of their squares. The window is as wide as the picture, so squares are the larger the
closer the stones stand together; in the widest windows only the row's number fits into a square, and its letter stands
at the edges. Measures are pixels of the picture.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from engine.nomadi.board import COLUMNS, FAR_ROWS, ROWS, place
from engine.nomadi.moves import Place, Step
from pbem.render.geometry import Point
from pbem.render.narrow import WIDTH, NarrowScene
from pbem.render.scenes.nomadi.arrows import read_moves
from pbem.render.scenes.nomadi.ground import LETTERS
from pbem.render.tiles import Box, Figure

HEADER: Final = 128
"""Room for the dice and the small map."""
MARGIN: Final = 30
"""Room for the coordinates around the window."""
AROUND: Final = 2
"""Squares around the caravan."""
FEWEST: Final = 10
"""Columns of the smallest window."""
MOST: Final = 13
"""Columns of the widest window that has squares at its sides which nobody needs: there names still fit."""
HIGHEST: Final = 960
"""How high the squares of a window may be together."""
RAVINE: Final = 18
NAMED: Final = 51
"""From this width on a square has room for its name; else for its number."""

DIE: Final = 60
DOT: Final = 6
"""A square of the small map."""
GORGE: Final = 4
"""The ravine on it."""
MAP: Final = Point(WIDTH - COLUMNS * DOT - 14, 6)
"""Its upper left corner."""
ROOMY: Final = 56
"""From this width on a plate has more room around it."""
NAME: Final = Box(-26, -20, 52, 26)
DIE_BOX: Final = Box(-DIE // 2, -DIE // 2, DIE, DIE)
DOT_BOX: Final = Box(0, 0, DOT, DOT)


class Window(NamedTuple):
    """What part of the board is shown, and how wide its squares are."""

    left: int
    top: int
    columns: int
    rows: int
    side: int

    @property
    def height(self) -> int:
        """The height of the picture."""
        return (HEADER + 2 * MARGIN + self.rows * self.side + self.gorge) // 2 * 2

    @property
    def gorge(self) -> int:
        """Room for the ravine, if it is in the window."""
        return RAVINE if self.top < FAR_ROWS < self.top + self.rows else 0

    @property
    def edge(self) -> int:
        """Where the first column begins."""
        return (WIDTH - self.columns * self.side) // 2

    def corner(self, square: str) -> Point:
        """The upper left corner of a square."""
        column, row = place(square)
        down = (row - self.top) * self.side + (self.gorge if row >= FAR_ROWS else 0)
        return Point(self.edge + (column - self.left) * self.side, HEADER + MARGIN + down)

    def holds(self, square: str) -> bool:
        """Whether a square is in the window."""
        column, row = place(square)
        return 0 <= column - self.left < self.columns and 0 <= row - self.top < self.rows

    def figures(self) -> Iterator[Figure]:
        """The land, letters above and below it, numbers at both sides."""
        box = Box(0, 0, self.columns * self.side, self.side)
        half, low = self.side // 2, self.height - MARGIN // 2
        for column in range(self.left, self.left + self.columns):
            x = self.edge + (column - self.left) * self.side + half
            for y in (HEADER + MARGIN // 2, low):
                yield _label(LETTERS[column], x, y)
        for row in range(self.top, self.top + self.rows):
            corner = self.corner(f"{LETTERS[self.left]}{row + 1}")
            yield Figure("row", (self.columns, self.side), box, corner)
            for x in (self.edge // 2, WIDTH - self.edge // 2):
                yield _label(str(row + 1), x, corner.y + half)


def _label(text: str, x: int, y: int) -> Figure:
    return Figure("label", (text,), Box(-16, -12, 32, 24), Point(x, y))


@cache
def look_at(left: int, top: int, right: int, bottom: int) -> Window:
    """The window that shows some columns and rows, widened until it fills the picture."""
    beside = min(AROUND, max(0, (MOST - (right - left + 1)) // 2))
    left, right = max(0, left - beside), min(COLUMNS - 1, right + beside)
    top, bottom = max(0, top - AROUND), min(ROWS - 1, bottom + AROUND)
    rows = bottom - top + 1
    room = WIDTH - 2 * MARGIN
    side = min(room // max(FEWEST, right - left + 1), HIGHEST // rows)
    columns = min(COLUMNS, room // side)
    left = min(max(0, left - (columns - (right - left + 1)) // 2), COLUMNS - columns)
    return Window(left, top, columns, rows, side)


class CaravanScene(NarrowScene):
    """What the template draws."""

    folder = "nomadi"

    @cached_property
    def ground(self) -> Window:
        """The window: on all stones and on what they may reach, or on the start before there are any."""
        if self.options.steady:
            return look_at(0, 0, COLUMNS - 1, ROWS - 1)
        shown = [*self._stones, *(move.target for move in self.options.open if isinstance(move, Step))]
        places = [place(square) for square in shown or self.view["start"]]
        columns, rows = [column for column, _ in places], [row for _, row in places]
        return look_at(min(columns), min(rows), max(columns), max(rows))

    @cached_property
    def _stones(self) -> dict[str, str]:
        """The owner of the stone on each square."""
        return {square: seat for seat, squares in self.view["stones"].items() for square in squares}

    @cached_property
    def _fresh(self) -> set[str]:
        """Where the stones of this turn or of the last one came to stand."""
        marked = self.options.marked
        return {*(move.target for move in read_moves(self.view, marked)), *(mark for mark in marked if "-" not in mark)}

    def board(self) -> Iterator[Figure]:
        """Coordinates, zones, water, cards, the stones; above them the dice and the small map."""
        window, side = self.ground, self.ground.side
        yield from window.figures()
        box = Box(0, 0, side, side)
        for drawing, squares in (("goal", "goal"), ("start", "start"), ("water", "waterholes"), ("card", "cards")):
            for square in self.view[squares]:
                if window.holds(square) and square not in self._stones:
                    yield Figure(drawing, (side,), box, window.corner(square), square)
        for square, seat in self._stones.items():
            yield from self._stone(square, seat, own=False)
        yield from self._dice()
        yield from self._map()

    def middle_of(self, mark: str) -> Point:
        """The middle of a square."""
        corner, half = self.ground.corner(mark), self.ground.side // 2
        return Point(corner.x + half, corner.y + half)

    def overlay(self) -> Iterator[Figure]:
        """The own stones, and the squares that a stone may reach, with the dice that lead there."""
        side, box = self.ground.side, Box(0, 0, self.ground.side, self.ground.side)
        for square in self.view["stones"].get(self.options.reader, ()):
            yield from self._stone(square, self.options.reader, own=True)
        for square, dice in _reached(self.options.open).items():
            corner = self.ground.corner(square)
            covered = "card" if square in self.view["cards"] else "water" if square in self.view["waterholes"] else ""
            yield Figure("target", (side, covered), box, corner, square)
            down = side // 2 + (2 if dice else 8)
            yield Figure(
                "name", (self._name(square), "dark"), NAME, Point(corner.x + side // 2, corner.y + down), square
            )
            if dice:
                yield Figure("reach", tuple(dice), NAME, Point(corner.x + side // 2, corner.y + side - 6), square)

    def _stone(self, square: str, seat: str, *, own: bool) -> Iterator[Figure]:
        """A plate with its name on it; the two are apart, because there are many names."""
        side, corner = self.ground.side, self.ground.corner(square)
        yield Figure("stone", (side, seat, own, square in self._fresh), Box(0, 0, side, side), corner, square)
        low = Point(corner.x + side // 2, corner.y + side - (10 if side >= ROOMY else 6))
        yield Figure("name", (self._name(square), "dark" if seat == "yellow" else "light"), NAME, low, square)

    def _name(self, square: str) -> str:
        return square if self.ground.side >= NAMED else square[1:]

    def _dice(self) -> Iterator[Figure]:
        """The dice as they were thrown; of two with the same value the first counts as played first."""
        left: Counter[int] = Counter(self.view["unplayed"])
        for at, value in reversed(list(enumerate(self.view["dice"]))):
            yield Figure("die", (value, not left[value]), DIE_BOX, Point(58 + at * (DIE + 12), HEADER // 2))
            left[value] -= left[value] > 0

    def _map(self) -> Iterator[Figure]:
        view, window = self.view, self.ground
        high = ROWS * DOT + GORGE
        yield Figure("map", (), Box(0, 0, COLUMNS * DOT, high), MAP)
        for zone in ("goal", "start"):
            for square in view[zone]:
                yield Figure("dot", (zone,), DOT_BOX, _dot(square))
        for square, seat in self._stones.items():
            yield Figure("dot", (seat,), DOT_BOX, _dot(square))
        down = window.rows * DOT + (GORGE if window.gorge else 0)
        corner = _dot(f"{LETTERS[window.left]}{window.top + 1}")
        box = Box(-2, -2, window.columns * DOT + 4, down + 4)
        yield Figure("frame", (box.width, box.height), box, corner)


def _dot(square: str) -> Point:
    """A square on the small map."""
    column, row = place(square)
    return Point(MAP.x + column * DOT, MAP.y + row * DOT + (GORGE if row >= FAR_ROWS else 0))


def _reached(moves: Iterable[Any]) -> dict[str, list[int]]:
    """The squares where a stone may go, each with the dice that lead there; none for stones that are set first."""
    reached: dict[str, set[int]] = {}
    for move in moves:
        if isinstance(move, Step):
            reached.setdefault(move.target, set()).add(move.die)
        elif isinstance(move, Place):
            reached.setdefault(move.square, set())
    return {square: sorted(dice) for square, dice in reached.items()}
