"""One table of Brotherhood of the Watch, either game, as the oracle keeps it: what lies where, and what is due.

Everything is a list, a set or a dictionary keyed by seats, points and hexes. A Table is changed in place by whoever
plays. What has to happen before the player on turn goes on waits in `agenda`, the next thing first.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.brotherhood import brotherhood_map

RESOURCES = brotherhood_map.RESOURCES
EACH_RESOURCE = 19
PIECES = {"road": 15, "settlement": 5, "keep": 4, "guard": 7}
COSTS = {
    "road": Counter(lumber=1, brick=1),
    "settlement": Counter(lumber=1, grain=1, wool=1, brick=1),
    "keep": Counter(grain=2, ore=3),
    "card": Counter(grain=1, wool=1, ore=1),
    "guard": Counter(brick=1, wool=1, lumber=1),
}
CARDS = {"ranger": 14, "winter": 2, "roads": 2, "recruits": 2, "point": 5}
FIRST_HEROES = ("yarwyck", "tarly", "marsh", "mormont")
HEROES = (
    *("mormont", "marsh", "tarly", "yarwyck", "thorne", "melisandre", "mance", "benjen", "ygritte", "yoren"),
    "qhorin",
)
CLANS = ("ice-river", "cave-dwellers", "hornfoot")
TOKENS_OF_A_CLAN = {"regular": 12, "climber": 4, "giant": 3}
FIGURES = {"regular": 24, "climber": 8, "giant": 8}
SECTIONS = (1, 2, 3, 4)
SPACES = 5

BEGINNERS = {
    "red": (((6, 7), (6, 5)), ((6, 1), (7, 2))),
    "blue": (((8, 1), (9, 2)), ((10, 5), (9, 4))),
    "yellow": (((2, 5), (2, 7)), ((5, 4), (4, 5))),
    "black": (((7, 4), (8, 5)), ((4, 1), (3, 2))),
}
"""Settlement and road, then the starred settlement and its road."""


@dataclass
class Table:
    """One table at one moment."""

    watch: bool
    seats: tuple[Any, ...]  # in the order of turns
    board: brotherhood_map.Board
    free_phases: bool
    hands: dict[Any, Any]  # seat -> Counter of resources
    supply: Counter[Any]
    deck: Counter[Any]  # cards that nobody has seen
    cards: dict[Any, Any]  # seat -> list of [kind, number of the turn when it was bought]
    patrols: dict[Any, Any]  # seat -> Rangers lying face up
    buildings: dict[Any, Any] = field(default_factory=dict)  # point -> (seat, "settlement" or "keep")
    roads: dict[Any, Any] = field(default_factory=dict)  # path -> seat
    tormund: tuple[Any, ...] | None = None  # None: in his camp
    longest: str | None = None
    largest: str | None = None
    to_place: list[Any] = field(default_factory=list)  # (seat, what) in the rounds of set-up
    mover: str | None = None
    turn: int = 1
    rolled: bool = False
    building: bool = False  # trading has ended
    card_played: bool = False
    offers: list[Any] = field(default_factory=list)  # dictionaries
    agenda: list[Any] = field(default_factory=list)
    begun: set[Any] = field(default_factory=set)  # who has had a turn
    dice: list[Any] = field(default_factory=list)  # of this turn
    gains: dict[Any, Any] = field(default_factory=dict)  # seat -> Counter of what they gave
    over: bool = False
    winner: str | None = None

    # Only the Watch has these
    guards: dict[Any, Any] = field(default_factory=dict)  # section -> owners by space
    camps: dict[Any, Any] = field(default_factory=dict)  # clan -> kinds, the hottest camp first
    clearings: dict[Any, Any] = field(default_factory=dict)  # section -> kinds
    gift: dict[Any, Any] = field(default_factory=dict)  # hex -> kind
    frostfangs: Counter[Any] = field(default_factory=Counter)
    breaches: int = 0
    heroes: dict[Any, Any] = field(default_factory=dict)  # seat -> [hero, side, turn when last taken or used]
    under: dict[Any, Any] = field(
        default_factory=dict
    )  # (seat, "settlement" or "keep") -> generations of the tokens, in order
    pool: Counter[Any] = field(default_factory=Counter)  # generation -> tokens
    unseen: dict[Any, Any] = field(default_factory=dict)  # generation -> Counter of (clan, kind)
    used: Counter[Any] = field(default_factory=Counter)  # (clan, kind) lying face up


def pieces_left(table: Any, seat: Any, piece: Any) -> Any:
    """How many pieces of a kind a seat has not placed."""
    if piece == "road":
        out = list(table.roads.values()).count(seat)
    elif piece == "guard":
        out = guards_of(table, seat)
    else:
        out = list(table.buildings.values()).count((seat, piece))
    return PIECES[piece] - out


def guards_of(table: Any, seat: Any) -> Any:
    """How many guards of a seat stand on the Wall."""
    return sum(owners.count(seat) for owners in table.guards.values())


def holds(table: Any, seat: Any, wanted: Any) -> Any:
    """Whether a hand holds these cards."""
    return all(table.hands[seat][kind] >= count for kind, count in wanted.items())


def move_cards(source: Any, target: Any, cards: Any) -> None:
    """Move cards between hands, or a hand and the supply."""
    for kind, count in cards.items():
        source[kind] -= count
        target[kind] += count


def public_points(table: Any, seat: Any) -> Any:
    """What everybody can count."""
    worth = 1 if table.watch else 2
    built = sum({"settlement": 1, "keep": 2}[kind] for owner, kind in table.buildings.values() if owner == seat)
    specials = worth * ((table.longest == seat) + (table.largest == seat))
    guards = guards_of(table, seat)
    return built + specials + (guards >= 3) + (guards >= 5)


def all_points(table: Any, seat: Any) -> Any:
    """The hidden cards too."""
    return public_points(table, seat) + sum(1 for kind, _ in table.cards[seat] if kind == "point")


def on_hexes(table: Any, place: Any) -> Any:
    """The seats with buildings around a hex, each once for a settlement and twice for a keep."""
    shares: Counter[str] = Counter()
    for point in brotherhood_map.corners(place):
        if point in table.buildings:
            seat, kind = table.buildings[point]
            shares[seat] += {"settlement": 1, "keep": 2}[kind]
    return shares


def finish(table: Any, winner: Any) -> None:
    """The game is over; the turn being played is the one after the last."""
    table.over, table.winner, table.offers = True, winner, []
    table.turn += 1


def lay_table(*, watch: Any, seats: Any, board: Any, free_placement: Any = True, free_phases: Any = False) -> Any:
    """The table before the first ply."""
    deck = Counter(CARDS if watch else {kind: count for kind, count in CARDS.items() if kind != "recruits"})
    table = Table(
        watch=watch,
        seats=tuple(seats),
        board=board,
        free_phases=free_phases,
        hands={seat: Counter() for seat in seats},
        supply=Counter(dict.fromkeys(RESOURCES, EACH_RESOURCE)),
        deck=deck,
        cards={seat: [] for seat in seats},
        patrols=dict.fromkeys(seats, 0),
    )
    ice = [place for place, kind in board.terrain.items() if kind == "ice"]
    table.tormund = ice[0] if ice else None
    if watch:
        man_the_north(table)
    if free_placement:
        for seat in (*seats, *reversed(seats)):
            table.to_place += [(seat, "settlement"), (seat, "road")]
        if watch:
            table.to_place += [(seat, "guard") for seat in seats]
    else:
        for seat in seats:
            place_beginner(table, seat)
        table.mover = seats[0]
        table.begun.add(seats[0])
    return table


def place_beginner(table: Any, seat: Any) -> None:
    """The pieces and cards of the beginners' picture; when three play, red's place stays empty."""
    absent = [colour for colour in BEGINNERS if colour not in table.seats]
    pieces = BEGINNERS[absent[0] if absent and seat == "red" else seat]
    for settlement, toward in pieces:
        table.buildings[settlement] = (seat, "settlement")
        table.roads[frozenset((settlement, toward))] = seat
    collect_first_cards(table, seat, pieces[1][0])


def collect_first_cards(table: Any, seat: Any, point: Any) -> None:
    """One card for each hex at the second settlement."""
    for place in table.board.touching[point]:
        if table.board.terrain[place] in brotherhood_map.YIELDS:
            kind = brotherhood_map.YIELDS[table.board.terrain[place]]
            move_cards(table.supply, table.hands[seat], Counter({kind: 1}))


def man_the_north(table: Any) -> None:
    """Tokens on the cards and in the pool, figures in the Frostfangs, heroes."""
    table.guards = {section: [] for section in SECTIONS}
    table.camps = {clan: [] for clan in CLANS}
    table.clearings = {section: [] for section in SECTIONS}
    table.frostfangs = Counter(FIGURES)
    table.unseen = {0: Counter({(clan, kind): count for clan in CLANS for kind, count in TOKENS_OF_A_CLAN.items()})}
    for seat in table.seats:
        table.under[seat, "settlement"] = [0] * PIECES["settlement"]
        table.under[seat, "keep"] = [0] * (2 * PIECES["keep"])
    on_cards = sum(len(tokens) for tokens in table.under.values())
    table.pool = Counter({0: table.unseen[0].total() - on_cards})
    first = FIRST_HEROES[4 - len(table.seats) :]
    table.heroes = {seat: [hero, "A", 0] for seat, hero in zip(table.seats, first, strict=True)}
