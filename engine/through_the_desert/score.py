"""Points, and where they come from (TD-S2 to TD-S5).

Water, oases and areas count as soon as they are won; the longest caravans are compared when the game is over.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

from engine.game import Ply, Seat
from engine.score import Line, Score, Tally, tens
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.legal import settle
from engine.through_the_desert.moves import Leader
from engine.through_the_desert.position import KINDS, OVER, Area, Ground, Position

LONGEST = 10
SHARED = 5


def score(position: Position) -> Score:
    """The points of every seat; winners once the game is over, several if they are level (TD-S5)."""
    position = settle(position)
    over = position.phase == OVER
    seats = position.ground.seats
    lines = [_tokens(position, who) for who in range(len(seats))]
    for area in position.areas:
        lines[area.who].append(_enclosed(position, area))
    if over:
        for colour in range(KINDS):
            for who, line in _longest(position, colour):
                lines[who].append(line)
    tallies = tuple([Tally(seat, tuple(lines[who])) for who, seat in enumerate(seats)])
    totals = [tally.total for tally in tallies]
    most = max(totals)
    return Score(tallies, tuple([seat for seat, total in zip(seats, totals, strict=True) if over and total == most]))


def traits(before: Position, ply: Ply, after: Position) -> Mapping[str, str]:
    """The colour of the first leader, and when the first oasis was reached and the first area enclosed."""
    if isinstance(ply.move, Leader):
        return {"first leader": ply.move.colour}
    found, seats = {}, len(after.ground.seats)
    if sum(after.taken[seats:]) > sum(before.taken[seats:]):
        found["first oasis"] = tens(settle(before).turn)
    if len(after.areas) > len(before.areas):
        found["first area"] = tens(settle(before).turn)
    return found


def prospect(position: Position, seat: Seat) -> int:
    """The points of one seat, without the lines that tell of them: looking ahead asks for them by the hundred."""
    position = settle(position)
    ground = position.ground
    who = ground.seats.index(seat)
    points = position.taken[who] + position.taken[len(ground.seats) + who]
    points += sum([(area.spaces & ~ground.oases).bit_count() for area in position.areas if area.who == who])
    if position.phase == OVER:
        longest = [line for colour in range(KINDS) for owner, line in _longest(position, colour) if owner == who]
        points += sum(line.points for line in longest)
    return points


def _tokens(position: Position, who: int) -> list[Line]:
    water, oases = position.taken[who], position.taken[len(position.ground.seats) + who]
    return [
        Line("water", "TD-S4", water, "waterholes worth {points}", {"points": water}),
        Line("oases", "TD-S4", oases, "oases reached: {count}, at 5 each", {"count": oases // 5}),
    ]


class AreaFacts(Mapping[str, object]):
    """What there is to say of an area, put into words only on request: a replay needs only its points."""

    def __init__(self, ground: Ground, area: Area) -> None:
        self._ground = ground
        self._area = area

    @cached_property
    def _told(self) -> dict[str, object]:
        area, grid = self._area, self._ground.grid
        counted = area.spaces & ~self._ground.oases
        return {
            "colour": COLOURS[area.colour],
            "turn": area.turn,
            "spaces": grid.spaces(area.spaces),
            "where": " ".join(grid.spaces(counted)),
            "count": counted.bit_count(),
        }

    def __getitem__(self, name: str) -> object:
        return self._told[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._told == dict(other)

    __hash__ = None  # type: ignore[assignment]  # like a dict's, for it compares like one


def _enclosed(position: Position, area: Area) -> Line:
    points = (area.spaces & ~position.ground.oases).bit_count()
    says = "enclosed by the {colour} caravan in turn {turn}: {where}"
    return Line("areas", "TD-S3", points, says, AreaFacts(position.ground, area))


def _longest(position: Position, colour: int) -> list[tuple[int, Line]]:
    """The lines of those who have the longest caravan of a colour, each with its seat's place."""
    sizes = [caravan.bit_count() for caravan in position.camels[colour::KINDS]]
    longest = max(sizes)
    winners = [who for who, size in enumerate(sizes) if size and size == longest]
    points, says = LONGEST, "the longest {colour} caravan, of {size}"
    if len(winners) > 1:
        points, says = SHARED, "one of the longest {colour} caravans, each of {size}"
    line = Line("caravans", "TD-S2", points, says, {"colour": COLOURS[colour], "size": longest})
    return [(who, line) for who in winners]
