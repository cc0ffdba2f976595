"""Where pieces may go: masks of paths and intersections, prices and pieces left apart."""

from typing import Final

from engine.brotherhood.board import paths_touching
from engine.brotherhood.table import Table

ROADS: Final = 15
SETTLEMENTS: Final = 5
KEEPS: Final = 4
"""Pieces of each player (BB-B2)."""


def reach(table: Table, who: int) -> int:
    """The intersections from which a player may build on (BB-B4)."""
    return table.ends[who] & ~table.foreign(who) | table.settlements[who] | table.keeps[who]


def road_places(table: Table, who: int) -> int:
    """The paths that may take a player's road."""
    return paths_touching(table.chart, reach(table, who)) & ~table.paved


def settlement_places(table: Table, who: int) -> int:
    """The intersections that may take a player's settlement (BB-B5 to BB-B7)."""
    return table.ends[who] & ~table.closed
