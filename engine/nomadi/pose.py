"""A position of Nomadi that is stated: stones, coins and cards of each seat, which turn it is, and the dice to play.

All stones stand. Where one stands the desert card is gone; a card that nobody states to hold is out of the game.
"""

from typing import Final

from engine.nomadi.board import BITS, squares
from engine.nomadi.caravan import HOME, parts
from engine.nomadi.legal import DICE, unseen
from engine.nomadi.position import MOVING, THROWING, Found, Position
from engine.pose import LATEST, TABLE, Clauses, Misplaced, Stated, read_clauses

_TABLE: Final = ("turn", "dice")
_SEAT: Final = ("stones", "coins", "debt", "cards")
MOST: Final = 200
"""The most coins, or debts, that can be stated."""


def pose(position: Position, stated: Stated) -> Position | Misplaced:
    """The position with what the table and each seat state."""
    seats = position.ground.seats
    table = read_clauses(stated, TABLE, _TABLE)
    if isinstance(table, Misplaced):
        return table
    first = position.ground.each * len(seats) + 1
    turn = table.number("turn", first, range(first, LATEST + 1))
    if isinstance(turn, Misplaced):
        return turn
    dice = table.words("dice")
    if len(dice) > DICE or any(die not in ("1", "2", "3", "4", "5", "6") for die in dice):
        return table.misplaced("at most six dice are left to play, of 1 to 6")
    stones, coins = list(position.stones), list(position.coins)
    found: list[Found] = []
    for who, seat in enumerate(seats):
        clauses = read_clauses(stated, seat, _SEAT)
        if isinstance(clauses, Misplaced):
            return clauses
        wrong = _place(position, who, clauses, stones) or _hand(position, who, clauses, coins, found)
        if wrong is not None:
            return wrong
    caravan = sum(stones)
    if len([*parts(caravan)]) > 1:
        return Misplaced("the stones do not hang together")
    if (caravan & position.ground.goal).bit_count() >= len(HOME):
        return Misplaced("three stones are home, so the game is over")
    values = tuple(map(int, dice))
    posed = position._replace(
        phase=MOVING if values else THROWING,
        turn=turn,
        who=(turn - 1) % len(seats),
        stones=tuple(stones),
        coins=tuple(coins),
        cards=position.cards & ~(caravan | sum(card.square for card in found)),
        dice=values,
        unplayed=values,
        found=tuple(found),
    )
    if odd := [value for value, left in unseen(posed).items() if left < 0]:
        return Misplaced("there are not so many cards of {value}", {"value": f"{odd[0]:+}"})
    return posed


def _place(position: Position, who: int, clauses: Clauses, stones: list[int]) -> Misplaced | None:
    """Put a seat's stones on the board."""
    for square in clauses.words("stones"):
        bit = BITS.get(square, 0)
        if not bit or bit & sum(stones):
            return clauses.misplaced("no stone can stand at {square}", {"square": square})
        stones[who] |= bit
    count, each = stones[who].bit_count(), position.ground.each
    if count != each:
        facts = {"count": count, "each": each}
        return clauses.misplaced("every player has {each} stones, not {count}", facts)
    return None


def _hand(position: Position, who: int, clauses: Clauses, coins: list[int], found: list[Found]) -> Misplaced | None:
    """The coins and the cards of a seat: cards by the square where they were found, and their value."""
    owned = clauses.number("coins", coins[who], range(MOST + 1))
    owed = clauses.number("debt", 0, range(MOST + 1))
    if isinstance(owned, Misplaced):
        return owned
    if isinstance(owed, Misplaced):
        return owed
    coins[who] = -owed or owned
    for card in clauses.words("cards"):
        square, _, value = card.partition("=")
        bit = BITS.get(square, 0) & position.ground.cards
        if not bit or value not in ("+1", "+2", "+3", "-1", "-2") or any(each.square == bit for each in found):
            facts = {"card": card, "squares": " ".join(squares(position.ground.cards))}
            return clauses.misplaced("{card} is not a card of this desert; write K17=+2, of {squares}", facts)
        found.append(Found(bit, int(value), who, who, who))
    return None
