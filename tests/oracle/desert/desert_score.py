"""What a table is worth and what everybody sees of it, by the oracle.

Counted from scratch out of the names on the board (TD-S1 to TD-S6).
"""

from typing import Any

from tests.oracle.desert import desert_map
from tests.oracle.desert.desert_table import COLOURS, camels_left, caravan, phase, to_act


def score(table: Any) -> Any:
    """Points so far by seat and source; caravans are measured when the game is over."""
    points = {
        seat: {"water": table.drunk[seat], "oases": oasis_points(table, seat), "areas": 0, "caravans": 0}
        for seat in table.seats
    }
    for seat, _, spaces, _ in table.areas:  # TD-S3
        points[seat]["areas"] += len(spaces - table.oases)
    for colour in COLOURS if table.over else ():  # TD-S2
        longest = longest_caravans(table, colour)
        for seat in longest:
            points[seat]["caravans"] += 10 if len(longest) == 1 else 5
    return points


def oasis_points(table: Any, seat: Any) -> Any:
    """TD-O1, TD-S4: five for each oasis and caravan."""
    return 5 * sum(1 for owner, _, _ in table.earned if owner == seat)


def longest_caravans(table: Any, colour: Any) -> Any:
    """The seats whose caravan of a colour has most camels; nobody before the first leader of it stands."""
    sizes = {seat: len(caravan(table, seat, colour)) for seat in table.seats}
    most = max(sizes.values())
    return [seat for seat in table.seats if most and sizes[seat] == most]


def winners(table: Any) -> Any:
    """TD-S5: the seats with most points, once the game is over."""
    if not table.over:
        return ()
    totals = {seat: sum(sources.values()) for seat, sources in score(table).items()}
    return tuple(seat for seat in table.seats if totals[seat] == max(totals.values()))


# -- What everybody sees


def view(table: Any) -> Any:
    """The table as plain data."""
    put = desert_map.sort_spaces
    return {
        "board": "standard",
        "seats": list(table.seats),
        "phase": phase(table),
        "turn": table.turn,
        "to_act": list(to_act(table)),
        "left": camels_left(table),
        "herds": dict(table.herds),
        "hand": {seat: [colour for colour in COLOURS if colour in table.hand[seat]] for seat in table.seats},
        "removed": dict(table.removed),
        "leaders": {
            seat: {colour: space for (owner, colour), space in table.leaders.items() if owner == seat}
            for seat in table.seats
        },
        "camels": {
            seat: {colour: put(caravan(table, seat, colour)) for owner, colour in table.leaders if owner == seat}
            for seat in table.seats
        },
        "oases": put(table.oases),
        "water": dict(table.water),
        "areas": [
            {"seat": seat, "colour": colour, "spaces": put(spaces), "turn": number}
            for seat, colour, spaces, number in table.areas
        ],
        "taken": {seat: {"water": table.drunk[seat], "oases": oasis_points(table, seat)} for seat in table.seats},
    }
