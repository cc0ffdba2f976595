"""Points, and where they come from (TD-S2 to TD-S5).

Water, oases and areas count as soon as they are won; the longest caravans are compared when the game is over.
"""

from collections.abc import Iterator

from engine.score import Line, Score, Tally
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.order import settle
from engine.through_the_desert.position import KINDS, OVER, Position

LONGEST = 10
SHARED = 5


def score(position: Position) -> Score:
    """The points of every seat; winners once the game is over, several if they are level (TD-S5)."""
    position = settle(position)
    over = position.phase == OVER
    tallies = tuple(
        Tally(
            seat,
            (*_tokens(position, who), *_areas(position, who), *(_caravans(position, who) if over else ())),
        )
        for who, seat in enumerate(position.ground.seats)
    )
    most = max(tally.total for tally in tallies)
    return Score(tallies, tuple(tally.seat for tally in tallies if over and tally.total == most))


def _tokens(position: Position, who: int) -> Iterator[Line]:
    water, oases = position.taken[who], position.taken[len(position.ground.seats) + who]
    yield Line("water", "TD-S4", water, "waterholes worth {points}", {"points": water})
    yield Line("oases", "TD-S4", oases, "{count} oases at 5", {"count": oases // 5})


def _areas(position: Position, who: int) -> Iterator[Line]:
    grid = position.ground.grid
    for area in position.areas:
        if area.who == who:
            counted = area.spaces & ~position.ground.oases
            facts = {
                "colour": COLOURS[area.colour],
                "turn": area.turn,
                "spaces": grid.spaces(area.spaces),
                "where": " ".join(grid.spaces(counted)),
                "count": counted.bit_count(),
            }
            says = "{count} spaces enclosed by the {colour} caravan in turn {turn}: {where}"
            yield Line("areas", "TD-S3", counted.bit_count(), says, facts)


def _caravans(position: Position, who: int) -> Iterator[Line]:
    for colour, name in enumerate(COLOURS):
        sizes = [caravan.bit_count() for caravan in position.camels[colour::KINDS]]
        if sizes[who] and sizes[who] == max(sizes):
            facts = {"colour": name, "size": sizes[who]}
            if sizes.count(sizes[who]) == 1:
                yield Line("caravans", "TD-S2", LONGEST, "the longest {colour} caravan, {size} camels", facts)
            else:
                says = "one of the longest {colour} caravans, {size} camels each"
                yield Line("caravans", "TD-S2", SHARED, says, facts)
