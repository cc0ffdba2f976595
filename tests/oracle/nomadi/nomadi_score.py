"""What a table of Nomadi is worth, and what each may see of it, by the oracle.

Counted from scratch out of coins and cards (rules 23, 30 and 31).
"""

from typing import Any

from tests.oracle.nomadi.nomadi_map import NAME, START, WATERHOLES
from tests.oracle.nomadi.nomadi_table import in_the_start, on_turn, over_the_ravine, phase, to_act, turn


def points(table: Any) -> Any:
    """Points by seat that everybody may know: coins unless they are hidden; after the end cards too."""
    over = phase(table) == "over"
    coins = {seat: 0 if table.coins_hidden and not over else table.coins[seat] for seat in table.seats}
    return {seat: coins[seat] + (worth_of_cards(table, seat) if over else 0) for seat in table.seats}


def worth_of_cards(table: Any, seat: Any) -> Any:
    """23: cards count for their holder; one whose value was never told counts nothing."""
    return sum(table.seen[square][1] or 0 for square, holder in table.holder.items() if holder == seat)


def winners(table: Any) -> Any:
    """30: most points; a tie is shared."""
    if phase(table) != "over":
        return set()
    scores = points(table)
    return {seat for seat in table.seats if scores[seat] == max(scores.values())}


def known_values(table: Any, viewer: Any) -> Any:
    """20, 23: whoever looked at a card or holds it knows its value, after the end everybody."""
    over = phase(table) == "over"
    return {
        square: value
        for square, (looker, value) in table.seen.items()
        if value is not None and (over or viewer in (looker, table.holder.get(square)))
    }


def names(squares: Any) -> Any:
    """Squares by name, as a set."""
    return {NAME[square] for square in squares}


def view(table: Any, viewer: Any) -> Any:
    """The table as one viewer may know it: names instead of squares, sets for what has no order."""
    over = phase(table) == "over"
    return {
        "seats": list(table.seats),
        "to_act": to_act(table),
        "phase": phase(table),
        "turn": turn(table),
        "who": on_turn(table),
        "left": len(table.unplayed),
        "dice": list(table.thrown),
        "unplayed": sorted(table.unplayed),
        "stones": {seat: names(sq for sq, (owner, _) in table.stones.items() if owner == seat) for seat in table.seats},
        "hand": table.hand,
        "steps": [(move.die, move.origin, move.target, move.bend, owner) for move, owner in table.steps],
        "cards": names(table.cards),
        "waterholes": names(WATERHOLES),
        "goal": names(table.goal),
        "start": names(START),
        "coins": {s: n for s, n in table.coins.items() if over or not table.coins_hidden or s == viewer},
        "holds": {seat: list(table.holder.values()).count(seat) for seat in table.seats},
        "held": {NAME[square]: seat for square, seat in table.holder.items()},
        "values": {NAME[square]: value for square, value in known_values(table, viewer).items()},
        "offers": {(NAME[square], *made) for square, made in table.offers.items()},
        "over_ravine": over_the_ravine(table),
        "left_start": 0 if phase(table) == "placing" else len(table.stones) - in_the_start(table),
        "home": table.home,
    }
