"""Every table to which a turn can lead, all at once and without the ways there.

There may be millions, so tables are followed as integers, die after die, and those that are alike only once.

- What the player on turn has left (dice, coins, and where NO-M9 shuts stones out) is everything but stones and cards on
  which the rest of the turn depends. Tables with equal stones and equal hands are alike, however they came about.
- The stones of all players, with a number that stands for the rest of the table, are one small integer. Only the
  squares that a turn can reach take part. They are in planes: first all stones, then for each bit of an owner's number
  the stones of owners whose number has it. So one operation moves a stone of any owner.

Where stones can go is asked of `paths`, what they earn of `caravan`.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from engine.nomadi.board import COLUMNS, ROWS, each
from engine.nomadi.board import OVER as COLUMN_BITS
from engine.nomadi.caravan import HOME, earned, eventful
from engine.nomadi.paths import TOGETHER, Ways, allowed, left_with, roam
from engine.nomadi.position import ANSWERS, LOOKING, MOVING, OVER, THROWING, Position

Step = tuple[int, int, int]
"""A die, the square of a stone, and the one to which it is taken."""
NONE: Final[frozenset[Step]] = frozenset()


class Hand(NamedTuple):
    """What is left at one moment."""

    phase: str
    coins: tuple[int, ...]
    """The coins of each player."""
    dice: tuple[int, ...] = ()
    """The dice left, lowest first; none once the turn or the game is over."""
    shut: frozenset[Step] = NONE
    """What NO-M9 forbids, as far as no other rule does: squares that stones left with dice like those that are left."""


def hand_of(position: Position) -> Hand:
    """The hand at a position."""
    if position.phase in (OVER, ANSWERS):
        return Hand(position.phase, position.coins)
    dice = tuple(sorted(position.unplayed))
    back = [
        (die, stone, square)
        for die in set(dice)
        for stone in each(sum({move.target for move in position.made}) & position.caravan)
        for square in each(left_with(position.made, die, stone))
    ]
    return Hand(position.phase, position.coins, dice, _matter(back, dice, position.ground.goal))


def spend(hand: Hand, die: int) -> Hand:
    """The hand without a die: the last of its kind, and any stone it moved, if only that is nowhere shut out."""
    at = hand.dice.index(die)
    dice = hand.dice[:at] + hand.dice[at + 1 :]
    if not dice:
        return Hand(THROWING, hand.coins)
    return Hand(hand.phase, hand.coins, dice, frozenset([step for step in hand.shut if step[0] in dice]))


def play(hand: Hand, step: Step, *, goal: int) -> Hand:
    """The hand after a die has moved a stone, before anything is earned by it."""
    die, origin, target = step
    spent = spend(hand, die)
    back = [(value, target if stone == origin else stone, square) for value, stone, square in spent.shut]
    return spent._replace(shut=_matter([*back, (die, target, origin)], spent.dice, goal))


def _matter(back: list[Step], dice: tuple[int, ...], goal: int) -> frozenset[Step]:
    """Of steps back those that only NO-M9 forbids: the die is left, the stone not home, and no zone in the way."""
    return frozenset(
        [
            (die, stone, square)
            for die, stone, square in back
            if die in dice and not stone & goal and square & allowed(stone)
        ]
    )


class Packing:
    """How the tables of one turn are packed; the number stands above the planes, from the bit `top` on."""

    def __init__(self, position: Position) -> None:
        stones = [divmod(bit.bit_length() - 1, COLUMN_BITS) for bit in each(position.caravan)]
        columns, rows = zip(*stones, strict=True)
        more = len(
            position.unplayed
        )  # the caravan stays whole, so a die makes it wider or longer by one square at most
        self._squares = [
            1 << column * COLUMN_BITS + row
            for column in range(max(1, min(columns) - more), min(COLUMNS, max(columns) + more) + 1)
            for row in range(max(0, min(rows) - more), min(ROWS - 1, max(rows) + more) + 1)
        ]
        self._places = {square: place for place, square in enumerate(self._squares)}
        self._players = len(position.stones)
        self._planes = range(0, len(self._squares) * (1 + (self._players - 1).bit_length()), len(self._squares))
        self._lifted: dict[int, int] = {}
        self.top = self._planes.stop

    def pack(self, stones: Iterable[int], number: int) -> int:
        """A table as an integer."""
        packed = number << self.top
        for owner, own in enumerate(stones):
            marks = sum(1 << plane for bit, plane in enumerate(self._planes) if (1 | owner << 1) >> bit & 1)
            packed |= sum(marks << self._places[square] for square in each(own))
        return packed

    def unpack(self, packed: int) -> tuple[int, tuple[int, ...]]:
        """The number, and the stones of each player."""
        stones = [0] * self._players
        for place, square in enumerate(self._squares):
            if packed >> place & 1:
                stones[self._owner(packed, place)] |= square
        return packed >> self.top, tuple(stones)

    def move(self, tables: Iterable[int], origin: int, target: int, change: int = 0) -> list[int]:
        """Some tables after the stone on one square moved to another, and their numbers changed bit by bit."""
        lifted = self._lifted.get(origin)
        if lifted is None:
            lifted = self._lifted[origin] = sum(1 << plane + self._places[origin] for plane in self._planes)
        leads = self._places[target] - self._places[origin]
        change <<= self.top
        if leads > 0:
            return [packed ^ (stone := packed & lifted) ^ stone << leads ^ change for packed in tables]
        return [packed ^ (stone := packed & lifted) ^ stone >> -leads ^ change for packed in tables]

    def by_owner(self, tables: Iterable[int], square: int) -> dict[int, list[int]]:
        """Some tables by the owner of the stone on a square."""
        found: dict[int, list[int]] = {}
        for packed in tables:
            found.setdefault(self._owner(packed, self._places[square]), []).append(packed)
        return found

    def _owner(self, packed: int, place: int) -> int:
        return sum((packed >> plane + place & 1) << bit for bit, plane in enumerate(self._planes[1:]))


class TurnOutcome(NamedTuple):
    """A table where the turn or the game ends, or where a card is looked at, for what follows depends on that."""

    hand: Hand
    stones: tuple[int, ...]


def outcome(position: Position) -> TurnOutcome:
    """What a position comes to, however it was reached."""
    return TurnOutcome(hand_of(position), position.stones)


def essence(position: Position) -> tuple[Hand, Position]:
    """What of a position matters for the rest of the game: not the moves made, but what they leave to the player."""
    return hand_of(position), position._replace(dice=(), unplayed=(), made=())


class Outcomes:
    """All outcomes of a turn, each once and in no order; none while there is nothing to play."""

    def __init__(self, position: Position) -> None:
        self._search = _Search(position)

    def __len__(self) -> int:
        return len(self._search.ends)

    def __iter__(self) -> Iterator[TurnOutcome]:
        search = self._search
        for packed in search.ends:
            number, stones = search.packing.unpack(packed)
            yield TurnOutcome(search.hands[number], stones)


_Level = dict[int, set[int]]
"""Packed tables with equally many dice left, by their caravans."""


class _Lot(NamedTuple):
    """Tables with stones on the same squares, and the hand with which all of them are played."""

    number: int
    hand: Hand
    tables: list[int]


class _Search:
    """The tables of one turn, packed; hands are known by their numbers."""

    def __init__(self, position: Position) -> None:
        self.packing = Packing(position)
        self.hands: list[Hand] = []
        self.ends: set[int] = set()
        self._numbers: dict[Hand, int] = {}
        self._played: dict[tuple[int, Step], int] = {}
        self._spent: dict[tuple[int, int], int] = {}
        self._goal, self._cards, self._who = position.ground.goal, position.cards, position.who
        self._closed = ANSWERS if position.open_offers() else OVER
        if position.phase == MOVING:
            packed = self.packing.pack(position.stones, self._number(hand_of(position)))
            level = {position.caravan: {packed}}
            for left in range(len(position.unplayed), 0, -1):
                level = self._play(level, is_last=left == 1)

    def _play(self, level: _Level, *, is_last: bool) -> _Level:
        """Play one die more at all tables of a level, which is used up by it."""
        after: _Level = {}
        while level:
            caravans = list(islice(level, TOGETHER))
            lots = [self._by_hand(level.pop(caravan)) for caravan in caravans]
            dice = [{die for lot in alike for die in lot.hand.dice} for alike in lots]
            for caravan, alike, ways in zip(caravans, lots, roam(caravans, dice, goal=self._goal), strict=True):
                self._move(caravan, alike, ways, None if is_last else after)
        return after

    def _by_hand(self, tables: set[int]) -> list[_Lot]:
        found: dict[int, list[int]] = {}
        for packed in tables:
            found.setdefault(packed >> self.packing.top, []).append(packed)
        return [_Lot(number, self.hands[number], alike) for number, alike in found.items()]

    def _move(self, caravan: int, lots: list[_Lot], ways: Ways, after: _Level | None) -> None:
        """Make all moves with stones on the same squares, for every owner."""
        stuck = {lot.number: lot for lot in lots}
        origins, targets = eventful(caravan, goal=self._goal, cards=self._cards)
        for die, going in ways.items():
            if not going:
                continue
            able = [lot for lot in lots if die in lot.hand.dice]
            for lot in able:
                if not lot.hand.shut or any((die, *move) not in lot.hand.shut for move in going):
                    stuck.pop(lot.number, None)
            # A die of which there are more is remembered with the stone that it moves. With others most stones leave
            # the same hand, so that all these tables can be moved together.
            apart = [lot for lot in able if lot.hand.dice.count(die) > 1]
            alike = [lot for lot in able if lot.hand.dice.count(die) == 1]
            together = self._spend(alike, die)
            shut_out = {stone for lot in alike for _, stone, _ in lot.hand.shut}
            for origin, target in going:
                if origin & origins or target & targets:
                    for lot in able:
                        if (die, origin, target) not in lot.hand.shut:
                            self._settle(caravan, lot, (die, origin, target), after)
                    continue
                singly, moved = apart, []
                if origin in shut_out:
                    singly = able
                elif together:
                    moved = self.packing.move(together, origin, target)
                for number, hand, tables in singly:
                    if (die, origin, target) not in hand.shut:
                        change = number ^ self._after(number, (die, origin, target))
                        moved += self.packing.move(tables, origin, target, change)
                self._put(moved, caravan ^ origin ^ target, after)
        for lot in stuck.values():
            self._stop(lot)

    def _spend(self, lots: list[_Lot], die: int) -> set[int]:
        """Tables with the hands that they will have after a die, but the stones not moved yet."""
        found = set()
        for number, hand, tables in lots:
            change = self._spent.get((number, die))
            if change is None:
                change = self._spent[number, die] = (number ^ self._number(spend(hand, die))) << self.packing.top
            found.update([packed ^ change for packed in tables])
        return found

    def _put(self, moved: list[int], caravan: int, after: _Level | None) -> None:
        """Keep tables for the next die, or as ends when there is none."""
        if after is None:
            self.ends.update(moved)
        elif caravan in after:
            after[caravan].update(moved)
        elif moved:
            after[caravan] = set(moved)

    def _settle(self, caravan: int, lot: _Lot, step: Step, after: _Level | None) -> None:
        """Make a move that earns something; who owns the stone may decide who earns it."""
        _, origin, target = step
        left = caravan ^ origin ^ target
        played = self.hands[self._after(lot.number, step)]
        to_mover, to_owner = earned(caravan, origin, target, goal=self._goal, cards=self._cards)
        owned = self.packing.by_owner(lot.tables, origin) if to_owner else {self._who: lot.tables}
        for owner, tables in owned.items():
            coins = list(played.coins)
            coins[self._who] += to_mover
            coins[owner] += to_owner
            hand = played._replace(coins=tuple(coins))
            if (left & self._goal).bit_count() == len(HOME):
                hand = Hand(self._closed, hand.coins)
            elif target & self._cards:
                hand = hand._replace(phase=LOOKING)
            moved = self.packing.move(tables, origin, target, lot.number ^ self._number(hand))
            self._put(moved, left, after if hand.phase == MOVING else None)

    def _stop(self, lot: _Lot) -> None:
        """End the turn where no die that is left can be played; each costs a coin (NO-D4)."""
        cost = len(lot.hand.dice)
        coins = tuple([own - cost * (who == self._who) for who, own in enumerate(lot.hand.coins)])
        change = (lot.number ^ self._number(Hand(THROWING, coins))) << self.packing.top
        self.ends.update([packed ^ change for packed in lot.tables])

    def _after(self, number: int, step: Step) -> int:
        """The number of a hand after a move."""
        found = self._played.get((number, step))
        if found is None:
            found = self._played[number, step] = self._number(play(self.hands[number], step, goal=self._goal))
        return found

    def _number(self, hand: Hand) -> int:
        number = self._numbers.setdefault(hand, len(self.hands))
        if number == len(self.hands):
            self.hands.append(hand)
        return number
