"""What the player on turn has left: dice, coins, and where NO-M9 shuts stones out.

It is all of a table but its stones and cards on which the rest of the turn depends, so tables with equal stones and
equal hands are alike, however they came about. Where stones can go is for `stepping`.
"""

from typing import Final, NamedTuple

from engine.nomadi.board import each
from engine.nomadi.position import ANSWERS, OVER, THROWING, Position
from engine.nomadi.roaming import allowed
from engine.nomadi.stepping import left_with

Step = tuple[int, int, int]
"""A die, the square of a stone, and the one to which it is taken."""
NONE: Final[frozenset[Step]] = frozenset()


class Hand(NamedTuple):
    """What is left at one moment."""

    phase: str
    coins: tuple[int, ...]
    """The coins of each player."""
    dice: tuple[int, ...] = ()
    """The dice left, lowest first; none once the turn or the game is over."""
    shut: frozenset[Step] = NONE
    """What NO-M9 forbids, as far as no other rule does: squares that stones left with dice like those that are left."""


def hand_of(position: Position) -> Hand:
    """The hand at a position."""
    if position.phase in (OVER, ANSWERS):
        return Hand(position.phase, position.coins)
    dice = tuple(sorted(position.unplayed))
    back = [
        (die, stone, square)
        for die in set(dice)
        for stone in each(sum({move.target for move in position.made}) & position.caravan)
        for square in each(left_with(position.made, die, stone))
    ]
    return Hand(position.phase, position.coins, dice, _matter(back, dice, position.ground.goal))


def spend(hand: Hand, die: int) -> Hand:
    """The hand without a die: the last of its kind, and whatever stone it moved, if only that is nowhere shut out."""
    at = hand.dice.index(die)
    dice = hand.dice[:at] + hand.dice[at + 1 :]
    if not dice:
        return Hand(THROWING, hand.coins)
    return Hand(hand.phase, hand.coins, dice, frozenset([step for step in hand.shut if step[0] in dice]))


def play(hand: Hand, step: Step, *, goal: int) -> Hand:
    """The hand after a die has moved a stone, before anything is earned by it."""
    die, origin, target = step
    spent = spend(hand, die)
    back = [(value, target if stone == origin else stone, square) for value, stone, square in spent.shut]
    return spent._replace(shut=_matter([*back, (die, target, origin)], spent.dice, goal))


def _matter(back: list[Step], dice: tuple[int, ...], goal: int) -> frozenset[Step]:
    """Of steps back those that only NO-M9 forbids: the die is left, the stone not home, and no zone in the way."""
    return frozenset(
        [
            (die, stone, square)
            for die, stone, square in back
            if die in dice and not stone & goal and square & allowed(stone)
        ]
    )
