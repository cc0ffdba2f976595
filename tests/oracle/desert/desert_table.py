"""One table of Through the Desert, as the oracle keeps it: what lies where, and whose turn it is.

Everything is a set or a dictionary keyed by names. A Table is never changed: whoever plays copies it.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.desert import desert_map

SEATS = ("red", "blue", "green", "orange", "cerise")
COLOURS = ("lilac", "mint", "lemon", "green", "salmon")


@dataclass(frozen=True)
class Table:
    """One table at one moment."""

    seats: tuple[Any, ...]
    spaces: set[Any]
    beside: dict[Any, Any]
    oases: set[Any]
    water: dict[Any, Any]
    herds: dict[Any, Any]
    hand: dict[Any, Any]  # seat -> colours of leaders not placed
    removed: dict[Any, Any] = field(default_factory=dict)  # seat -> colour
    leaders: dict[Any, Any] = field(default_factory=dict)  # (seat, colour) -> space
    camels: dict[Any, Any] = field(default_factory=dict)  # space -> (seat, colour), leaders included
    areas: tuple[Any, ...] = ()  # (seat, colour, spaces, turn)
    earned: frozenset[Any] = frozenset()  # (seat, colour, oasis)
    drunk: dict[Any, Any] = field(default_factory=dict)  # seat -> points of waterholes taken
    turn: int = 1
    mover: int = 0  # whose turn it is, as an index into seats
    camel_turns: int = 0  # how many turns of camels are finished
    placed: int = 0  # camels placed in this turn
    finished: tuple[Any, ...] | None = None  # the turn of camels just finished: (seat, camels allowed)
    over: bool = False


# -- Set-up


def broken_by_setup(seats: Any, options: Any) -> Any:
    """The code of the rule that a set-up breaks, or None."""
    if not 2 <= len(seats) <= 5 or len(set(seats)) < len(seats) or not set(seats) <= set(SEATS):
        return "TD-P1"
    if options.get("Board", "standard") != "standard":
        return "TD-P6"
    players = len(seats)
    if options.get("Herds", str(herd_size(players))) not in herd_choices(players):
        return "TD-P3"
    oases = options.get("Oases", "").split()
    if len(oases) != 5 or len(set(oases)) != 5 or not set(oases) <= desert_map.palms(players):
        return "TD-P4"
    holes = [hole.partition("=") for hole in options.get("Water", "").split()]
    spaces, values = [hole[0] for hole in holes], [hole[2] for hole in holes]
    if len(spaces) != len(set(spaces)) or set(spaces) != waterhole_spaces(players, set(oases)):
        return "TD-P5"
    if not set(values) <= {"1", "2", "3"} or max(Counter(values).values()) > 15:
        return "TD-P5"
    return None


def herd_size(players: Any) -> Any:
    """TD-P3: 34 camels less a leader for each player, less ten or five more with two or three players."""
    return 34 - players - {2: 10, 3: 5}.get(players, 0)


def herd_choices(players: Any) -> Any:
    """TD-P3: with five players the camels of the removed leaders may return."""
    return {str(herd_size(players))} | ({"30"} if players == 5 else set())


def waterhole_spaces(players: Any, oases: Any) -> Any:
    """TD-P5: the dots in play and the palm spaces in play without an oasis."""
    return desert_map.dots(players) | (desert_map.palms(players) - oases)


def start(seats: Any, options: Any) -> Any:
    """The table before the first ply; the set-up must be sound."""
    fault = broken_by_setup(seats, options)
    if fault is not None:
        raise ValueError(fault)
    spaces = desert_map.in_play(len(seats))
    herd = int(options.get("Herds", herd_size(len(seats))))
    holes = (hole.split("=") for hole in options["Water"].split())
    return Table(
        seats=tuple(seats),
        spaces=spaces,
        beside=desert_map.neighbourhood(spaces),
        oases=set(options["Oases"].split()),
        water={space: int(value) for space, value in holes},
        herds=dict.fromkeys(COLOURS, herd),
        hand={seat: set(COLOURS) for seat in seats},  # TD-P2
        drunk=dict.fromkeys(seats, 0),
    )


# -- Whose turn


def phase(table: Any) -> Any:
    """Where the game stands: removal, leaders, camels or over."""
    if table.over:
        return "over"
    if len(table.seats) == 5 and len(table.removed) < 5:
        return "removal"
    return "leaders" if any(table.hand.values()) else "camels"


def to_act(table: Any) -> Any:
    """The seats due: one, or none when the game is over."""
    return () if table.over else (table.seats[table.mover],)


def turn(table: Any) -> Any:
    """The number of the turn being played; after the end, one more than the last."""
    return table.turn


def camels_allowed(table: Any) -> Any:
    """TD-T1, TD-T2: two a turn, one for the first two players (of two players, the first) to begin with."""
    short_turns = 1 if len(table.seats) == 2 else 2
    return 1 if table.camel_turns < short_turns else 2


def camels_left(table: Any) -> Any:
    """How many camels the turn still holds."""
    return camels_allowed(table) - table.placed if phase(table) == "camels" else 0


# -- What stands on the board


def caravan(table: Any, seat: Any, colour: Any) -> Any:
    """The spaces of one caravan, the leader's included."""
    return {space for space, owner in table.camels.items() if owner == (seat, colour)}


def enclosed(table: Any) -> Any:
    """All spaces inside enclosed areas."""
    return set().union(*(spaces for _, _, spaces, _ in table.areas))
