"""Where dice can take stones: one stone, the stones of many caravans at once, and the moves that `legal` lists.

A 1 goes one square in any of eight directions. A 2, 3 or 4 goes straight over stones side by side; a 5 or 6 may
bend once by a right angle on a square that it jumps over. All of it is asked of sets of squares: `ways` for one
stone, `steps` and `jumps` for all stones at once. Caravans can lie side by side in one long integer, each on a board of
its own, so that one operation answers for all of them.

What stones did before in this turn is taken into account for the list, which also proves that a turn may end. The
verdict on one move that somebody wants to make is in `judge`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from engine.nomadi.board import BOARD, COLUMNS, DOWN, FAR, NAMES, OVER, SIDES, START, each, place, shift
from engine.nomadi.caravan import Joints, is_solid, joints, landings, stays_whole, with_free_side
from engine.nomadi.position import Made, Position

AROUND: Final = (*SIDES, -OVER - DOWN, -OVER + DOWN, OVER - DOWN, OVER + DOWN)
"""The eight directions of a 1, as shifts."""


class StonePath(NamedTuple):
    """One way of a jump: the squares jumped over, and where it bends if it does."""

    over: int
    bend: str | None = None


class Shape(NamedTuple):
    """A jump wherever it begins: over `first` stones towards one side, then `second` towards another, and one on.

    Sides are their places in `SIDES`. `corner` is the shift to where it turns, `leads` the one to where it lands.
    """

    along: int
    first: int
    across: int
    second: int
    corner: int
    leads: int


def _shape(along: int, first: int, across: int, second: int) -> Shape:
    corner = first * SIDES[along]
    return Shape(along, first, across, second, corner, corner + (second + 1) * SIDES[across])


def _shapes(die: int) -> tuple[Shape, ...]:
    straight = [_shape(side, die - 1, side, 0) for side in range(4)]
    if die < 5:
        return tuple(straight)
    turns = [(along, (along + turn) % 4) for along in range(4) for turn in (1, 3)]
    bent = [_shape(along, first, across, die - 1 - first) for along, across in turns for first in range(1, die)]
    return (*straight, *bent)


SHAPES: Final = {die: _shapes(die) for die in range(2, 7)}


_CENTRE: Final = 1 << 16 * OVER
"""A square of an endless board, from which every jump stays on it."""


@cache
def _outlines(die: int) -> Mapping[int, tuple[tuple[int, int | None], ...]]:
    """The ways of a die by the shift that they lead: the squares jumped over from `_CENTRE`, the shift to the bend."""
    if die == 1:
        return dict.fromkeys(AROUND, ((0, None),))
    found: dict[int, tuple[tuple[int, int | None], ...]] = {}
    for along, first, across, second, corner, leads in SHAPES.get(die, ()):
        over = sum(shift(_CENTRE, step * SIDES[along]) for step in range(1, first + 1))
        over += sum(shift(_CENTRE, corner + step * SIDES[across]) for step in range(1, second + 1))
        found[leads] = (*found.get(leads, ()), (over, None if along == across else corner))
    return found


def ways(die: int, origin: int, target: int) -> list[StonePath]:
    """All ways of a die from one square to another."""
    if not origin or not target & BOARD:
        return []
    begin = origin.bit_length()
    outlines = _outlines(die).get(target.bit_length() - begin, ())
    away = begin - _CENTRE.bit_length()
    found = []
    for outline, corner in outlines:
        over = shift(outline, away)
        # What leaves the board crosses the fence around it.
        if not over & ~BOARD:
            found.append(StonePath(over, None if corner is None else NAMES[shift(origin, corner)]))
    return found


class Arm(NamedTuple):
    """The stones beside squares towards one side, for all squares at once; so many stones are the index."""

    side: int
    rows: list[int]
    """The squares from which so many stones stand in a row that way."""
    ends: list[int]
    """Those of them where just behind these stones a square is empty."""


def arms_of(caravan: int, empty: int) -> list[Arm]:
    """The rows of up to five stones towards each of the `SIDES`."""
    found = []
    for side in SIDES:
        row, leads = shift(caravan, -side), 2 * side
        rows, ends = [~0, row], [shift(empty, -side), row & shift(empty, -leads)]
        while len(rows) < 6:
            row = shift(row & caravan, -side)
            leads += side
            rows.append(row)
            ends.append(row and row & shift(empty, -leads))
        found.append(Arm(side, rows, ends))
    return found


def jumps(die: int, movable: int, arms: list[Arm]) -> dict[int, int]:
    """The movable stones that a 2 to 6 could move, by the shift to the empty square behind what they jump over."""
    found: dict[int, int] = {}
    for along, (side, rows, ends) in enumerate(arms):
        found[die * side] = movable & ends[die - 1]
        if die < 5:
            continue
        for first in range(1, die):
            line = movable & rows[first]
            if not line:
                break
            second, corner = die - 1 - first, first * side
            for across in (arms[along - 1], arms[along - 3]):
                leads = corner + (second + 1) * across.side
                found[leads] = found.get(leads, 0) | line & shift(across.ends[second], -corner)
    return found


def steps(movable: int, *, beside: int, aslant: int) -> dict[int, int]:
    """The movable stones that a 1 could move, by the shift: straight to some squares, diagonally to others."""
    straight = {leads: movable & shift(beside, -leads) for leads in SIDES}
    return straight | {leads: movable & shift(aslant, -leads) for leads in AROUND[len(SIDES) :]}


def distance(one: str, other: str) -> tuple[int, int]:
    """Columns and rows between two named squares."""
    (column, row), (to_column, to_row) = place(one), place(other)
    return abs(to_column - column), abs(to_row - row)


TOGETHER: Final = 16
"""How many caravans are asked at once: with more, single moves take longer to pick out."""
_LANE: Final = (COLUMNS + 1) * OVER
"""From one board to the next. Between them lies the empty column to the left of each."""
_LANES: Final = sum(1 << lane * _LANE for lane in range(TOGETHER))
_BOARDS: Final = BOARD * _LANES
_BITS: Final = tuple(1 << bit for bit in range(TOGETHER * _LANE))

Ways = dict[int, list[tuple[int, int]]]
"""By die the moves that it could make: from where, and where to."""


class Stones(NamedTuple):
    """Some caravans side by side, and what is known of all their stones before any die is asked."""

    standing: int
    movable: int
    empty: int
    joints: Joints
    firm: int
    """Stones that hold parts of a caravan together which nothing else connects."""
    solid: Sequence[bool]


def _gather(caravans: Sequence[int], goal: int) -> Stones:
    stones = sum(caravan << lane * _LANE for lane, caravan in enumerate(caravans))
    solid = [is_solid(caravan) for caravan in caravans]
    tied = joints(stones)
    firm = tied.forked & sum(BOARD << lane * _LANE for lane, is_firm in enumerate(solid) if is_firm)
    return Stones(stones, with_free_side(stones) & ~(goal * _LANES), _BOARDS & ~stones, tied, firm, solid)


def _begins(stones: Stones, die: int, able: int, arms: list[Arm]) -> Iterator[tuple[int, int]]:
    """The stones that a die could take by each shift; of stones on forks it is not sure yet."""
    (forked, once, twice, thrice), firm, empty = stones.joints, stones.firm, stones.empty
    if die == 1:
        going = steps(able & ~firm, beside=empty & twice, aslant=empty & once)
        # What holds two parts together must touch two stones besides itself to do so again.
        for leads, begins in steps(able & firm, beside=empty & thrice, aslant=empty & twice).items():
            going[leads] |= begins
    else:
        going = jumps(die, able, arms)
    for leads, begins in going.items():
        if not begins:
            continue
        begins &= _open(leads)
        if die > 1:
            # A jump leads too far to change what is around its end: only another fork can join the arms.
            begins &= ~firm | shift(forked, -leads)
        if begins:
            yield leads, begins


def roam(caravans: Sequence[int], dice: Sequence[Iterable[int]], *, goal: int) -> list[Ways]:
    """For each of some caravans, not more than `TOGETHER`, what each of its dice could do; each move stands once."""
    found: list[Ways] = [{die: [] for die in own} for own in dice]
    stones = _gather(caravans, goal)
    forked = stones.joints.forked
    arms = arms_of(stones.standing, stones.empty)
    for die in {die for own in dice for die in own}:
        able = stones.movable & sum(BOARD << lane * _LANE for lane, own in enumerate(found) if die in own)
        for leads, begins in _begins(stones, die, able, arms):
            # All that touches a stone off the forks is connected without it, and it lands beside another one.
            for lane, square in _each(begins & ~forked):
                found[lane][die].append((_BITS[square], _BITS[square + leads]))
            for lane, square in _each(begins & forked):
                origin, target = _BITS[square], _BITS[square + leads]
                if stays_whole(caravans[lane], origin, target, solid=stones.solid[lane]):
                    found[lane][die].append((origin, target))
    return found


def _each(stones: int) -> list[tuple[int, int]]:
    """The lanes and places of some stones."""
    found = []
    while stones:
        at = stones.bit_length() - 1
        stones ^= _BITS[at]
        found.append(divmod(at, _LANE))
    return found


def allowed(origin: int) -> int:
    """The squares that the start zone and the ravine leave open to a stone (NO-Z1, NO-R2)."""
    if origin & START:
        return BOARD
    return FAR if origin & FAR else BOARD & ~START


@cache
def _open(leads: int) -> int:
    """The squares from which a stone is allowed to go by a shift."""
    return sum([origin for origin in each(BOARD) if shift(origin, leads) & allowed(origin)]) * _LANES


class Reach(NamedTuple):
    """A stone, and the squares to which a die can take it."""

    die: int
    origin: int
    targets: int


def reach(position: Position, dice: Iterable[int]) -> Iterator[Reach]:
    """What each of some dice could do now: die by die, stone by stone, each only where it can go somewhere."""
    (ways,) = roam([position.caravan], [dice], goal=position.ground.goal)
    for die, moves in ways.items():
        reached: dict[int, int] = {}
        for origin, target in moves:
            reached[origin] = reached.get(origin, 0) | target
        for origin in sorted(reached):
            targets = reached[origin] & ~left_with(position.made, die, origin)
            if targets:
                yield Reach(die, origin, targets)


def left_with(made: tuple[Made, ...], die: int, stone: int) -> int:
    """The squares that a stone has left in this turn with dice of one value (NO-M9).

    Stones of one colour are told apart by following the moves back from where the stone stands now.
    """
    left = 0
    for move in reversed(made):
        if move.target == stone:
            stone = move.origin
            if move.die == die:
                left |= stone
    return left


def choices(position: Position) -> Iterator[tuple[int, int, int]]:
    """All single moves now as die, origin and target; dice of one value count once."""
    for die, origin, targets in reach(position, sorted(set(position.unplayed))):
        for target in each(targets):
            yield die, origin, target


def can_play(caravan: int, dice: Iterable[int], *, goal: int) -> bool:
    """Whether any of some dice just thrown can be played: nearly always the first stone that is asked can go."""
    ways_of = [_outlines(die).items() for die in set(dice)]
    for origin in each(with_free_side(caravan) & ~goal):
        free = landings(caravan, origin) & allowed(origin)
        away = origin.bit_length() - _CENTRE.bit_length()
        for ways_of_die in ways_of:
            for leads, outlines in ways_of_die:
                if shift(origin, leads) & free and any(not shift(over, away) & ~caravan for over, _ in outlines):
                    return True
    return False
