"""Who is due, the plies that they may make, and what chance brings.

Several may be due at once; chance is due alone. Whether one ply may be made is for `judge` to say.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.chance import Dealer
from engine.game import CHANCE, Ply, Seat
from engine.nomadi.board import NAMES, START, squares
from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from engine.nomadi.paths import choices
from engine.nomadi.position import ANSWERS, LOOKING, MOVING, OFFERING, OVER, PLACING, THROWING, Position

DICE: Final = 6
SUPPLY: Final = {1: 4, 2: 4, 3: 4, -1: 3, -2: 3}
"""How many desert cards there are of each value."""


def to_act(position: Position) -> tuple[Seat, ...]:
    """Chance, or the player on turn and all who have an offer to answer, in seat order (NO-C5)."""
    if position.phase in (THROWING, LOOKING):
        return (CHANCE,)
    if position.phase == OVER:
        return ()
    due = {card.owner for card in position.open_offers()}
    if position.phase != ANSWERS:
        due.add(position.who)
    return tuple([seat for who, seat in enumerate(position.ground.seats) if who in due])


def legal(position: Position) -> Iterator[Ply]:
    """The plies of everybody who is due. What chance may bring, words and gifts are left out."""
    seat = position.ground.seats[position.who]
    if position.phase == PLACING:
        for square in squares(START & ~position.caravan):
            yield Ply(seat, Place(square))
    elif position.phase == MOVING:
        stuck = True
        for die, origin, target in choices(position):
            stuck = False
            yield Ply(seat, Step(die, NAMES[origin], NAMES[target]))
        if stuck:
            yield Ply(seat, End())
    elif position.phase == OFFERING:
        yield Ply(seat, Offer())
    if position.phase in (MOVING, OFFERING, ANSWERS):
        for card in position.open_offers():
            owner = position.ground.seats[card.owner]
            yield Ply(owner, Take(NAMES[card.square]))
            yield Ply(owner, Leave(NAMES[card.square]))


def forced(position: Position, seat: Seat) -> object:
    """The only ply of the player on turn, where there is but one: mostly the end of a turn whose dice are stuck.

    Dice, stones and open offers are for all to see. Who offers a card may say something, and at a table with deals
    coins can be given before anything else; how many there are may be hidden.
    """
    phase, on_turn = position.phase, position.ground.seats[position.who]
    if seat != on_turn or not (phase == PLACING or (phase == MOVING and not position.ground.deals)):
        return None
    found = [*islice((ply.move for ply in legal(position) if ply.seat == seat), 2)]
    return found[0] if len(found) == 1 else None


def liberties(position: Position) -> Iterator[Ply]:
    """An offer with words, a coin for each other player, and answers before the dice fall."""
    ground = position.ground
    seat = ground.seats[position.who]
    if position.phase == OFFERING:
        yield Ply(seat, Offer("wonderful"))
    if ground.deals and position.phase in (THROWING, LOOKING, MOVING, OFFERING):
        for giver, coins in zip(ground.seats, position.coins, strict=True):
            if coins > 0:
                yield from (Ply(giver, Give(other, 1)) for other in ground.seats if other != giver)
    if position.phase in (THROWING, LOOKING):
        for card in position.open_offers():
            yield Ply(ground.seats[card.owner], Take(NAMES[card.square]))
            yield Ply(ground.seats[card.owner], Leave(NAMES[card.square]))


def deal(position: Position, dealer: Dealer) -> Ply:
    """Throw the dice, or draw the card that is looked at."""
    if position.phase == THROWING:
        return Ply(CHANCE, Dice(tuple([dealer.pick(6, "die") + 1 for _ in range(DICE)])))
    if position.phase == LOOKING:
        left = unseen(position)
        box = [value for value, count in left.items() for _ in range(count)]
        return Ply(CHANCE, Card(NAMES[position.made[-1].target], box[dealer.pick(len(box), "card")]))
    raise ValueError(f"chance is not due while {position.phase}")


def unseen(position: Position) -> dict[int, int]:
    """How many cards of each value nobody has looked at."""
    values = [card.value for card in position.found]
    return {value: count - values.count(value) for value, count in SUPPLY.items()}
