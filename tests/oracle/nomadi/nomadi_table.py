"""One table of Nomadi, as the oracle keeps it: what stands and lies where, who owns what, whose turn it is.

Everything is a set or a dictionary keyed by squares and seats. A Table is never changed: whoever plays copies it.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.oracle.nomadi.nomadi_map import BEYOND, PLAIN, PRINTED_GOAL, SQUARE, START, WATERHOLES, four_by_four

SEATS = ("blue", "yellow", "red", "green", "black")
IN_THE_BOX = {"blue": 8, "yellow": 8, "red": 5, "green": 4, "black": 3}
STONES_EACH = {2: 8, 3: 5, 4: 4, 5: 3}
DECK = {1: 4, 2: 4, 3: 4, -1: 3, -2: 3}
"""How many desert cards there are of each value."""
CARDS_ON_PLAIN_SQUARES = sum(DECK.values()) - len(WATERHOLES)


@dataclass(frozen=True)
class Table:
    """One table at one moment. A stone is (owner, number), so that stones of one colour are told apart."""

    seats: tuple[Any, ...]
    goal: set[Any]
    deals: bool
    coins_hidden: bool
    cards: set[Any]  # squares with a card face down
    hand: dict[Any, Any]  # seat -> stones still to place
    coins: dict[Any, Any]  # seat -> coins, negative when owed
    stones: dict[Any, Any] = field(default_factory=dict)  # square -> stone
    turn: int = 1
    mover: int = 0  # whose turn it is, as an index into seats
    thrown: tuple[Any, ...] = ()  # six values, those of a dead throw too
    unplayed: tuple[Any, ...] = ()
    left_from: frozenset[Any] = frozenset()  # this turn: (stone, die, square left with it)
    steps: tuple[Any, ...] = ()  # this turn: (move, owner of the stone)
    looking: tuple[Any, ...] | None = None  # the card just reached, whose value chance has not told
    offering: tuple[Any, ...] | None = None  # the card that the mover must offer
    offers: dict[Any, Any] = field(default_factory=dict)  # open ones: square -> (from, to, words)
    seen: dict[Any, Any] = field(default_factory=dict)  # square -> (who looked, value; None: unknown)
    holder: dict[Any, Any] = field(default_factory=dict)  # square -> whose card it is, once that is settled
    home: int = 0  # stones in the goal


def broken_by_setup(seats: Any, options: Any) -> Any:
    """What is wrong with a set-up, in a word, or None."""
    if not 2 <= len(seats) <= 5 or len(set(seats)) < len(seats) or not set(seats) <= set(SEATS):
        return "seats"
    if any(IN_THE_BOX[seat] < STONES_EACH[len(seats)] for seat in seats):
        return "stones"
    if options.get("Deals", "no") not in ("no", "yes") or options.get("Coins", "open") not in ("open", "hidden"):
        return "variant"
    if goal_of(options) is None:
        return "oasis"
    cards = options.get("Cards", "").split()
    squares = {SQUARE.get(name) for name in cards}
    if len(cards) != CARDS_ON_PLAIN_SQUARES or len(squares) < len(cards):
        return "cards"
    return None if squares <= PLAIN - goal_of(options) else "cards"


def goal_of(options: Any) -> Any:
    """The printed oasis, or the movable one on plain squares beyond the ravine; None when it lies badly."""
    if options.get("Oasis", "printed") == "printed":
        return PRINTED_GOAL
    corner = SQUARE.get(options["Oasis"])
    goal = four_by_four(corner) if corner else {None}
    return goal if goal <= PLAIN & BEYOND else None


def start(seats: Any, options: Any) -> Any:
    """The table before the first stone; the set-up must be sound."""
    fault = broken_by_setup(seats, options)
    if fault is not None:
        raise ValueError(fault)
    return Table(
        seats=tuple(seats),
        goal=goal_of(options),
        deals=options.get("Deals") == "yes",
        coins_hidden=options.get("Coins") == "hidden",
        cards=WATERHOLES | {SQUARE[name] for name in options["Cards"].split()},
        hand=dict.fromkeys(seats, STONES_EACH[len(seats)]),
        coins=dict.fromkeys(seats, 5),
    )


def phase(table: Any) -> Any:
    """What the table is waiting for."""
    if any(table.hand.values()):
        return "placing"
    if table.home == 3:  # rule 29
        return "answers" if table.offers else "over"
    if table.looking:
        return "looking"
    if table.offering:
        return "offering"
    return "moving" if table.unplayed else "throwing"


def turn(table: Any) -> Any:
    """The number of the turn being played, late answers included; after the end, one more than the last."""
    return table.turn + (phase(table) == "over")


def on_turn(table: Any) -> Any:
    """The seat whose turn it is."""
    return table.seats[table.mover]


def to_act(table: Any) -> Any:
    """The seats due, as a set: chance alone, or the mover and whoever has an offer to answer."""
    now = phase(table)
    if now in ("throwing", "looking"):
        return {"*"}
    asked = {to for _, to, _ in table.offers.values()}
    return asked if now in ("answers", "over") else asked | {on_turn(table)}


def unseen(table: Any) -> Any:
    """How many cards of each value nobody has looked at, as far as values were told."""
    told = [value for _, value in table.seen.values()]
    return {value: count - told.count(value) for value, count in DECK.items()}


def over_the_ravine(table: Any) -> Any:
    """How many stones stand on the far side."""
    return len(table.stones.keys() & BEYOND)


def in_the_start(table: Any) -> Any:
    """How many stones have not left the start zone."""
    return len(table.stones.keys() & START)
