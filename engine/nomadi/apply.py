"""What a legal ply does to the table: the only place that knows the effect of a move."""

from engine.game import Ply
from engine.nomadi.board import BITS
from engine.nomadi.caravan import HOME, earned
from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from engine.nomadi.paths import can_play
from engine.nomadi.position import (
    ANSWERS,
    LOOKING,
    MOVING,
    NOBODY,
    OFFERING,
    OVER,
    PLACING,
    THROWING,
    Found,
    Made,
    Position,
)


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    seat, move = ply
    match move:
        case Step():
            return _step(position, move)
        case Dice(values):
            return _throw(position, values)
        case Card(square, value):
            return _look(position, BITS[square], value)
        case Offer(words):
            *others, card = position.found
            offered = position._replace(found=(*others, card._replace(words=words)))
            return _go_on(offered)
        case Take(square):
            return _answer(position, seat, square, accepts=True)
        case Leave(square):
            return _answer(position, seat, square, accepts=False)
        case Place(square):
            return _place(position, BITS[square])
        case Give(other, coins):
            seats = position.ground.seats
            return _pay(_pay(position, seats.index(seat), -coins), seats.index(other), coins)
        case End():
            return _next_turn(_pay(position, position.who, -len(position.unplayed)))  # NO-D4
    raise ValueError(f"{move} is no move of Nomadi")


def _place(position: Position, bit: int) -> Position:
    who = position.who
    stones = tuple([own | bit if player == who else own for player, own in enumerate(position.stones)])
    after = _next_turn(position._replace(stones=stones))
    every = position.ground.each * len(stones)
    return after if sum(stones).bit_count() == every else after._replace(phase=PLACING)


def _throw(position: Position, values: tuple[int, ...]) -> Position:
    thrown = position._replace(dice=values, unplayed=values, phase=MOVING)
    # NO-D5: a throw that allows no move is thrown again.
    playable = can_play(position.caravan, values, goal=position.ground.goal)
    return thrown if playable else thrown._replace(unplayed=(), phase=THROWING)


def _step(position: Position, move: Step) -> Position:
    """Move the stone, then settle what it is paid for."""
    origin, target = BITS[move.origin], BITS[move.target]
    owner, mover, goal = position.owner_at(origin), position.who, position.ground.goal
    before = position.caravan
    after = before ^ origin ^ target
    stones, coins = list(position.stones), list(position.coins)
    stones[owner] ^= origin ^ target
    to_mover, to_owner = earned(before, origin, target, goal=goal, cards=position.cards)
    coins[mover] += to_mover
    coins[owner] += to_owner
    unplayed = list(position.unplayed)
    unplayed.remove(move.die)
    made = (*position.made, Made(move.die, origin, target, move.bend, owner))
    phase = LOOKING if target & position.cards else MOVING
    moved = position._replace(
        phase=phase, stones=tuple(stones), coins=tuple(coins), unplayed=tuple(unplayed), made=made
    )
    if (after & goal).bit_count() == len(HOME):
        return _close(moved)
    return moved if unplayed or phase == LOOKING else _next_turn(moved)


def _look(position: Position, bit: int, value: int | None) -> Position:
    finder, owner = position.who, position.made[-1].owner
    holder = finder if owner == finder else NOBODY
    found = (*position.found, Found(bit, value, finder, owner, holder))
    looked = position._replace(cards=position.cards ^ bit, found=found)
    return _go_on(looked) if owner == finder else looked._replace(phase=OFFERING)


def _answer(position: Position, seat: str, square: str | None, *, accepts: bool) -> Position:
    who = position.ground.seats.index(seat)
    asked = next(
        card for card in position.open_offers() if card.owner == who and (square is None or BITS[square] == card.square)
    )
    answered = asked._replace(holder=who if accepts else asked.finder)
    found = tuple([answered if card is asked else card for card in position.found])
    after = position._replace(found=found)
    return _close(after) if position.phase == ANSWERS else after


def _go_on(position: Position) -> Position:
    """After a die is settled: the next one, or the next player."""
    return position._replace(phase=MOVING) if position.unplayed else _next_turn(position)


def _next_turn(position: Position) -> Position:
    who = (position.who + 1) % len(position.stones)
    return position._replace(phase=THROWING, turn=position.turn + 1, who=who, dice=(), unplayed=(), made=())


def _close(position: Position) -> Position:
    """Three stones are home: the game is over, unless offers are still open (NO-G3, NO-C5)."""
    if position.open_offers():
        return position._replace(phase=ANSWERS)
    return position._replace(phase=OVER, turn=position.turn + 1)


def _pay(position: Position, who: int, coins: int) -> Position:
    """Add coins to a player's, or take some away; debts are allowed (NO-D6)."""
    return position._replace(
        coins=tuple([own + coins if player == who else own for player, own in enumerate(position.coins)])
    )
