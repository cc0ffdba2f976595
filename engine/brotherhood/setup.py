"""The set-up of either game: what headers may say, what the Dealer draws, the first position (BB-P1 to BB-P9)."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.brotherhood.board import (
    ICE,
    PRODUCE,
    ROUTES,
    BoardLayout,
    Chart,
    Point,
    read_land,
    write_land,
)
from engine.brotherhood.building import first_cards, lay_road
from engine.brotherhood.hands import KIND, SUPPLY
from engine.brotherhood.law import Law
from engine.brotherhood.position import CAMP, NOBODY, SETTLE, Ground, Position, Yield
from engine.brotherhood.rules import turns
from engine.brotherhood.table import WorkingPosition
from engine.chance import Dealer, draw_some
from engine.game import Option, Seat, Setup
from engine.verdict import Rule, Verdict

if TYPE_CHECKING:
    from engine.brotherhood.wall_state import Watch

SEATS: Final[tuple[Seat, ...]] = ("red", "blue", "yellow", "black")
PLAYERS: Final = range(3, 5)

VARIABLE: Final = "variable"
BEGINNER: Final = "beginner"
FREE: Final = "free"
STRICT: Final = "strict"

_HOT: Final = ("6", "8")

_PIECES: Final[Mapping[Seat, tuple[tuple[Point, Point], tuple[Point, Point]]]] = {
    "red": (((6, 7), (6, 5)), ((6, 1), (7, 2))),
    "blue": (((8, 1), (9, 2)), ((10, 5), (9, 4))),
    "yellow": (((2, 5), (2, 7)), ((5, 4), (4, 5))),
    "black": (((7, 4), (8, 5)), ((4, 1), (3, 2))),
}
"""The beginner start: each colour's settlements with the next intersection of the road; the second brings cards."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameBox:
    """What one of the two games takes out of the box."""

    key: str
    law: Law
    layout: Callable[[int], BoardLayout]
    """The board for so many players."""
    boards: tuple[str, ...]
    """What the Board header may say, the usual board first."""
    starts: tuple[str, ...]
    """What the Start header may say; with one only there is no such header."""
    shifting: bool
    """Whether on a variable board the numbers move with the ice field, or keep their places."""
    land_rule: Rule
    number_rule: Rule
    route_rule: Rule
    first_rule: Rule
    """The rules that a wrong header breaks: Land, its numbers, Routes, First."""
    tormund: Callable[[tuple[str, ...]], int]
    """Where Tormund begins, by the land of each hex."""
    watch: "Callable[[int, int], Watch | None]"
    """(players, first): the Watch before anybody has placed anything."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The headers."""
        boards, starts = " or ".join(self.boards), " or ".join(self.starts)
        start = (Option("Start", f"Where the first pieces stand: {starts}.", drawn=True),) if self.starts[1:] else ()
        return (
            Option("Board", f"The map: {boards}.", default=self.boards[0]),
            Option("Land", "Land and number of each hex in reading order: forest5 mountains6 and so on.", drawn=True),
            Option("Routes", "The 2:1 trade routes from west to east: grain brick lumber wool ore.", drawn=True),
            *start,
            Option("First", "The seat that begins.", drawn=True),
            Option("Phases", "Whether trading comes before building: strict or free.", default=STRICT),
        )


def lay_out(box: GameBox, setup: Setup, dealer: Dealer) -> Setup:
    """Draw what the headers leave open."""
    options = dict(setup.options)
    board, players = options.setdefault("Board", box.boards[0]), len(setup.seats)
    if board not in box.boards or players not in PLAYERS:
        return setup  # `start` says what is wrong with it
    layout = box.layout(players)
    if "Land" not in options:
        options["Land"] = _shuffled(box, layout, dealer) if board == VARIABLE else layout.land
    if "Routes" not in options:
        routes = draw_some(dealer, ROUTES, len(ROUTES), "routes") if board == VARIABLE else ROUTES
        options["Routes"] = " ".join(routes)
    if box.starts[1:]:
        options.setdefault("Start", FREE if board == VARIABLE else box.starts[0])
    if "First" not in options:
        options["First"] = setup.seats[dealer.pick(players, "first player")]
    order = [option.name for option in box.options if option.name in options]
    return Setup(setup.seats, tuple((name, options[name]) for name in order))


