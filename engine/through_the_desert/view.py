"""The table as plain data, to be drawn, mailed or hashed.

Everything in this game lies open, so every viewer sees the same. The state digest is taken of this view: what
is written here, and how, is part of the record format and changes only with a new edition.
"""

from functools import lru_cache
from typing import Final

from engine.frozen_copy import freeze, thaw
from engine.game import Seat, View
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.legal import holds, quota, settle
from engine.through_the_desert.position import CAMELS, KINDS, LAST, OVER, Position

KEPT: Final = 8
"""Views that are cached: mails to all seats ask for the same one again and again."""


def view(position: Position, viewer: Seat) -> View:
    """Everything, for every viewer."""
    seen: View = thaw(_kept(position))
    return seen


@lru_cache(maxsize=KEPT)
def _kept(position: Position) -> bytes:
    """A view as bytes, of which every caller gets its own copy."""
    return freeze(_view(position))


def _view(position: Position) -> dict[str, object]:
    position = settle(position)
    ground = position.ground
    spaces, names = ground.grid.spaces, ground.grid.names
    seats = list(enumerate(ground.seats))

    def own(bits: tuple[int, ...], who: int) -> list[tuple[str, int]]:
        of_all = zip(COLOURS, bits[who * KINDS : (who + 1) * KINDS], strict=True)
        return [(colour, mask) for colour, mask in of_all if mask]

    return {
        "board": ground.board,
        "seats": list(ground.seats),
        "phase": CAMELS if position.phase == LAST else position.phase,
        "turn": position.turn,
        "to_act": [] if position.phase == OVER else [ground.seats[position.who]],
        "left": quota(position) - position.placed if position.phase in (CAMELS, LAST) else 0,
        "herds": {colour: position.herd(index) for index, colour in enumerate(COLOURS)},
        "hand": {
            seat: [colour for index, colour in enumerate(COLOURS) if holds(position, who, index)] for who, seat in seats
        },
        "removed": {seat: COLOURS[colour] for seat, colour in zip(ground.seats, position.removed, strict=False)},
        "leaders": {seat: {c: names[bit] for c, bit in own(position.leaders, who)} for who, seat in seats},
        "camels": {seat: {c: spaces(mask) for c, mask in own(position.camels, who)} for who, seat in seats},
        "oases": spaces(ground.oases),
        "water": _water(position),
        "areas": [
            {
                "seat": ground.seats[area.who],
                "colour": COLOURS[area.colour],
                "spaces": spaces(area.spaces),
                "turn": area.turn,
            }
            for area in position.areas
        ],
        "taken": {
            seat: {"water": position.taken[who], "oases": position.taken[len(seats) + who]} for who, seat in seats
        },
    }


def _water(position: Position) -> dict[str, int]:
    """The waterholes that are left: a space that is no longer free has lost its own."""
    ground = position.ground
    names = ground.grid.names
    one, two, _ = ground.water
    left = ground.grid.each(ground.wet & position.free)
    return {names[bit]: 1 if bit & one else 2 if bit & two else 3 for bit in left}
