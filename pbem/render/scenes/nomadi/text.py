"""The board as text: a sign of one to three characters for each square.

A stone is its owner's capital letter, in brackets if it has just moved. It is all ASCII, so that every mail program and
every fixed-width font can show it.
"""

from collections.abc import Collection
from typing import Final

from engine.game import View
from engine.nomadi.board import FAR_ROWS
from pbem.render.scenes.nomadi.ground import LETTERS, NUMBERS

SIGNS: Final = {"blue": "B", "yellow": "Y", "red": "R", "green": "G", "black": "K"}
"""The letter of each seat; black is K, because blue is B."""

COLUMN_WIDTH: Final = 4
"""Characters for one sign and the blanks around it."""
INDENT: Final = 3
"""Characters for the row's number."""


def write_signs(view: View, *, marked: Collection[str], legal: Collection[str]) -> dict[str, str]:
    """The sign of every square."""
    signs = {letter + number: "." for number in NUMBERS for letter in LETTERS}
    signs |= dict.fromkeys(view["start"], "s") | dict.fromkeys(view["goal"], "o")
    signs |= dict.fromkeys(view["waterholes"], "~")
    signs |= {square: "~?" if signs[square] == "~" else "?" for square in view["cards"]}
    signs |= {square: "+" + signs[square].removeprefix(".") for square in legal}
    for seat, squares in view["stones"].items():
        signs |= dict.fromkeys(squares, SIGNS[seat])
    return signs | {square: f"[{signs[square]}]" for square in marked}


def draw_lines(view: View, *, marked: Collection[str], legal: Collection[str]) -> list[str]:
    """The board with its coordinates on all sides, and the ravine as a line of its own."""
    signs = write_signs(view, marked=marked, legal=legal)
    heading = (" " * INDENT + "".join(f"{letter:^{COLUMN_WIDTH}}" for letter in LETTERS)).rstrip()
    lines = [heading]
    for number in NUMBERS:
        row = "".join(_pad(signs[letter + number]) for letter in LETTERS)
        lines.append(f"{number:>{INDENT - 1}} {row} {number}")
        if number == NUMBERS[FAR_ROWS - 1]:
            lines.append(" " * INDENT + "=" * (COLUMN_WIDTH * len(LETTERS)))
    return [*lines, heading]


def _pad(sign: str) -> str:
    """A sign padded to the width of a column, so that it stands under the letter of the column."""
    return f" {sign:<{COLUMN_WIDTH - 1}}" if len(sign) < 3 else f"{sign:<{COLUMN_WIDTH}}"
