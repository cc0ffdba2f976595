"""The board of Through the Desert as the oracle sees it: names of spaces in sets and dictionaries.

Drawn again from the rules digest, with the digest's own rule for neighbours, so that a slip in the engine's
board cannot hide here. It refuses to know the engine.
"""

from collections.abc import Iterable

MAP = """
##.o.....###....o##-##
#......o...o..o...--*#
...P.o...P......P.*---
.o.....o...o......----
..o..o..o....o.o..-*--
o...o......o.....o---*
.....##.....P.o.o.----
.P...#####........*-*-
...o..o..o.o..o..--Q--
#o..o.......o...-*----
#......P.o....------*-
###.o.o...o.--**--*--#
#####.....####-----###
"""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUV"
ROWS = MAP.split()

SIGN = {f"{letter}{y + 1}": ROWS[y][x] for x, letter in enumerate(LETTERS) for y in range(len(ROWS))}
"""Every hex of the map by name, in board order: column by column, top to bottom."""

ORDER = {name: number for number, name in enumerate(SIGN)}
"""Where a name stands in board order."""

CORE_SIGNS, EAST_SIGNS = ".oP", "-*Q"
MOUNTAIN = "#"


def name_of(x: int, y: int) -> str | None:
    """The hex in column x and row y, both from 0, if the map has it."""
    inside = 0 <= x < len(LETTERS) and 0 <= y < len(ROWS)
    return f"{LETTERS[x]}{y + 1}" if inside else None


def around(name: str) -> list[str]:
    """The hexes next to a hex, mountains and all."""
    x, y = LETTERS.index(name[0]), int(name[1:]) - 1
    if x % 2 == 0:
        beside = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y), (x + 1, y)]
    else:
        beside = [(x - 1, y), (x + 1, y), (x - 1, y + 1), (x + 1, y + 1)]
    places = [name_of(*place) for place in [(x, y - 1), (x, y + 1), *beside]]
    return [place for place in places if place is not None]


def marked(signs: str) -> set[str]:
    """The hexes that bear one of these signs."""
    return {name for name, sign in SIGN.items() if sign in signs}


def in_play(players: int) -> set[str]:
    """All spaces: the core, and the east part when four or five play."""
    return marked(CORE_SIGNS if players <= 3 else CORE_SIGNS + EAST_SIGNS)


def palms(players: int) -> set[str]:
    """The palm spaces in play."""
    return marked("PQ") & in_play(players)


def dots(players: int) -> set[str]:
    """The waterhole dots in play."""
    return marked("o*") & in_play(players)


def neighbourhood(spaces: set[str]) -> dict[str, set[str]]:
    """For each space its neighbours among `spaces`."""
    return {space: set(around(space)) & spaces for space in spaces}


def sort_spaces(spaces: Iterable[str]) -> list[str]:
    """Spaces in board order."""
    return sorted(spaces, key=ORDER.__getitem__)


def components(spaces: set[str], beside: dict[str, set[str]]) -> list[set[str]]:
    """Split `spaces` into connected pieces; `beside` gives the neighbours."""
    left, pieces = set(spaces), []
    while left:
        edge = {left.pop()}
        piece = set()
        while edge:
            space = edge.pop()
            piece.add(space)
            found = beside[space] & left
            left -= found
            edge |= found
        pieces.append(piece)
    return pieces
