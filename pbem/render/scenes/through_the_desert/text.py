"""The board as text: a sign of one to five characters for each space, staggered as the hexes are.

A camel is its owner's small letter and its colour's capital, ``rL``; a leader has a star, ``rL*``; what the last
turn brought stands in brackets. All of it is ASCII, so it survives any mail client and any font of fixed width.
"""

from collections.abc import Callable, Iterable
from functools import cache
from operator import itemgetter
from typing import Final

from engine.game import View
from pbem.render.options import DrawOptions
from pbem.render.scenes.through_the_desert.ground import survey

LETTERS: Final = {"lilac": "L", "mint": "M", "lemon": "Y", "green": "G", "salmon": "S"}
"""The letters that the notation uses for the colours of camels."""

STEP: Final = 3
"""Characters from one column to the next; a column shares its lines only with every other one."""
ROOM: Final = 5
"""Characters for one sign."""
INDENT: Final = 3
"""Characters for the row's number."""


def write_signs(view: View, options: DrawOptions) -> dict[str, str]:
    """The sign of every hex of the map, blank where it is out of play."""
    signs = _write_land(view["board"], len(view["seats"])).copy()
    signs |= {space: str(value) for space, value in view["water"].items()}
    signs |= dict.fromkeys(view["oases"], "@")
    for space in options.legal:
        signs[space] = "+" + signs[space].removeprefix(".")
    for area in view["areas"]:
        signs |= {space: "/@/" if signs[space] == "@" else f"/{area['seat'][0]}/" for space in area["spaces"]}
    for seat, caravans in view["camels"].items():
        for colour, spaces in caravans.items():
            sign = seat[0] + LETTERS[colour]
            signs |= dict.fromkeys(spaces, sign) | {view["leaders"][seat][colour]: f"{sign}*"}
    return signs | {space: f"[{signs[space]}]" for space in options.marked}


@cache
def _write_land(board: str, players: int) -> dict[str, str]:
    ground = survey(board, players)
    signs = {space: "." if space in ground.in_play else "" for space in ground.spots}
    return signs | {rock.spot.name: "#" for rock in ground.rocks if not rock.far}


def draw_lines(view: View, options: DrawOptions) -> list[str]:
    """The board with its coordinates, two lines for each row."""
    signs = write_signs(view, options)
    centred = {sign: f"{sign:^{ROOM}}" for sign in {*signs.values()}}
    ground = survey(view["board"], len(view["seats"]))
    heading = " " * (INDENT + ROOM // 2) + (" " * (STEP - 1)).join(ground.letters)
    rows = [
        margin + " ".join([centred[sign] for sign in signs_of(signs)]).rstrip()
        for margin, signs_of in _rows(ground.letters, ground.numbers)
    ]
    return [heading, *rows, heading]


@cache
def _rows(
    letters: tuple[str, ...], numbers: tuple[str, ...]
) -> list[tuple[str, Callable[[dict[str, str]], Iterable[str]]]]:
    """What stands at the left of each line, and which of all signs stand in it: every other one, then the rest."""
    return [
        (margin, itemgetter(*(letter + number for letter in letters[first::2])))
        for number in numbers
        for first, margin in enumerate((f"{number:>{INDENT - 1}} ", " " * (INDENT + STEP)))
    ]
