"""Points, and where they come from (NO-S1, NO-C6, NO-D6, NO-S2).

Coins are points as they come and go, and so are debts; cards are added when the game is over, and so are coins that the
table hides. `prospect` estimates how well a seat stands, by coins and by how far the caravan still has to go; it is for
sample games, not a rule.
"""

from collections.abc import Mapping
from functools import cache

from engine.game import Ply, Seat
from engine.nomadi.board import BITS, FAR, each, place, squares
from engine.nomadi.caravan import rewards
from engine.nomadi.moves import Card, End, Leave, Step, Take
from engine.nomadi.position import OVER, Position
from engine.score import Earning, Line, Score, Tally, tens


def score(position: Position) -> Score:
    """The points of every seat; winners once the game is over, several if they are level."""
    is_over = position.phase == OVER
    seats = position.ground.seats
    tallies = tuple([Tally(seat, tuple(_lines(position, who))) for who, seat in enumerate(seats)])
    most = max(tally.total for tally in tallies)
    winners = tuple([tally.seat for tally in tallies if is_over and tally.total == most])
    hidden = {card.holder for card in position.found if card.value is None} if is_over else set()
    untold = tuple([seat for who, seat in enumerate(seats) if who in hidden])
    return Score(tallies, winners, untold, hidden=seats if position.ground.hidden_coins and not is_over else ())


def _lines(position: Position, who: int) -> list[Line]:
    lines = []
    is_over = position.phase == OVER
    if is_over or not position.ground.hidden_coins:
        lines.append(_coins(position.coins[who]))
    if is_over:
        lines.append(_cards([card.value for card in position.found if card.holder == who]))
    return lines


def _coins(coins: int) -> Line:
    if coins < 0:
        return Line("coins", "NO-D6", coins, "owed to the bank: {owed}", {"owed": -coins})
    return Line("coins", "NO-S1", coins, "{coins} in the purse", {"coins": coins})


def _cards(values: list[int | None]) -> Line:
    """The cards of one player. A value that the record does not tell counts nothing."""
    told = [value for value in values if value is not None]
    facts = {"count": len(values), "values": " ".join(f"{value:+}" for value in told)}
    says = "held at the end: {values}" if told else "held at the end: {count}"
    return Line("cards", "NO-C6", sum(told), says, facts)


def earnings(position: Position, ply: Ply) -> tuple[Earning, ...]:
    """What a move pays its player and the stone's owner, thing by thing, and what unused dice cost."""
    seats, move = position.ground.seats, ply.move
    if isinstance(move, End):
        left = len(position.unplayed)
        return (Earning(ply.seat, "coins", "unused", -left),) if left else ()
    if not isinstance(move, Step):
        return ()
    origin, target = BITS[move.origin], BITS[move.target]
    owner = seats[position.owner_at(origin)]
    goal, cards = position.ground.goal, position.cards
    paid: dict[tuple[Seat, str], int] = {}
    for reward in rewards(position.caravan, origin, target, goal=goal, cards=cards):
        for seat, coins in ((ply.seat, reward.mover), (owner, reward.owner)):
            paid[seat, reward.reason] = paid.get((seat, reward.reason), 0) + coins
    return tuple([Earning(seat, "coins", reason, coins) for (seat, reason), coins in paid.items() if coins])


COIN = 12
"""Steps of the caravan that a coin is worth."""


def prospect(position: Position, seat: Seat) -> int:
    """How well a seat seems to stand: the whole caravan must come home, and the seat's own stones a little sooner."""
    who, goal = position.ground.seats.index(seat), position.ground.goal
    way = sum(
        _way(bit, goal) * (3 if owner == who else 2) for owner, own in enumerate(position.stones) for bit in each(own)
    )
    return COIN * position.coins[who] - way


@cache
def _way(bit: int, goal: int) -> int:
    """Steps from a square to the nearest square of the goal, along rows and columns."""
    (square,) = squares(bit)
    column, row = place(square)
    return min(abs(column - across) + abs(row - down) for across, down in map(place, squares(goal)))


def traits(before: Position, ply: Ply, after: Position) -> Mapping[str, str]:
    """When the ravine was crossed and the first card was looked at, and what became of the first offer."""
    if isinstance(ply.move, Take | Leave):
        return {"first offer": "taken" if isinstance(ply.move, Take) else "declined"}
    if isinstance(ply.move, Card):
        return {"first card": tens(before.turn)}
    crossed = after.caravan & FAR and not before.caravan & FAR
    return {"ravine crossed": tens(before.turn)} if crossed else {}
