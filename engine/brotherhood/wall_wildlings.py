"""What wildlings do: gather in camps, rush, advance to a clearing, climb, break through, hold hexes (BW-L1 to BW-L5).

Each function follows its wildling to where it comes to rest. `Watch.fallen` says afterwards whether that ended the
game; the caller must ask. Tokens and dice come as arguments, chance is not known here.

Each trail number has a line of hexes that starts under its section: odd ones go south-west, even ones south-east. When
a line is full, others follow. All of them are joined once for each number and board, so that crossing is a look along
one row of hexes. Hexes are known by row and index, as on the map.
"""

from functools import cache
from typing import Final

from engine.brotherhood.board import Chart, Hex
from engine.brotherhood.wall_sections import dismiss
from engine.brotherhood.wall_state import (
    CAMPS,
    CLAN_OF,
    CLEARING_OF,
    CLIMBER,
    GIANT,
    HIGHER,
    LOWER,
    REGULAR,
    SECTIONS,
    Watch,
)

LINES: Final[tuple[tuple[Hex, ...], ...]] = (
    (),
    ((0, 0), (1, 0), (2, 0), (3, 0)),
    ((0, 0), (1, 1), (2, 2), (3, 3)),
    ((0, 1), (1, 1), (2, 1), (3, 1)),
    ((0, 1), (1, 2), (2, 3), (3, 4)),
    ((0, 2), (1, 2), (2, 2), (3, 2)),
    ((0, 2), (1, 3), (2, 4), (3, 5)),
    ((0, 3), (1, 3), (2, 3), (3, 3)),
    ((0, 3), (1, 4), (2, 5), (3, 5)),
)
"""The lines of the numbers 1 to 8 on the board of four; on a smaller board the missing hexes are left out."""

Ways = tuple[tuple[int, ...], ...]
"""For each number 1 to 8 (0 is empty) all hexes of a board as bits, in the order in which they fill."""


@cache
def ways_over(board: Chart) -> Ways:
    """The order in which the hexes of a board fill, for each number."""
    return ((), *[_way(number, board.hexes) for number in range(1, len(LINES))])


def _way(number: int, hexes: tuple[Hex, ...]) -> tuple[int, ...]:
    bits = {place: 1 << index for index, place in enumerate(hexes)}
    places = [place for line in _lines_from(number) for place in LINES[line] if place in bits]
    return tuple(bits[place] for place in dict.fromkeys(places))


def _lines_from(number: int) -> list[int]:
    """The line of a number, the other of its section, then both of the nearest sections, west before east."""
    section = (number - 1) // 2
    odd, even = 2 * section + 1, 2 * section + 2
    found = [number, odd + even - number]
    for distance in range(1, SECTIONS):
        for near in (section - distance, section + distance):
            if 0 <= near < SECTIONS:
                found += [2 * near + 1, 2 * near + 2]
    return found


def advance(watch: Watch, number: int, ways: Ways) -> Watch:
    """The wildling die shows a number: one wildling of that trail's clan goes down it, if there is one (BW-A1)."""
    if number >= len(CLAN_OF) or not watch.camps[CLAN_OF[number]]:
        return watch
    return _march(watch, number, ways)


def gather(watch: Watch, clan: int, kind: int, ways: Ways) -> Watch:
    """A token calls a wildling out of the Frostfangs to its clan (BW-T2); a fifth sets off a rush (BW-A2)."""
    if not watch.frostfangs[kind]:  # BW-T3
        return watch
    watch = _with_camps(watch, clan, (*watch.camps[clan], kind))
    watch = watch._replace(frostfangs=_add(watch.frostfangs, kind, -1))
    if len(watch.camps[clan]) < CAMPS:
        return watch
    watch = _march(watch, LOWER[clan], ways)
    return watch if watch.fallen else _march(watch, HIGHER[clan], ways)  # BW-A3, BW-E7


def leave_camp(watch: Watch, clan: int, camp: int) -> Watch:
    """Send the wildling in a camp, counted from 0, home; those in colder camps move up one."""
    camps = watch.camps[clan]
    watch = _with_camps(watch, clan, camps[:camp] + camps[camp + 1 :])
    return _send_home(watch, camps[camp])


def leave_clearing(watch: Watch, clearing: int) -> Watch:
    """Send one of the wildlings waiting in a clearing home."""
    watch = watch._replace(clearings=_add(watch.clearings, clearing, -1))
    return _send_home(watch, REGULAR)


def leave_gift(watch: Watch, place: int) -> Watch:
    """Send the wildling on a hex home; the hex is given by its bit."""
    kind = next(kind for kind, held in enumerate(watch.gift) if held & place)
    watch = watch._replace(gift=_add(watch.gift, kind, -place))
    return _send_home(watch, kind)


def _march(watch: Watch, number: int, ways: Ways) -> Watch:
    """The wildling in the hottest camp goes down the trail with a number; the rest move up one camp."""
    clan, clearing = CLAN_OF[number], CLEARING_OF[number]
    kind, *rest = watch.camps[clan]
    watch = _with_camps(watch, clan, tuple(rest))
    way = ways[number]
    if kind == CLIMBER:  # BW-C1
        return _cross(watch, CLIMBER, way)
    if kind == GIANT:  # BW-C2
        if not watch.sections[clearing]:
            watch = _cross(watch, GIANT, way)
            return watch._replace(breaches=watch.breaches + 1)
        watch = _send_home(dismiss(watch, clearing), GIANT)
    else:
        watch = watch._replace(clearings=_add(watch.clearings, clearing, 1))
    outnumbered = watch.clearings[clearing] > len(watch.sections[clearing])  # BW-C3, and after a giant BW-C5
    return _break_through(watch, clearing, way) if outnumbered else watch


def _break_through(watch: Watch, clearing: int, way: tuple[int, ...]) -> Watch:
    """A breach: the guard on space 1 is lost, and all who wait in the clearing cross (BW-C4)."""
    watch = dismiss(watch, clearing)
    for _ in range(watch.clearings[clearing]):
        watch = _cross(watch, REGULAR, way)
    return watch._replace(
        clearings=_add(watch.clearings, clearing, -watch.clearings[clearing]), breaches=watch.breaches + 1
    )


def _cross(watch: Watch, kind: int, way: tuple[int, ...]) -> Watch:
    """Take the first hex of the way that no wildling holds."""
    held = watch.held
    place = next(place for place in way if not place & held)
    return watch._replace(gift=_add(watch.gift, kind, place))


def _send_home(watch: Watch, kind: int) -> Watch:
    return watch._replace(frostfangs=_add(watch.frostfangs, kind, 1))


def _with_camps(watch: Watch, clan: int, kinds: tuple[int, ...]) -> Watch:
    return watch._replace(camps=(*watch.camps[:clan], kinds, *watch.camps[clan + 1 :]))


def _add(counts: tuple[int, ...], at: int, change: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + change, *counts[at + 1 :])
