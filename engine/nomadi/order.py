"""Whose move it is: several may be due at once, and chance is due alone."""

from engine.game import CHANCE, Seat
from engine.nomadi.position import ANSWERS, LOOKING, OVER, THROWING, Position


def to_act(position: Position) -> tuple[Seat, ...]:
    """Chance, or whoever is on turn and all who have an offer to answer, in seat order (NO-C5)."""
    if position.phase in (THROWING, LOOKING):
        return (CHANCE,)
    if position.phase == OVER:
        return ()
    due = {card.owner for card in position.open_offers()}
    if position.phase != ANSWERS:
        due.add(position.who)
    return tuple([seat for who, seat in enumerate(position.ground.seats) if who in due])
