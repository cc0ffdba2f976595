"""What a legal ply does to the table.

`DesertRun` carries one game forward in place, so that replaying a record does not build a position for every camel;
`apply` is a run of one ply. Plies that are plainly legal are played at once; any other is for `judge` to look at.

Areas that a caravan cuts off (TD-E1 to TD-E3) are looked for here too. Flooding the board after every camel would be
slow and nearly always in vain: while the open neighbours of a new camel hang together around it (they are not in
`HexGrid.splits`) it separates nothing, so areas are looked for only when they fall apart.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine.game import Ply, Seat
from engine.through_the_desert.judge import judge
from engine.through_the_desert.legal import settle
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.position import (
    CAMELS,
    COLOUR_AT,
    KINDS,
    LAST,
    LEADERS,
    OVER,
    REMOVAL,
    Area,
    Ground,
    Position,
    Site,
)
from engine.verdict import Verdict

OASIS: Final = 5
"""Points for an oasis (TD-O1)."""


def enclosed_areas(ground: Ground, caravan: int, free: int, seeds: Iterable[int], shift: int) -> list[int]:
    """The areas that `caravan` has just cut off and that hold one of the seeds, each shifted into place.

    They come in board order, by their first space, because the state digest sees their order.
    `free` are the spaces that could take a camel. What was enclosed before is neither free nor an oasis, and
    cannot be told from a camel here; it never touches a place where something new is cut off.
    """
    over = ground.grid.stride
    room = ground.spaces & ~caravan
    empty = free | ground.oases
    seen = 0
    found = []
    for seed in seeds:
        # A flood that stops at the first camel: with one inside, nothing is enclosed (TD-E3).
        reached = 0
        edge = seed << shift & room & ~seen
        while edge and edge & empty == edge:
            reached |= edge
            up, down = edge >> 1, edge << 1
            edge = (up | down | edge << over | edge >> over | up << over | down >> over) & room & ~reached
        if reached and not edge:
            found.append(reached)
        seen |= reached | edge
    if len(found) > 1:
        found.sort(key=lambda area: area & -area)
    return found


class DesertRun:
    """A table in play. Built from a Position; `position` gives one back at any moment."""

    __slots__ = (
        "_areas",
        "_camels",
        "_due",
        "_first",
        "_flocks",
        "_free",
        "_ground",
        "_leaders",
        "_open",
        "_phase",
        "_placed",
        "_removed",
        "_sites",
        "_taken",
        "_turn",
        "_who",
    )

    def __init__(self, position: Position) -> None:
        self._ground = position.ground
        self._sites = position.ground.sites
        self._load(position)

    def _load(self, position: Position) -> None:
        self._phase = position.phase
        self._turn = position.turn
        self._placed = position.placed
        self._free = position.free
        self._camels = list(position.camels)
        self._flocks = list(position.flocks)
        self._leaders = list(position.leaders)
        self._taken = list(position.taken)
        self._areas = list(position.areas)
        self._removed = position.removed
        self._open = position.leader_ground() if position.phase == LEADERS else 0
        self._who = position.who
        self._first = position.who * KINDS
        self._due = position.ground.seats[position.who]

    def position(self) -> Position:
        """The table as it is now, never to change."""
        return Position(
            self._ground,
            self._phase,
            self._turn,
            self._who,
            self._placed,
            self._free,
            tuple(self._camels),
            tuple(self._flocks),
            tuple(self._leaders),
            tuple(self._taken),
            tuple(self._areas),
            self._removed,
        )

    @property
    def turn(self) -> int:
        """The number of the turn being played; one that was cut short counts as over."""
        return settle(self.position()).turn if self._placed else self._turn

    def advance(self, ply: tuple[Seat, object]) -> Verdict | None:
        """Play a ply, or the pair that it is, if it is legal; else change nothing and say which rule it breaks."""
        seat, move = ply
        if seat == self._due:
            if type(move) is Camel:
                if self._phase == CAMELS and self._camel(move):
                    return None
            elif type(move) is Leader:
                if self._phase == LEADERS and self._leader(move):
                    return None
            elif type(move) is Remove and self._phase == REMOVAL:
                colour = COLOUR_AT.get(move.colour)
                if colour is not None and colour not in self._removed:
                    self.play(move)
                    return None
        position = self.position()
        verdict = judge(position, Ply(seat, move))
        if verdict is None:
            settled = settle(position)
            if settled is not position:
                self._load(settled)
            self.play(move)
        return verdict

    def _leader(self, move: Leader) -> bool:
        """Place a leader if it is plainly legal."""
        site = self._sites.get(move.space)
        colour = COLOUR_AT.get(move.colour)
        if site is None or colour is None or not site.bit & self._open:
            return False
        removed = self._removed
        first_round = self._turn <= len(self._ground.seats) + len(removed)
        # Only the last but one of five can leave a later player without a colour (TD-L5); `judge` looks at that.
        if first_round and (self._flocks[colour] or (removed and self._who == len(removed) - 2)):
            return False
        if self._leaders[self._first + colour] or (removed and removed[self._who] == colour):
            return False
        self._place_leader(site, colour)
        return True

    def play(self, move: Any) -> None:
        """Play a legal move of the player whose turn it is."""
        if type(move) is Camel:
            self._camel(move)
        elif type(move) is Leader:
            self._place_leader(self._sites[move.space], COLOUR_AT[move.colour])
        elif type(move) is Remove:
            self._removed = (*self._removed, COLOUR_AT[move.colour])
            self._end_turn()
            if len(self._removed) == len(self._ground.seats):
                self._phase = LEADERS
                self._open = self.position().leader_ground()
        elif type(move) is Pass:
            self._end_turn()

    def _end_turn(self) -> None:
        seats = self._ground.seats
        who = self._who + 1
        self._who = who = who if who < len(seats) else 0
        self._first = who * KINDS
        self._due = seats[who]
        self._turn += 1
        self._placed = 0
        if self._phase == LAST:
            self._phase = OVER

    def _place_leader(self, site: Site, colour: int) -> None:
        index = self._first + colour
        self._camels[index] = self._leaders[index] = site.bit
        self._flocks[colour] |= site.bit
        self._free ^= site.bit
        self._open &= ~(site.bit | site.near)
        self._end_turn()
        if self._turn == self._ground.camel_turn:
            self._phase = CAMELS

    def _camel(self, move: Camel) -> bool:
        """Place a camel if it touches its caravan and no rival on free ground; whose turn it is, is not asked.

        Every camel of every record that is replayed passes here, so it is one stretch of code.
        """
        site = self._sites.get(move.space)
        colour = COLOUR_AT.get(move.colour)
        if site is None or colour is None:
            return False
        bit, near, shift = site
        index = self._first + colour
        before = self._camels[index]
        flock = self._flocks[colour]
        touched = near & before
        if not touched or touched != near & flock or not bit & self._free:
            return False
        ground = self._ground
        self._camels[index] = before | bit
        self._flocks[colour] = flock = flock | bit
        self._free ^= bit
        if bit & ground.wet:
            one, two, _ = ground.water
            self._taken[self._who] += 1 if bit & one else 2 if bit & two else 3  # TD-W1
        if bit & ground.shores:
            for shore in ground.shores_at[bit]:
                if not before & shore:
                    self._taken[len(ground.seats) + self._who] += OASIS  # TD-O1
        runs = ground.splits.get((near ^ touched) >> shift)
        if runs is not None and (before & ground.rim or bit & ground.gates or touched >> shift in ground.splits):
            # A caravan that stands nowhere at the rim closes a ring only where it touches itself, or where the
            # new camel alone lies between two parts of the rim.
            self._enclose(runs, shift, colour)
        elif ground.gates and before & ground.gates and before & before - 1 == 0:
            # A lone leader may have cut something off; that counts when its first camel is placed.
            self._enclose(ground.grid.each(ground.grid.grow(before | bit)), 0, colour)
        if flock.bit_count() == ground.flock:
            self._phase = LAST  # TD-S1
        if self._placed or self._turn < ground.full_turn:
            self._end_turn()
        else:
            self._placed = 1
        return True

    def _enclose(self, seeds: Iterable[int], shift: int, colour: int) -> None:
        """Take the areas that a caravan has cut off around `seeds`, shifted into place (TD-E4)."""
        ground, caravan = self._ground, self._camels[self._first + colour]
        for area in enclosed_areas(ground, caravan, self._free, seeds, shift):
            self._taken[self._who] += ground.worth(area)
            if area & ground.oases:
                for oasis, shore in ground.shore_of.items():
                    if oasis & area and not caravan & shore:
                        self._taken[len(ground.seats) + self._who] += OASIS
            self._free &= ~area
            self._areas.append(Area(self._who, colour, area, self._turn))


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    run = DesertRun(settle(position))
    run.play(ply.move)
    return run.position()