def _shuffled(box: GameBox, layout: BoardLayout, dealer: Dealer) -> str:
    """The lands of the box in any order (BB-P7)."""
    lands = [land for land, _ in read_land(layout.land) or ()]
    if not box.shifting:
        lands = draw_some(dealer, lands, len(lands), "land")
        return write_land(tuple(zip(lands, layout.numbers, strict=True)))
    numbers = [number for number in layout.numbers if number]
    places = [[*numbers[:ice], "", *numbers[ice:]] for ice in range(len(lands))]
    fair = [laid for laid in places if _clash(layout.chart, laid) is None]
    laid = fair[dealer.pick(len(fair), "ice field")]
    others = iter(draw_some(dealer, [land for land in lands if land != ICE], len(numbers), "land"))
    return write_land(tuple((next(others) if number else ICE, number) for number in laid))


def _clash(chart: Chart, numbers: list[str] | tuple[str, ...]) -> tuple[int, int] | None:
    """Two neighbouring hexes that both have a 6 or an 8."""
    hot = [hex_ for hex_, number in enumerate(numbers) if number in _HOT]
    return next(((one, two) for one in hot for two in chart.neighbours(one) if two in hot), None)


def start(box: GameBox, setup: Setup) -> Position | Verdict:
    """The first position, or the rule that the set-up breaks."""
    seats, players, options = setup.seats, len(setup.seats), dict(setup.options)
    if players not in PLAYERS:
        return Verdict(turns.P1, "three or four can play, not {players}", {"players": players})
    if len(set(seats)) < players or not set(seats) <= set(SEATS):
        facts = {"seats": ", ".join(seats), "all": ", ".join(SEATS)}
        return Verdict(turns.P1, "the seats are {seats}, but must be different ones of {all}", facts)
    board = options.get("Board", box.boards[0])
    if board not in box.boards:
        facts = {"board": board, "known": ", ".join(box.boards)}
        return Verdict(box.land_rule, "there is no board {board}; known are {known}", facts)
    layout = box.layout(players)
    land = _land(box, layout, board, options.get("Land", ""))
    if isinstance(land, Verdict):
        return land
    routes = tuple(options.get("Routes", "").split())
    if sorted(routes) != sorted(ROUTES) or (board != VARIABLE and routes != ROUTES):
        facts = {"routes": " ".join(routes), "usual": " ".join(ROUTES)}
        return Verdict(box.route_rule, "the routes are {usual}, in this order unless the board is variable", facts)
    begun = options.get("Start", box.starts[0])
    if begun not in box.starts or (begun == BEGINNER and board == VARIABLE):
        facts = {"start": begun, "board": board}
        return Verdict(turns.P6, "there is no start {start} on the board {board}", facts)
    if options.get("First") not in seats:
        facts = {"first": options.get("First", ""), "seats": ", ".join(seats)}
        wrong, nobody = "the first player must be one of {seats}, not {first}", "one of {seats} must be named as First"
        return Verdict(box.first_rule, wrong if "First" in options else nobody, facts)
    phases = options.get("Phases", STRICT)
    if phases not in (STRICT, FREE):
        return Verdict(turns.O3, "the phases are strict or free, not {phases}", {"phases": phases})
    first = seats.index(options["First"])
    ground = _ground(box, layout, seats, land, routes, first, free=phases == FREE, beginner=begun == BEGINNER)
    return _first(box, ground, land, beginner=begun == BEGINNER)


def _land(box: GameBox, layout: BoardLayout, board: str, text: str) -> tuple[tuple[str, str], ...] | Verdict:
    """The land of every hex, or what is wrong with it."""
    land, usual = read_land(text), read_land(layout.land) or ()
    facts: dict[str, object] = {"count": len(usual), "given": len(text.split())}
    if land is None or len(land) != len(usual):
        return Verdict(box.land_rule, "the land must be {count} words like forest5, not these {given}", facts)
    if Counter(kind for kind, _ in land) != Counter(kind for kind, _ in usual):
        return Verdict(box.land_rule, "these lands are not the ones in the box", facts)
    if board != VARIABLE:
        return (
            land
            if land == usual
            else Verdict(box.land_rule, "this is not the land of the board {board}", {"board": board})
        )
    numbers = tuple(number for _, number in land)
    if not box.shifting:
        return land if numbers == layout.numbers else Verdict(box.number_rule, "the numbers keep their places")
    if [number for number in numbers if number] != [number for number in layout.numbers if number] or any(
        (kind == ICE) != (number == "") for kind, number in land
    ):
        return Verdict(box.number_rule, "the numbers keep their order and skip only the ice field")
    clash = _clash(layout.chart, numbers)
    if clash is not None:
        one, two = (layout.chart.letters[hex_] for hex_ in clash)
        return Verdict(box.number_rule, "a 6 or 8 touches another at {one} and {two}", {"one": one, "two": two})
    return land


