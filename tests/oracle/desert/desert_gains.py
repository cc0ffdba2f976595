"""What a camel will bring its owner, and by which rule, worked out literally from the view before it is placed.

Each thing is a line: source, points, rule, and for an area what it leans on besides its caravan: ``water 3 TD-W1``,
``area 1 TD-E1 mountains``. What only nearly happens is told as well, without points: ``oasis 0 TD-O1`` for a second
camel beside the same oasis, ``area 0 TD-E3`` for a ring with a camel inside, ``area 0 TD-E2`` where only several
caravans together shut the ring. It knows views and the oracle's map, nothing of the engine's workings.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.oracle.desert import desert_map

MIDDLE = {"F7", "F8", "G7", "G8", "H8", "I8", "J8"}
OASIS_TOKENS = 20
"""As many as the box holds; whoever earns a further one scores by TD-S6."""


def gains(view: Any, seat: Any, camel: Any) -> Any:
    """All that a camel brings, and all that it nearly brings."""
    caravan = {*view["camels"][seat][camel.colour], camel.space}
    areas, why_none = _areas(view, seat, camel, caravan)
    oases = [*_oases_reached(view, camel, caravan), *_oases_inside(view, areas, caravan)]
    tokens = [*_water_taken(view, camel), *_water_inside(view, areas), *_count_tokens(view, oases)]
    return [*tokens, *(_describe(view, area) for area in areas), *why_none]


@cache
def beside(players: Any) -> Any:
    """For each space in play its neighbours in play."""
    return desert_map.neighbourhood(desert_map.in_play(players))


def _water_taken(view: Any, camel: Any) -> Iterator[Any]:
    if camel.space in view["water"]:
        yield f"water {view['water'][camel.space]} TD-W1"


def _water_inside(view: Any, areas: Any) -> Iterator[Any]:
    for area in areas:
        water = sum(view["water"].get(space, 0) for space in area)
        if water:
            yield f"water {water} TD-E4"


def _oases_reached(view: Any, camel: Any, caravan: Any) -> Iterator[Any]:
    near = beside(len(view["seats"]))
    for oasis in view["oases"]:
        if oasis in near[camel.space]:
            yield (0 if near[oasis] & caravan - {camel.space} else 5), "TD-O1"


def _oases_inside(view: Any, areas: Any, caravan: Any) -> Iterator[Any]:
    near = beside(len(view["seats"]))
    for oasis in view["oases"]:
        if any(oasis in area for area in areas):
            yield (0 if near[oasis] & caravan else 5), "TD-E4"


def _count_tokens(view: Any, oases: Any) -> Iterator[Any]:
    """The oases as lines; beyond the tokens of the box they are scored by TD-S6."""
    out = sum(taken["oases"] // 5 for taken in view["taken"].values())
    for points, rule in oases:
        out += points // 5
        yield f"oasis {points} {rule if out <= OASIS_TOKENS or not points else 'TD-S6'}"


def _areas(view: Any, seat: Any, camel: Any, caravan: Any) -> Any:
    """The areas that a camel closes; failing these, the line that says why it closes none though it seems to."""
    standing = {space for caravans in view["camels"].values() for spaces in caravans.values() for space in spaces}
    pieces = _part(view, caravan, camel.space)
    areas = [piece for piece in pieces if not piece & standing]
    if areas or len(pieces) > 1:
        return areas, ([] if areas else ["area 0 TD-E3"])
    all_own = {space for spaces in view["camels"][seat].values() for space in spaces}
    together = _part(view, all_own, camel.space)
    shut = len(together) > 1 and any(not piece & standing for piece in together)
    return [], (["area 0 TD-E2"] if shut else [])


def _part(view: Any, wall: Any, space: Any) -> Any:
    """The pieces into which a camel on `space`, added to a wall, parts the ground around it."""
    near = beside(len(view["seats"]))
    before = desert_map.components(near.keys() - (wall - {space}), near)
    around = next(piece for piece in before if space in piece)
    return desert_map.components(around - {space}, near)


def _describe(view: Any, area: Any) -> Any:
    """How an area is told: its spaces without oases, and what it leans on."""
    beyond = {hex_ for space in area for hex_ in desert_map.around(space)} - beside(len(view["seats"])).keys()
    line = {hex_ for hex_ in beyond if desert_map.SIGN[hex_] in desert_map.EAST_SIGNS}
    on_the_rim = any(len(desert_map.around(space)) < 6 for space in area)
    leans_on = {"edge": on_the_rim or beyond - line - MIDDLE, "line": line, "mountains": beyond & MIDDLE}
    counted = len(area - set(view["oases"]))
    return " ".join([f"area {counted} TD-E1", *(name for name, hexes in leans_on.items() if hexes)])
