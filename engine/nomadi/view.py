"""The table as plain data, to be drawn, mailed or hashed, and moves as others may read them.

A card's value is known to the player who looked at it and to the one who holds it, and to all when the game is over;
coins are known to all unless the table hides them. The state digest is taken of the public view: what is written here,
and how, is part of the record format and changes only with a new edition.
"""

from dataclasses import replace
from functools import cache

from engine.game import Ply, Seat, View
from engine.nomadi.board import FAR, NAMES, START, WATERHOLES, squares
from engine.nomadi.legal import to_act
from engine.nomadi.moves import Card
from engine.nomadi.position import OVER, PLACING, Found, Position


def view(position: Position, viewer: Seat) -> View:
    """What a viewer may know."""
    ground = position.ground
    seats = ground.seats
    places = list(enumerate(seats))
    is_over = position.phase == OVER
    caravan = position.caravan
    return {
        "seats": list(seats),
        "to_act": list(to_act(position)),
        "phase": position.phase,
        "turn": position.turn,
        "who": seats[position.who],
        "left": len(position.unplayed),
        "stones": {seat: squares(position.stones[who]) for who, seat in places},
        "hand": {
            seat: ground.each - position.stones[who].bit_count() if position.phase == PLACING else 0
            for who, seat in places
        },
        "dice": list(position.dice),
        "unplayed": list(position.unplayed),
        "steps": [
            {
                "die": made.die,
                "origin": NAMES[made.origin],
                "target": NAMES[made.target],
                "bend": made.bend,
                "seat": seats[made.owner],
            }
            for made in position.made
        ],
        "cards": squares(position.cards),
        "waterholes": list(_zone(WATERHOLES)),
        "goal": list(_zone(ground.goal)),
        "start": list(_zone(START)),
        "coins": {
            seat: position.coins[who] for who, seat in places if is_over or not ground.hidden_coins or seat == viewer
        },
        "holds": {seat: sum(card.holder == who for card in position.found) for who, seat in places},
        "held": {NAMES[card.square]: seats[card.holder] for card in position.found if not card.is_open},
        "values": {NAMES[card.square]: card.value for card in position.found if _knows(position, viewer, card)},
        "offers": [
            {
                "square": NAMES[card.square],
                "from": seats[card.finder],
                "to": seats[card.owner],
                "words": card.words,
            }
            for card in position.open_offers()
        ],
        "over_ravine": (caravan & FAR).bit_count(),
        "home": (caravan & ground.goal).bit_count(),
        "left_start": 0 if position.phase == PLACING else (caravan & ~START).bit_count(),
    }


@cache
def _zone(mask: int) -> tuple[str, ...]:
    """The squares of a part of the board that never changes."""
    return tuple(squares(mask))


def _knows(position: Position, viewer: Seat, card: Found) -> bool:
    """Whether a viewer knows the value of a card that was looked at (NO-C6)."""
    if card.value is None:
        return False
    if position.phase == OVER:
        return True
    seats = position.ground.seats
    return viewer == seats[card.finder] or (not card.is_open and viewer == seats[card.holder])


def told(position: Position, ply: Ply, viewer: Seat) -> object:
    """A move as a viewer may read it: only the player on turn reads the value of a card."""
    if isinstance(ply.move, Card) and viewer != position.ground.seats[position.who]:
        return replace(ply.move, value=None)
    return ply.move