def _ground(
    box: GameBox,
    layout: BoardLayout,
    seats: tuple[Seat, ...],
    land: tuple[tuple[str, str], ...],
    routes: tuple[str, ...],
    first: int,
    *,
    free: bool,
    beginner: bool,
) -> Ground:
    chart = layout.chart
    produce = tuple(KIND[PRODUCE[kind]] if kind in PRODUCE else NOBODY for kind, _ in land)
    yields: list[list[Yield]] = [[] for _ in range(13)]
    for hex_, (_, number) in enumerate(land):
        for total in number.split("/") if number else ():
            yields[int(total)].append(Yield(hex_, chart.corners[hex_], produce[hex_]))
    harbours = [0] * len(KIND)
    for resource, spots in zip(routes, layout.markers, strict=True):
        harbours[KIND[resource]] = spots
    return Ground(
        box.key,
        seats,
        write_land(land),
        routes,
        first,
        free,
        0 if beginner else len(box.law.rounds) * len(seats),
        law=box.law,
        layout=layout,
        chart=chart,
        place={seat: place for place, seat in enumerate(seats)},
        produce=produce,
        yields=tuple(map(tuple, yields)),
        harbours=tuple(harbours),
        open_harbours=sum(layout.open_routes),
    )


def _first(box: GameBox, ground: Ground, land: tuple[tuple[str, str], ...], *, beginner: bool) -> Position:
    players = len(ground.seats)
    nothing = (0,) * players
    table = WorkingPosition(
        Position(
            ground,
            stage=SETTLE,
            turn=1,
            who=ground.first,
            agenda=(),
            hands=nothing,
            supply=SUPPLY,
            settlements=nothing,
            keeps=nothing,
            roads=nothing,
            ends=nothing,
            closed=0,
            paved=0,
            fresh=0,
            tormund=box.tormund(tuple(kind for kind, _ in land)),
            deck=box.law.deck,
            cards=nothing,
            bought=0,
            played=False,
            patrols=nothing,
            lengths=nothing,
            longest=NOBODY,
            largest=NOBODY,
            offers=(None,) * players,
            owing=nothing,
            robbed=NOBODY,
            dice=(),
            gains=nothing,
            winner=NOBODY,
            watch=box.watch(players, ground.first),
        )
    )
    if beginner:
        for who, colour in enumerate(beginner_colours(ground.seats)):
            _place_pieces(table, who, _PIECES[colour])
    table.begin_turn(1)
    return table.position()


def beginner_colours(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Whose pieces each seat places at the beginner start: of three, red takes those of the colour missing (BB-P6)."""
    if len(seats) == len(SEATS):
        return seats
    absent = next(seat for seat in SEATS if seat not in seats)
    return tuple(absent if seat == "red" else seat for seat in seats)


def _place_pieces(table: WorkingPosition, who: int, pieces: tuple[tuple[Point, Point], tuple[Point, Point]]) -> None:
    chart = table.chart
    for number, (at, toward) in enumerate(pieces):
        spot, other = chart.spot(at), chart.spot(toward)
        table.settlements[who] |= 1 << spot
        table.closed |= 1 << spot | chart.near[spot]
        lay_road(table, who, chart.path_of[min(spot, other), max(spot, other)])
        if number:
            first_cards(table, who, spot)


def on_ice(land: tuple[str, ...]) -> int:
    """Tormund begins on the ice field of the base game (BB-S7)."""
    return land.index(ICE)


def in_camp(_land: tuple[str, ...]) -> int:
    """Tormund begins in his camp north of the Wall."""
    return CAMP
