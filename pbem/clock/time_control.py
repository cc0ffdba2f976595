"""The time control of a table: how long turns may take.

Durations are written ``3d``, ``36h`` or ``1d12h``. A control is part of the table's terms, which stand in its first
event. It holds lengths of time only; deadlines are computed by the clock.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

WAIT: Final = "wait"
PLAY: Final = "play"
"""The policies for a seat that does not answer in time, as far as they matter to a clock."""

RUN: Final = "run"
REST: Final = "rest"

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKEND: Final = WEEKDAYS[5:]

OFF: Final = "off"
QUARTER: Final = "quarter"
"""Whether moves are pencilled: not at all, or for a quarter of the time that is left; else a duration says how long."""
THIRD: Final = "third"
"""How long offers are open: a third of the time for a turn; `off` is as long as a turn, else a duration says it."""
SHORTEST_PENCIL: Final = timedelta(hours=1)
LONGEST_PENCIL: Final = timedelta(hours=12)
_MINUTE: Final = timedelta(minutes=1)

_UNITS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION: Final = re.compile("".join(rf"(?:(\d{{1,6}}){unit})?" for unit in _UNITS))


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a turn may take, and what happens when it takes longer.

    Without `bank`, every turn has `per_turn`. With it, a seat has a bank of time that grows by `increment` each turn,
    up to `cap`; a turn is late when the bank is empty.
    """

    per_turn: timedelta = timedelta(days=3)
    bank: timedelta | None = None
    increment: timedelta = timedelta(days=1)
    cap: timedelta = timedelta(days=14)
    grace: timedelta = timedelta(hours=12)
    reminders: tuple[timedelta, ...] = (timedelta(hours=24), timedelta(hours=6))
    """How long before the deadline a player is reminded, longest first."""
    weekends: bool = True
    """False when Saturdays and Sundays of the player's zone do not count."""
    rest: tuple[str, ...] = ()
    """Other days of the week that do not count either."""
    holidays: frozenset[date] = frozenset()
    """Days of the calendar that do not count."""
    holidays_of: tuple[str, ...] = ()
    """The countries whose holidays these are. Clocks go by the days alone."""
    silence: str = WAIT
    absence: int = 21
    """Days of absence a seat may take in one game."""
    pencil: str = OFF
    """How long a move waits that stands beside words which are not known: `off`, `quarter`, or a duration."""
    offers: str = OFF
    """How long offers to other players are open: `off` (as long as a turn), `third`, or a duration."""

    @property
    def resting(self) -> frozenset[int]:
        """The days of the week that do not count, from 0 for Monday."""
        days = {*self.rest, *(() if self.weekends else WEEKEND)}
        return frozenset(number for number, day in enumerate(WEEKDAYS) if day in days)

    @property
    def offer_length(self) -> timedelta | None:
        """How long an offer is open, to the full minute: a third of a turn at most; None if as long as a turn."""
        third = (self.per_turn if self.bank is None else self.increment) / 3
        length = None if self.offers == OFF else third if self.offers == THIRD else parse_duration(self.offers)
        return None if length is None else max(min(length, third) // _MINUTE, 1) * _MINUTE

    @property
    def first_length(self) -> timedelta:
        """The time of a seat that has neither spent nor saved any."""
        return self.per_turn if self.bank is None else min(self.bank, self.cap)


def pencil_moment(control: TimeControl, now: datetime, deadline: datetime | None) -> datetime | None:
    """When a move that is pencilled now is played, to the full minute; None where moves are not pencilled."""
    if control.pencil == QUARTER:
        left = deadline - now if deadline is not None else LONGEST_PENCIL * 4
        length = min(max(left / 4, SHORTEST_PENCIL), LONGEST_PENCIL)
    else:
        length = parse_duration(control.pencil) or timedelta()
    if not length:
        return None
    # What a mail says is in full minutes, and nothing is played before the time that it says.
    return (now + length + _MINUTE - timedelta(microseconds=1)).replace(second=0, microsecond=0)


def add_durations(moment: datetime, durations: Iterable[str]) -> datetime:
    """A moment moved by durations as people write them."""
    return sum((parse_duration(each) or timedelta() for each in durations), timedelta()) + moment


@lru_cache(maxsize=256)
def parse_duration(text: str) -> timedelta | None:
    """A duration as people write it, largest unit first; None if it is not one.

    Results are cached, because the terms of a table are read with every letter.
    """
    match = _DURATION.fullmatch(text.lower().replace(" ", ""))
    if match is None or not any(match.groups()):
        return None
    counts = (int(count or 0) for count in match.groups())
    return timedelta(seconds=sum(count * size for count, size in zip(counts, _UNITS.values(), strict=True)))


def format_duration(duration: timedelta) -> str:
    """A duration in its shortest form: ``3d``, ``1d12h``."""
    left, words = int(duration.total_seconds()), []
    for unit, size in _UNITS.items():
        count, left = divmod(left, size)
        if count:
            words.append(f"{count}{unit}")
    return "".join(words) or "0s"


def control_from_terms(terms: Mapping[str, object]) -> TimeControl:
    """The control in a table's terms, as `control_to_terms` writes them; what is missing gets its default."""
    usual = TimeControl()

    def length(name: str, otherwise: timedelta) -> timedelta:
        read = parse_duration(str(terms.get(name, "")))
        return otherwise if read is None else read

    named = terms.get("reminders")
    reminders = [parse_duration(str(each)) for each in named] if isinstance(named, list | tuple) else usual.reminders
    bank = length("bank", usual.cap) if "bank" in terms else None
    return TimeControl(
        per_turn=length("per_turn", usual.per_turn),
        bank=bank,
        increment=length("increment", usual.increment),
        cap=length("cap", max(bank or usual.cap, usual.cap)),
        grace=length("grace", usual.grace),
        reminders=tuple(sorted((each for each in reminders if each is not None), reverse=True)),
        weekends=terms.get("weekends", RUN) == RUN,
        rest=tuple(day for day in WEEKDAYS if day in _listed(terms, "rest")),
        holidays=frozenset(map(date.fromisoformat, _listed(terms, "holidays"))),
        holidays_of=_listed(terms, "holidays_of"),
        silence=str(terms.get("silence", usual.silence)),
        absence=int(str(terms.get("absence", usual.absence))),
        pencil=str(terms.get("pencil", OFF)),
        offers=str(terms.get("offers", OFF)),
    )


def _listed(terms: Mapping[str, object], name: str) -> tuple[str, ...]:
    found = terms.get(name)
    return tuple(map(str, found)) if isinstance(found, list | tuple) else ()


def control_to_terms(control: TimeControl) -> dict[str, object]:
    """A control as plain data in the terms of a table."""
    bank = {} if control.bank is None else {"bank": format_duration(control.bank), "cap": format_duration(control.cap)}
    return {
        "per_turn": format_duration(control.per_turn),
        **bank,
        "increment": format_duration(control.increment),
        "grace": format_duration(control.grace),
        "reminders": [format_duration(each) for each in control.reminders],
        "weekends": RUN if control.weekends else REST,
        **({"rest": [*control.rest]} if control.rest else {}),
        **({"holidays": [day.isoformat() for day in sorted(control.holidays)]} if control.holidays else {}),
        **({"holidays_of": [*control.holidays_of]} if control.holidays_of else {}),
        "silence": control.silence,
        "absence": control.absence,
        **({} if control.pencil == OFF else {"pencil": control.pencil}),
        **({} if control.offers == OFF else {"offers": control.offers}),
    }
