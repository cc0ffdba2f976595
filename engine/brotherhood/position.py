"""One table at one moment, of either game; frozen, small, made of integers.

A Ground never changes during a game; a Position is what does. Players are known by their place at the table, 0 to 3,
hexes by their index on the chart, intersections and paths as bits of masks, cards as in `hands`. What the Night's Watch
adds is in `watch`, which is None in the base game. How a position changes is for `table.WorkingPosition`.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.brotherhood.board import BoardLayout, Chart
from engine.game import Seat

if TYPE_CHECKING:
    from engine.brotherhood.law import Law
    from engine.brotherhood.wall_state import Watch

# The stages of a turn, and what may come between them. Stages of the Watch are named in `wall*` and `hero*`.

SETTLE: Final = "settle"
"""Set-up: a settlement is placed."""
PAVE: Final = "pave"
"""Set-up: its road is placed."""
ROLL: Final = "roll"
"""A turn has begun; the dice have not been rolled."""
TRADE: Final = "trade"
BUILD: Final = "build"
"""Trading is over. With free phases this stage does not occur."""
OVER: Final = "over"

DICE: Final = "dice"
"""Chance rolls."""
DISCARD: Final = "discard"
"""Everybody with more than seven cards gives half of them back."""
TORMUND: Final = "tormund"
"""The player on turn moves Tormund after a seven."""
STEAL: Final = "steal"
"""Chance picks the stolen card."""
DRAW: Final = "draw"
"""Chance draws the card that was bought."""
PATROL: Final = "patrol"
"""A Ranger has done its work: Largest Patrol is compared. No seat is asked."""

NOBODY: Final = -1
CAMP: Final = -1
"""Where Tormund is when he stands on no hex: in his camp north of the Wall."""


class TradeOffer(NamedTuple):
    """An open offer: cards given and taken by its maker, and who has not answered yet, as bits of places."""

    give: int
    take: int
    to: int


class Yield(NamedTuple):
    """A hex that a roll makes produce."""

    hex: int
    corners: int
    kind: int
    """The resource."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What never changes during one game: the table, the board laid, and what was agreed."""

    key: str
    """The game: ``brotherhood-base`` or ``brotherhood``."""
    seats: tuple[Seat, ...]
    land: str
    """As in the header of this name."""
    routes: tuple[str, ...]
    """The resources of the 2:1 routes from west to east."""
    first: int
    free: bool
    """Whether trading and building may alternate (BB-O3)."""
    placements: int
    """Turns of set-up before the first roll."""
    law: "Law" = field(compare=False, repr=False)
    layout: BoardLayout = field(compare=False, repr=False)
    chart: Chart = field(compare=False, repr=False)
    place: dict[Seat, int] = field(compare=False, repr=False)
    produce: tuple[int, ...] = field(compare=False, repr=False)
    """The resource of each hex, or NOBODY for ice."""
    yields: tuple[tuple[Yield, ...], ...] = field(compare=False, repr=False)
    """For each sum of the dice the hexes that it makes produce."""
    harbours: tuple[int, ...] = field(compare=False, repr=False)
    """For each resource the intersections of its 2:1 route."""
    open_harbours: int = field(compare=False, repr=False)
    """The intersections of the 3:1 routes."""


class Position(NamedTuple):
    """The table now. Tuples have an entry for each place at the table, unless they say otherwise."""

    ground: Ground
    stage: str
    turn: int
    who: int
    """Whose turn it is."""
    agenda: tuple[str, ...]
    """What must be settled, in this order, before the stage goes on."""
    hands: tuple[int, ...]
    supply: int
    settlements: tuple[int, ...]
    keeps: tuple[int, ...]
    roads: tuple[int, ...]
    ends: tuple[int, ...]
    """The intersections where own roads end: follows from `roads`, kept at hand."""
    closed: int
    """The intersections where the distance rule forbids to settle: follows from the buildings."""
    paved: int
    """All paths that carry a road: follows from `roads`."""
    fresh: int
    """In set-up: the intersection just settled; else 0."""
    tormund: int
    deck: int
    """The development cards that nobody has drawn, by kind: they have no order."""
    cards: tuple[int, ...]
    """The development cards in hand, those bought in this turn included."""
    bought: int
    """Of these, the ones that the player on turn bought in this turn."""
    played: bool
    """Whether the player on turn has played a development card in this turn."""
    patrols: tuple[int, ...]
    """Ranger Patrols lying face up."""
    lengths: tuple[int, ...]
    """The longest road of each: follows from the pieces."""
    longest: int
    """Who holds Longest Road."""
    largest: int
    """Who holds Largest Patrol."""
    offers: tuple[TradeOffer | None, ...]
    owing: tuple[int, ...]
    """How many cards each must still discard."""
    robbed: int
    """From whom chance is about to steal."""
    dice: tuple[int, ...]
    """What this turn's roll showed: white, red and, in the Watch game, the wildling die; empty before it."""
    gains: tuple[int, ...]
    """What this turn's roll gave to each."""
    winner: int
    watch: "Watch | None"
