"""What someone might send by mistake in a game of Nomadi: often nearly right, sometimes nonsense.

It knows the oracle's tables only; whether a slip happens to be legal is for others.
"""

from typing import Any

from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from tests.oracle.nomadi.nomadi_map import NAME, SQUARE, WATERHOLES, beside, ways
from tests.oracle.nomadi.nomadi_table import SEATS, on_turn, to_act

STRANGE_SQUARES = ("A0", "A20", "Q1", "a1", "A01", "", "F12 ", "\uff21\uff11", "12F", "AA1", "A-1")


def strange_square(random: Any, table: Any) -> Any:
    """Any square, one where a stone stands, one beside a stone, or no square at all."""
    kind = random.random()
    stones = sorted(table.stones)
    if stones and kind < 0.4:
        return NAME[random.choice(stones)]
    if stones and kind < 0.7:
        return NAME.get(random.choice(sorted(beside(random.choice(stones)))), "Q20")
    if kind < 0.8:
        return NAME[random.choice(sorted(WATERHOLES | table.cards))]
    return random.choice(sorted(SQUARE)) if kind < 0.96 else random.choice(STRANGE_SQUARES)


def strange_ply(random: Any, table: Any) -> Any:
    """A ply that someone might send: often nearly right, sometimes nonsense."""
    due = sorted(to_act(table)) or list(table.seats)
    seat = random.choice(due) if random.random() < 0.85 else random.choice((*SEATS, "*", "public", "nobody", ""))
    if table.unplayed and not table.looking and random.random() < 0.75:
        return on_turn(table) if random.random() < 0.95 else seat, strange_step(random, table)
    square = strange_square(random, table)
    offered = sorted(table.offers) or [table.looking or (1, 1)]
    waiting = NAME[random.choice(offered)] if random.random() < 0.8 else None
    card = Card(random.choice((square, waiting, waiting)) or "A1", random.choice((1, 2, 3, -1, -2, None, 0, 4)))
    if table.looking and random.random() < 0.5:
        return seat, card
    moves = (
        Place(square),
        Dice(tuple(random.randint(1, 6 + (random.random() < 0.05)) for _ in range(random.choice((6, 6, 6, 5, 7))))),
        *(card, Offer(), Offer("it is a fine one"), End()),
        *(Take(square), Leave(square), Take(waiting), Leave(waiting)),
        *(Give(random.choice((*SEATS, "nobody")), random.randint(-1, 12)) for _ in range(2)),
    )
    return seat, random.choice(moves)


def strange_step(random: Any, table: Any) -> Any:
    """A step: often one that only some finer rule forbids."""
    dice = table.unplayed if table.unplayed and random.random() < 0.95 else (0, 1, 2, 3, 4, 5, 6, 7)
    die = random.choice(dice)
    kind = random.random()
    if table.left_from and kind < 0.15:
        return step_back(random, table)
    if kind < 0.2 or die not in range(1, 7):
        return Step(die, strange_square(random, table), strange_square(random, table))
    origin = random.choice(sorted(table.stones))
    reach = ways(origin, die)
    clear = [way for way in reach if table.stones.keys() >= set(way[0])]
    _, target, bend = random.choice(clear if clear and random.random() < 0.8 else reach)
    if kind < 0.5:
        return Step(die, NAME[origin], NAME[target], NAME.get(bend))
    return Step(die, NAME[origin], NAME[target], strange_square(random, table) if kind < 0.6 else None)


def step_back(random: Any, table: Any) -> Any:
    """A stone goes back to where it came from in this turn."""
    stone, die, square = random.choice(sorted(table.left_from))
    origin = next(origin for origin, other in table.stones.items() if other == stone)
    return Step(die, NAME[origin], NAME[square])
