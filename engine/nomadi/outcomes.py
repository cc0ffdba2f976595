"""Every table to which a turn can lead, all at once and without the ways there.

There may be millions, so tables are followed as integers, die after die, and those that are alike only once. Where
stones can go is `roaming`'s to say, what they earn `earning`'s.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from engine.nomadi.earning import HOME, earned, eventful
from engine.nomadi.hands import Hand, Step, hand_of, play, spend
from engine.nomadi.packing import Packing
from engine.nomadi.position import ANSWERS, LOOKING, MOVING, OVER, THROWING, Position
from engine.nomadi.roaming import TOGETHER, Ways, roam


class Outcome(NamedTuple):
    """A table where the turn or the game ends, or where a card is looked at, for what follows depends on that."""

    hand: Hand
    stones: tuple[int, ...]


def outcome(position: Position) -> Outcome:
    """What a position comes to, however it was reached."""
    return Outcome(hand_of(position), position.stones)


def essence(position: Position) -> tuple[Hand, Position]:
    """What of a position matters for the rest of the game: not the moves made, but what they leave to the player."""
    return hand_of(position), position._replace(dice=(), unplayed=(), made=())


class Outcomes:
    """All outcomes of a turn, each once and in no order; none while there is nothing to play."""

    def __init__(self, position: Position) -> None:
        self._search = _Search(position)

    def __len__(self) -> int:
        return len(self._search.ends)

    def __iter__(self) -> Iterator[Outcome]:
        search = self._search
        for packed in search.ends:
            number, stones = search.packing.unpack(packed)
            yield Outcome(search.hands[number], stones)


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
        """Make all moves with stones on the same squares, whoever owns them."""
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
