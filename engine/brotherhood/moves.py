"""The moves of both games: what a player, or chance, can do.

Intersections are numbers from 1 (`spot`), hexes are letters (``H``), sections of the Wall are 1 to 4 from the west,
resources, seats, clans and heroes are the words of the record. Amounts of resource cards are `Cards`: five
counts in the order of `RESOURCES`. A hidden value is None in what others are told. Each docstring shows how the move is
written. Whether a move may be made is for `judge`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

RESOURCES: Final = ("lumber", "brick", "wool", "grain", "ore")
Cards: TypeAlias = tuple[int, int, int, int, int]
"""How many cards of each resource, in the order of RESOURCES."""

DEVELOPMENTS: Final = ("ranger", "winter", "roads", "recruits", "point")
"""The development cards: Ranger Patrol, Winter is Coming, Road Building, New Recruits, victory point."""

CLANS: Final = ("ice-river", "cave-dwellers", "hornfoot")
WILDLINGS: Final = ("regular", "climber", "giant")
HEROES: Final = (
    *("mormont", "marsh", "tarly", "yarwyck", "thorne", "melisandre"),
    *("mance", "benjen", "ygritte", "yoren", "qhorin"),
)
"""In the order of their numbers, 1 to 11."""

TORMUND: Final = "tormund"
WILDLING: Final = "wildling"


# Chance


@dataclass(frozen=True, slots=True)
class Dice:
    """Chance rolls for production and, in the Watch game, for the wildlings: ``dice 3 4 7``; base: ``dice 3 4``."""

    white: int
    red: int
    wild: int | None = None


@dataclass(frozen=True, slots=True)
class Steal:
    """Chance picks the card that is stolen; only thief and victim are told: ``steal ore``, ``steal hidden``."""

    resource: str | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance draws the development card just bought; only its buyer is told: ``draw ranger``, ``draw hidden``."""

    card: str | None


@dataclass(frozen=True, slots=True)
class Token:
    """Watch: chance reveals a wildling token: ``token ice-river climber``."""

    clan: str
    kind: str


@dataclass(frozen=True, slots=True)
class Look:
    """Watch: chance shows Melisandre the top cards; only she is told: ``look ranger-point-ranger``, ``look hidden``."""

    cards: tuple[str, ...] | None


# The course of a turn


@dataclass(frozen=True, slots=True)
class Roll:
    """Ask for the dice: ``roll``."""


@dataclass(frozen=True, slots=True)
class Discard:
    """After a seven: give half of more than seven cards back: ``discard 2 wool 1 ore``."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Tormund:
    """After a seven: move Tormund and name whom he robs: ``tormund H blue``, ``tormund H``."""

    hex: str
    victim: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """End the own turn: ``end``."""


# Trade


@dataclass(frozen=True, slots=True)
class Trade:
    """Trade with the supply, one kind for another at the own rate: ``trade 3 wool: 1 ore``."""

    give: Cards
    take: Cards


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer cards to one player or to any: ``offer 1 brick for 1 grain to blue``, ``offer 1 brick for 1 grain to any``.

    Others than the player on turn make their offers, counter-offers among them, to that player only.
    """

    give: Cards
    take: Cards
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the open offer of a seat: ``accept red``; ``accept`` alone when only one is open to the answerer."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the open offer of a seat: ``decline red``, ``decline``."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take the own offer back: ``withdraw``."""


# Building


@dataclass(frozen=True, slots=True)
class Road:
    """Build a road on the path between two intersections, the smaller first: ``road 17-18``."""

    one: int
    two: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """Build a settlement: ``settlement 17``."""

    spot: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Build a keep in place of the own settlement: ``keep 17``."""

    spot: int


