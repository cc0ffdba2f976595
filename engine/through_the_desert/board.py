"""The boards of Through the Desert, as data.

The map follows `rules`: ``#`` mountain or nothing, ``.`` plain, ``o`` waterhole dot, ``P`` palm space; with four
or five players also ``-`` plain, ``*`` dot, ``Q`` palm space. Another board is another map.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.hexes import HexGrid

COLOURS: Final = ("lilac", "mint", "lemon", "green", "salmon")
"""The colours of the camels."""

STANDARD: Final = """
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


@dataclass(frozen=True)
class Board:
    """A map, and what it says about each space."""

    name: str
    lines: tuple[str, ...]

    @cached_property
    def grid(self) -> HexGrid:
        """The hexes that the map is drawn on."""
        return HexGrid(columns=len(self.lines[0]), rows=len(self.lines))

    @cached_property
    def _marked(self) -> Mapping[str, int]:
        """The spaces under each sign of the map."""
        marked = dict.fromkeys("".join(self.lines), 0)
        for row, line in enumerate(self.lines):
            for column, sign in enumerate(line):
                marked[sign] |= self.grid.bit(column, row)
        return marked

    def _where(self, signs: str) -> int:
        return sum(self._marked.get(sign, 0) for sign in signs)

    def spaces(self, players: int) -> int:
        """The spaces in play: the core, and the east part with four or five players."""
        return self._where(".oP" if players < 4 else ".oP-*Q")

    def palms(self, players: int) -> int:
        """The palm spaces in play."""
        return self._where("P" if players < 4 else "PQ")

    def dots(self, players: int) -> int:
        """The spaces in play that take a waterhole."""
        return self._where("o" if players < 4 else "o*")


BOARDS: Final = {"standard": Board("standard", tuple(STANDARD.split()))}
