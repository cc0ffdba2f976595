"""What a ply does to the oracle's table: stones, coins and cards, as the digest tells it.

It takes every ply for legal and refuses to ask.
"""

from dataclasses import replace
from typing import Any

from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from tests.oracle.nomadi.nomadi_map import SQUARE, WATERHOLES
from tests.oracle.nomadi.nomadi_oracle import steps
from tests.oracle.nomadi.nomadi_table import in_the_start, on_turn, over_the_ravine


def apply(table: Any, ply: Any) -> Any:
    """The table after a legal ply."""
    seat, move = ply
    match move:
        case Place():
            return place(table, seat, SQUARE[move.square])
        case Dice():
            thrown = replace(table, thrown=tuple(move.values), unplayed=tuple(move.values))
            return thrown if any(steps(thrown)) else replace(thrown, unplayed=())  # 15: throw again, for nothing
        case Step():
            return after_a_die(step(table, move))
        case Card():
            return after_a_die(look(table, SQUARE[move.square], move.value))
        case Offer():
            return after_a_die(offer(table, move.words))
        case Take() | Leave():
            return answer(table, seat, move)
        case End():
            return next_turn(pay(table, seat, -len(table.unplayed)))  # 14
        case Give():
            return pay(pay(table, seat, -move.coins), move.seat, move.coins)
    raise ValueError(move)


def pay(table: Any, seat: Any, coins: Any) -> Any:
    """Coins from the bank, or to it; who has too few owes them (16)."""
    return replace(table, coins={**table.coins, seat: table.coins[seat] + coins})


def next_turn(table: Any) -> Any:
    """The turn passes on; the dice and what was done with them are forgotten."""
    mover = (table.mover + 1) % len(table.seats)
    return replace(table, turn=table.turn + 1, mover=mover, thrown=(), unplayed=(), left_from=frozenset(), steps=())


def after_a_die(table: Any) -> Any:
    """A turn ends by itself when all dice are played and no card is being looked at or offered."""
    busy = table.unplayed or table.looking or table.offering or table.home == 3
    return table if busy else next_turn(table)


def place(table: Any, seat: Any, square: Any) -> Any:
    """3: one stone each, in turn."""
    left = table.hand[seat] - 1
    stones = {**table.stones, square: (seat, left)}
    return next_turn(replace(table, stones=stones, hand={**table.hand, seat: left}))


def step(table: Any, move: Any) -> Any:
    """4: one die played with one stone, and all that this brings at once."""
    die, origin, target = move.die, SQUARE[move.origin], SQUARE[move.target]
    mover, stone = on_turn(table), table.stones[origin]
    owner = stone[0]
    stones = {square: other for square, other in table.stones.items() if square != origin}
    unplayed = list(table.unplayed)
    unplayed.remove(die)
    before, table = (
        table,
        replace(
            table,
            stones={**stones, target: stone},
            unplayed=tuple(unplayed),
            left_from=table.left_from | {(stone, die, origin)},
            steps=(*table.steps, (move, owner)),
        ),
    )
    if in_the_start(before) and not in_the_start(table):
        table = pay(table, owner, 5)  # 18
    if not over_the_ravine(before) and over_the_ravine(table):
        table = pay(table, mover, 5)  # 25
    if over_the_ravine(before) < len(stones) + 1 == over_the_ravine(table):
        table = pay(table, mover, -5)  # 27
    if target in table.goal:
        half = (8, 6, 4)[table.home] // 2
        table = pay(pay(table, mover, half), owner, half)  # 28
        table = replace(table, home=table.home + 1)
    if target in table.cards:
        table = pay(table, mover, 2 if target in WATERHOLES else 1)  # 22
        table = replace(table, looking=target)  # 19
    return table


def look(table: Any, square: Any, value: Any) -> Any:
    """20: the mover looks; with his own stone he takes the card, with another's he must offer it."""
    mover = on_turn(table)
    seen = {**table.seen, square: (mover, value)}
    table = replace(table, cards=table.cards - {square}, looking=None, seen=seen)
    if table.stones[square][0] != mover:
        return replace(table, offering=square)
    return replace(table, holder={**table.holder, square: mover})


def offer(table: Any, words: Any) -> Any:
    """20: the offer goes to the stone's owner."""
    square = table.offering
    made = {square: (on_turn(table), table.stones[square][0], words)}
    return replace(table, offering=None, offers={**table.offers, **made})


def answer(table: Any, seat: Any, move: Any) -> Any:
    """20: who takes the card holds it; otherwise it stays with the one who offered it."""
    mine = [square for square, (_, to, _) in table.offers.items() if to == seat]
    square = SQUARE[move.square] if move.square else mine[0]
    offers = {other: made for other, made in table.offers.items() if other != square}
    holder = seat if isinstance(move, Take) else table.offers[square][0]
    return replace(table, offers=offers, holder={**table.holder, square: holder})
