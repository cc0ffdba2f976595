"""The Gift as text: numbers where intersections are, letters of owners where they have built, hexes between them.

A settlement is its owner's small letter behind the number, a keep the capital; a road is the small letter on its path.
What the last turn brought has an asterisk, what is open a plus. But for words it is
all ASCII, for every mail program.
"""

from collections.abc import Collection, Mapping
from typing import Final
from unicodedata import bidirectional

from engine.game import View

SIGNS: Final = {"red": "R", "blue": "B", "yellow": "Y", "black": "K"}
"""The letter of each seat; black is K, because blue is B."""

TORMUND: Final = "tormund"
ROOM: Final = 9
"""Characters for whoever stands on a hex."""
_LEFT: Final = "\N{LEFT-TO-RIGHT MARK}"

STEP: Final = 5
"""Characters from one point of the map to the next, west to east."""
INDENT: Final = 6
WIDTH: Final = INDENT + 13 * STEP


class Canvas:
    """Lines of characters, written at places."""

    def __init__(self, height: int) -> None:
        self._lines = [[" "] * WIDTH for _ in range(height)]

    def write(self, line: int, middle: int, text: str) -> None:
        """Write a text around a column. A Hebrew letter gets a mark, so that the line keeps its order."""
        start = middle - (len(text) - 1) // 2
        signs = [sign + _LEFT if is_word_end(text, at) else sign for at, sign in enumerate(text)]
        self._lines[line][start : start + len(text)] = signs

    def lines(self) -> list[str]:
        """The lines without blanks at their ends."""
        return ["".join(line).rstrip() for line in self._lines]


def is_word_end(text: str, at: int) -> bool:
    """Whether a word that runs from right to left ends at a place of a text."""
    return bidirectional(text[at]) == "R" and bidirectional(text[at + 1 : at + 2] or " ") != "R"


def draw_lines(view: View, *, marked: Collection[str], legal: Collection[str], signs: Mapping[str, str]) -> list[str]:
    """The map: rows of intersections, with slanting paths between two of them and hexes between the next two.

    `signs` are short words in the reader's language for lands, wildlings and Tormund.
    """
    rows = sorted({y for _, y in view["spots"]})
    lines = {y: at * 2 + (at // 2) for at, y in enumerate(rows)}
    canvas = Canvas(lines[rows[-1]] + 1)
    points = {number: (x, y) for number, (x, y) in enumerate(view["spots"], start=1)}
    _write_paths(canvas, view, points, lines, marks=(marked, legal))
    spots = _write_spots(view, marked, legal)
    for number, (x, y) in points.items():
        canvas.write(lines[y], INDENT + x * STEP, spots[number])
    gift = view["watch"]["gift"] if view["watch"] else {}
    for each in view["hexes"]:
        x, y = 2 * each["index"] + 3 - each["row"], 3 * each["row"]
        middle, line = INDENT + x * STEP, lines[y - 1] + 1
        label = " ".join(filter(None, (each["hex"], signs[each["land"]], each["number"])))
        canvas.write(line, middle, label + "+" * (each["hex"] in legal))
        is_robbed = view["tormund"] == each["hex"]
        canvas.write(line + 1, middle, _guests(gift.get(each["hex"], ""), signs, tormund=is_robbed))
    return canvas.lines()


def _guests(wildling: str, signs: Mapping[str, str], *, tormund: bool) -> str:
    """Who stands on a hex, as far as there is room."""
    standing = [signs[TORMUND]] if tormund else []
    if wildling:
        standing = [signs[TORMUND][0]] * tormund + [signs[wildling]]
    return " ".join(standing)[:ROOM]


def _write_spots(view: View, marked: Collection[str], legal: Collection[str]) -> dict[int, str]:
    signs = {number: str(number) for number in range(1, len(view["spots"]) + 1)}
    for seat, spots in view["settlements"].items():
        signs |= {spot: f"{spot}{SIGNS[seat].lower()}" for spot in spots}
    for seat, spots in view["keeps"].items():
        signs |= {spot: f"{spot}{SIGNS[seat]}" for spot in spots}
    return {
        spot: sign + "*" * (str(spot) in marked) + "+" * (str(spot) in legal and str(spot) not in marked)
        for spot, sign in signs.items()
    }


def _write_paths(
    canvas: Canvas,
    view: View,
    points: dict[int, tuple[int, int]],
    lines: dict[int, int],
    *,
    marks: tuple[Collection[str], Collection[str]],
) -> None:
    owners = {(one, two): SIGNS[seat].lower() for seat, paths in view["roads"].items() for one, two in paths}
    marked, legal = marks
    for one, two in view["paths"]:
        (x, y), (to_x, to_y) = points[one], points[two]
        slant = "|" if x == to_x else "\\" if (to_x - x) * (to_y - y) > 0 else "/"
        sign = owners.get((one, two), slant)
        sign += "*" if f"{one}-{two}" in marked else "+" if f"{one}-{two}" in legal else ""
        middle = INDENT + (x + to_x) * STEP // 2
        for line in range(min(lines[y], lines[to_y]) + 1, max(lines[y], lines[to_y])):
            canvas.write(line, middle, sign)
