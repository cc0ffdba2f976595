"""Small changes that might make a refused move legal in Nomadi: another move first, a stone, a die or a coin.

Whether one does is for `judge` to say, so nothing is left out here because of a rule. Values of cards play no part, and
of coins only the mover's own.
"""

from collections.abc import Iterator
from typing import Final

from engine.game import Ply, Seat
from engine.nomadi.apply import apply
from engine.nomadi.board import BITS, BOARD, NAMES, each, grow
from engine.nomadi.caravan import parts
from engine.nomadi.judge import can_step
from engine.nomadi.moves import End, Give, Offer, Place, Step
from engine.nomadi.paths import choices, ways
from engine.nomadi.position import ANSWERS, MOVING, OFFERING, OVER, PLACING, THROWING, Position
from engine.verdict import TURN, Proposal, Remedy, after, free

FIRST: Final = 16
"""So many single moves are tried before a refused one."""
FACES: Final = range(1, 7)
"""What a die can show."""
LACKED: Final = 2
"""So many coins may be lacking."""


def remedies(position: Position, ply: Ply) -> Iterator[Proposal]:
    """Changes for a refused ply, the smallest first, each with the position as it would be then."""
    seat, move = ply
    ground = position.ground
    if seat not in ground.seats or position.phase in (OVER, ANSWERS):
        return
    if isinstance(move, Give):
        yield from _richer(position, seat, move)
    elif seat != ground.seats[position.who]:
        if isinstance(move, Step | Place | End):
            turned = position._replace(who=ground.seats.index(seat))
            yield Proposal(Remedy("order", TURN, {"seat": seat}), turned)
    elif position.phase == OFFERING:
        yield after(Offer(), apply(position, Ply(seat, Offer())))
    elif isinstance(move, Place) and BITS.get(move.square, 0) & position.caravan:
        yield free(move.square, _without(position, BITS[move.square]))
    elif isinstance(move, Step) and position.phase in (MOVING, THROWING):
        # What does not help is left out already, for `judge` takes long over a step that it refuses.
        yield from (one for one in _for_step(position, seat, move) if can_step(one.position, move))


def next_turn(position: Position, ply: Ply) -> Position | None:
    """The table in the turn of another seat: while stones are set up, later before its dice are thrown."""
    seats = position.ground.seats
    if ply.seat not in seats or position.phase in (OVER, ANSWERS):
        return None
    turned = position._replace(who=seats.index(ply.seat))
    return turned if position.phase == PLACING else turned._replace(phase=THROWING, dice=(), unplayed=(), made=())


def _richer(position: Position, seat: Seat, gift: Give) -> Iterator[Proposal]:
    """As many coins as a gift lacks, if they are few."""
    who = position.ground.seats.index(seat)
    lacking = gift.coins - position.coins[who]
    if 0 < lacking <= LACKED:
        coins = [*position.coins]
        coins[who] = gift.coins
        says = "it would be legal with one coin more" if lacking == 1 else "it would be legal with {count} coins more"
        yield Proposal(Remedy("stock", says, {"count": lacking}), position._replace(coins=tuple(coins)))


def _for_step(position: Position, seat: Seat, move: Step) -> Iterator[Proposal]:
    """A move that makes way, another die, a stone less, a stone more."""
    origin, target = BITS.get(move.origin, 0), BITS.get(move.target, 0)
    if not origin or not target or origin == target or move.die not in FACES:
        return
    if move.die not in position.unplayed:
        yield _with_die(position, move.die)
        return
    caravan = position.caravan
    empty = _wanted(position, move, origin, target)
    filled = target & caravan or (grow(origin) & caravan if origin & caravan else 0)
    yield from _moves_first(position, seat, filled, empty)
    # A caravan hangs together before a move, also in what is imagined.
    for bit in each(filled):
        if _is_whole(caravan & ~bit):
            yield free(NAMES[bit], _without(position, bit))
    for bit in each(empty):
        if not _is_whole(caravan | bit):
            continue
        facts = {"at": NAMES[bit]}
        yield Proposal(
            Remedy("piece", "it would be legal if a stone stood at {at}", facts, (NAMES[bit],)), _with(position, bit)
        )


def _wanted(position: Position, move: Step, origin: int, target: int) -> int:
    """The empty squares where one more stone might do: at the start, on the way, or to hold the caravan together."""
    caravan = position.caravan
    if not origin & caravan:
        return origin
    if not target & caravan:
        gaps = [way.over & ~caravan for way in ways(move.die, origin, target)]
        lone = [gap for gap in gaps if gap.bit_count() == 1]
        if gaps and all(gaps):
            return sum({*lone})
    moved = caravan & ~origin | target
    joining = BOARD & ~moved
    for part in parts(moved):
        joining &= grow(part)
    return joining & ~origin


def _is_whole(caravan: int) -> bool:
    return len([*parts(caravan)]) == 1


def _moves_first(position: Position, seat: Seat, leaving: int, landing: int) -> Iterator[Proposal]:
    """Single moves that take a stone away from one of some squares, or bring one to one of others."""
    if position.phase != MOVING:
        return
    tried = 0
    for die, origin, target in choices(position):
        if (origin & leaving or target & landing) and tried < FIRST:
            tried += 1
            step = Step(die, NAMES[origin], NAMES[target])
            yield after(step, apply(position, Ply(seat, step)), NAMES[target])


def _with_die(position: Position, die: int) -> Proposal:
    """The table with one more die to play."""
    dice = (*position.unplayed, die)
    more = position._replace(phase=MOVING, dice=(*position.dice, die), unplayed=dice)
    return Proposal(Remedy("stock", "it would be legal with a {die} among the dice", {"die": die}), more)


def _without(position: Position, bit: int) -> Position:
    """The table without the stone on a square."""
    return position._replace(stones=tuple([own & ~bit for own in position.stones]))


def _with(position: Position, bit: int) -> Position:
    """The table with one more stone of the player on turn."""
    stones = [*position.stones]
    stones[position.who] |= bit
    return position._replace(stones=tuple(stones))