@dataclass(frozen=True, slots=True)
class Guard:
    """Watch: put a guard on the lowest free space of a section of the Wall: ``guard 2``. In set-up it is free."""

    section: int


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a development card: ``buy``. Chance draws it."""


# Development cards


@dataclass(frozen=True, slots=True)
class Ranger:
    """Play a Ranger Patrol: ``ranger tormund H blue``, ``ranger tormund H``; Watch also: ``ranger wildling K``.

    `quarry` is TORMUND (moved to the hex, where he robs `victim`) or WILDLING (taken off the hex; no victim).
    """

    quarry: str
    hex: str
    victim: str | None = None


@dataclass(frozen=True, slots=True)
class Winter:
    """Play Winter is Coming and take two resources from the supply: ``winter ore grain``."""

    one: str
    two: str


@dataclass(frozen=True, slots=True)
class Roads:
    """Play Road Building: ``roads 17-18 18-19``, in this order; one path where only one can be built."""

    paths: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Recruits:
    """Watch: play New Recruits and put a guard on a section free: ``recruits 2``."""

    section: int


# Heroes, all of the Watch game


@dataclass(frozen=True, slots=True)
class Mormont:
    """Demand one card of a kind from one or two players, with what each gets back.

    ``mormont ore from blue for wool``, ``mormont ore from blue for wool from red for grain``.
    """

    resource: str
    demands: tuple[tuple[str, str], ...]
    """For each player asked: the seat, and the resource given back."""


@dataclass(frozen=True, slots=True)
class Marsh:
    """Swap one card with the supply: ``marsh wool: ore``."""

    give: str
    take: str


@dataclass(frozen=True, slots=True)
class Tarly:
    """React to a roll that gave nothing and take a resource: ``tarly ore``."""

    resource: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Let a reaction go by: ``pass``."""


@dataclass(frozen=True, slots=True)
class Yarwyck:
    """Lift an own road and rebuild it: ``yarwyck 17-18 to 20-21``."""

    lifted: tuple[int, int]
    rebuilt: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Thorne:
    """Build a guard and pay one of its resources with another: ``thorne 2 brick: ore`` pays ore instead of brick."""

    section: int
    spared: str
    paid: str


@dataclass(frozen=True, slots=True)
class Melisandre:
    """Buy a development card out of three: ``melisandre``, or with a replacement ``melisandre wool: ore``."""

    spared: str | None = None
    paid: str | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """Keep one of the cards Melisandre looked at; others are not told which: ``choose ranger``, ``choose hidden``."""

    card: str | None


@dataclass(frozen=True, slots=True)
class Mance:
    """Look at the hand of a player with more points: ``mance blue``. `Take` follows."""

    victim: str


@dataclass(frozen=True, slots=True)
class Take:
    """Take the card that Mance chose; only both players are told which: ``take ore``, ``take hidden``."""

    resource: str | None


@dataclass(frozen=True, slots=True)
class Benjen:
    """Send a wildling home from a camp of a clan, or from a clearing: ``benjen ice-river 2``, ``benjen clearing 3``."""

    clan: str | None
    """None for a clearing."""
    place: int
    """The camp, 1 the hottest to 5; or the clearing, 1 to 4 from the west."""


@dataclass(frozen=True, slots=True)
class Ygritte:
    """Send a wildling home from a hex of the Gift: ``ygritte K``."""

    hex: str


@dataclass(frozen=True, slots=True)
class Yoren:
    """Give up a face-up Ranger Patrol for a free guard: ``yoren 2``."""

    section: int


@dataclass(frozen=True, slots=True)
class Qhorin:
    """Send Tormund back to his camp, for a resource of the hex he leaves: ``qhorin``."""


@dataclass(frozen=True, slots=True)
class Swap:
    """After a hero's use: return the hero and take another: ``swap tarly``."""

    hero: str


@dataclass(frozen=True, slots=True)
class Flip:
    """After a hero's first use: keep the hero, turned to side B: ``flip``."""


PLAY: Final = (
    *(Roll, Discard, Tormund, End),
    *(Trade, Offer, Accept, Decline, Withdraw),
    *(Road, Settlement, Keep, Buy, Ranger, Winter, Roads),
    *(Dice, Steal, Draw),
)
"""The moves of the base game."""

WATCH: Final = (
    *PLAY,
    *(Guard, Recruits, Token, Look),
    *(Mormont, Marsh, Tarly, Pass, Yarwyck, Thorne, Melisandre, Choose),
    *(Mance, Take, Benjen, Ygritte, Yoren, Qhorin, Swap, Flip),
)
"""The moves of the Watch game."""
