"""How well a seat seems to stand, for sample games: a simple player's eye, and no rule."""

from engine.brotherhood.hands import size, unpack
from engine.brotherhood.position import Position
from engine.brotherhood.table import Table
from engine.game import Seat

_POINT = 40
"""What a victory point weighs beside what leads to one."""
_CARD = 12
"""A development card."""

_WAYS = (0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1)
"""In how many of 36 rolls a number comes up."""


def prospect(position: Position, seat: Seat) -> int:
    """Points first; then what production, roads, cards and a mixed hand promise."""
    who = position.ground.place[seat]
    settlements, keeps = position.settlements[who], position.keeps[who]
    harvest = 0
    for ways, yields in zip(_WAYS, position.ground.yields, strict=True):
        for hex_ in yields:
            corners = hex_.corners
            harvest += ways * ((settlements & corners).bit_count() + 2 * (keeps & corners).bit_count())
    kinds = sum(map(bool, unpack(position.hands[who])))
    cards = size(position.cards[who]) + position.patrols[who]
    return _POINT * Table(position).points(who) + harvest + 2 * position.lengths[who] + _CARD * cards + kinds
