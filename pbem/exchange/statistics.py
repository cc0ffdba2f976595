"""What many finished games say together: who wins from which seat, points by source, length, dice and draws, time.

Games go on counting whatever order they come in, and only sums are kept. Games that go on are left out: what they could
add might tell what their players may not know. A test says how likely chance alone would differ so much from what is
expected (Pearson's chi-squared); its distribution is a dozen lines here, for a library that has it weighs 100 MB.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.game import CHANCE
from pbem.events.annotations import DRAWN, parse_annotation
from pbem.exchange.tables import GameRows

_DICE: Final = re.compile(r"dice ((?:[0-9]{1,2} ?)+)")
_DRAWN: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6}) ([^,]{1,80})")
_MOST_OUTCOMES: Final = 40
"""Draws with more outcomes than this are too rare to be counted one by one."""
_ENOUGH: Final = 5
"""A test needs so many expected of every outcome."""


class FitTest(NamedTuple):
    """How well counts fit what is expected: chi-squared, degrees of freedom and the p-value; None with too few."""

    squared: float
    freedom: int
    p: float


@dataclass
class OfSeats:
    """Games of one number of players: how many, how often each place won (shared wins in parts), and turns."""

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    shared: int = 0
    turns: list[int] = field(default_factory=list)


@dataclass
class GameStatistics:
    """The sums of all games of one kind."""

    games: int = 0
    by_seats: dict[int, OfSeats] = field(default_factory=lambda: defaultdict(OfSeats))
    points: Counter[str] = field(default_factory=Counter)
    """Points by source, of all players."""
    by_turn: Counter[int] = field(default_factory=Counter)
    """Points gained by everybody, by turn."""
    players: int = 0
    dice: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    drawn: dict[tuple[str, int], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """Outcomes of sealed draws by purpose and number of outcomes."""
    seconds: list[int] = field(default_factory=list)
    traits: dict[str, dict[str, tuple[int, Counter[int]]]] = field(default_factory=dict)
    """Traits of games by name and value: how many games have it, and which places won them."""

    def take(self, made: GameRows, traits: Mapping[str, str]) -> None:
        """Add a finished game."""
        self.games += 1
        turns = max((int(row[2] or 0) for row in made.rows["entries"]), default=0)
        places = [(int(row[1] or 0), bool(row[5])) for row in made.rows["players"]]
        won = [place for place, is_won in places if is_won]
        of_seats = self.by_seats[len(places)]
        of_seats.games += 1
        of_seats.turns.append(turns)
        of_seats.shared += len(won) != 1
        if len(won) == 1:
            of_seats.wins[won[0]] += 1
        self.players += len(places)
        for _, _, turn, _, source, gain in made.rows["points"]:
            self.points[str(source)] += int(gain or 0)
            self.by_turn[int(turn or 0)] += int(gain or 0)
        for row in made.rows["entries"]:
            if row[3] == CHANCE:
                self._take_dice(str(row[5]))
        self._take_drawn(made)
        self.seconds += [int(row[6]) for row in made.rows["times"] if row[6] is not None]
        for name, value in traits.items():
            games, wins = self.traits.setdefault(name, {}).get(str(value), (0, Counter[int]()))
            self.traits[name][str(value)] = games + 1, wins + Counter(won if len(won) == 1 else ())

    def _take_dice(self, clause: str) -> None:
        found = _DICE.fullmatch(clause)
        if found is None:
            return
        values = [int(value) for value in found[1].split()]
        # The third die of the Watch counts wildlings and has twelve sides.
        for order, value in enumerate(values):
            self.dice["wildling die" if len(values) == 3 and order == 2 else "dice"][value] += 1

    def _take_drawn(self, made: GameRows) -> None:
        record = made.opened.record
        for remarks in (*(entry.remarks for entry in record.entries), record.afterword):
            for remark in remarks:
                name, said = parse_annotation(remark) or ("", "")
                for outcome, of, purpose in _DRAWN.findall(said) if name == DRAWN else ():
                    if 1 < int(of) <= _MOST_OUTCOMES:
                        self.drawn[purpose, int(of)][int(outcome)] += 1


SIDES: Final = {"dice": range(1, 7), "wildling die": range(1, 13)}
"""The faces of each kind of die."""


def wins_test(of_seats: OfSeats, players: int) -> FitTest | None:
    """Whether every place wins equally often; games with several winners are left out."""
    return fit_test([of_seats.wins[place] for place in range(1, players + 1)])


def fit_test(counts: Sequence[int], expected: Sequence[float] | None = None) -> FitTest | None:
    """Pearson's test that counts fit what is expected (all the same, if nothing is said); None with too few."""
    total = sum(counts)
    wanted = expected if expected is not None else [total / len(counts)] * len(counts) if counts else []
    if len(counts) < 2 or min(wanted) < _ENOUGH:
        return None
    squared = sum((count - want) ** 2 / want for count, want in zip(counts, wanted, strict=True))
    return FitTest(squared, len(counts) - 1, upper_chi_squared(squared, len(counts) - 1))


def upper_chi_squared(squared: float, freedom: int) -> float:
    """The probability that chi-squared is at least so large: exact for whole degrees of freedom, by recurrence."""
    half = squared / 2
    if half <= 0:
        return 1.0
    at = 0.5 if freedom % 2 else 1.0
    p = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while at < freedom / 2:
        p += math.exp(at * math.log(half) - half - math.lgamma(at + 1))
        at += 1
    return min(p, 1.0)


def middle(values: Iterable[int]) -> float:
    """The median."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return 0.0
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
