"""The Gift as a map: hexes, intersections, paths and trade routes.

The map is data and geometry. It knows no player, no piece and no rule; where the rulebook's pictures were not to be
had, `layouts` says what we laid instead.
"""

from engine.brotherhood.board import Chart, chart
from engine.brotherhood.layouts import (
    BASE,
    GIFT,
    GIFT_OF_THREE,
    ICE,
    PRODUCE,
    Layout,
    read_land,
    write_land,
)

__all__ = ["BASE", "GIFT", "GIFT_OF_THREE", "ICE", "PRODUCE", "Chart", "Layout", "chart", "read_land", "write_land"]
