"""Public holidays, on which no time runs: asked for by country, and kept as days.

Which days they are is looked up once, when somebody asks for them, in the library `holidays`, an extra of ours. From
then on the days themselves stand in the events, with the country only as their name: a record is judged by them in
twenty years without any library, and a newer version of it moves no deadline. What is looked up reaches to the end of
the next year; each year that begins adds another one, and changes none of the days that were told before.

The library is loaded where a country is asked for (0.3 s), and nowhere else.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final

from pbem.clock.time_control import TimeControl
from pbem.tables import table_rules
from pbem.tables.decision import Refused

HOLIDAYS: Final = "holidays"
MOST_COUNTRIES: Final = 3
_MOST_DAYS: Final = 366
_COUNTRY: Final = re.compile(r"[A-Z]{2}(?:-[A-Z0-9]{1,3})?")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def settle_holidays(what: str, today: date) -> str:
    """A change with its days: `holidays NL` becomes `holidays NL 2026-12-25 …`.

    Other changes, and countries that we know no holidays of, come back as they are.
    """
    name, _, value = what.partition(" ")
    countries = tuple(dict.fromkeys(value.upper().split()))
    if name != HOLIDAYS or not 0 < len(countries) <= MOST_COUNTRIES or not all(map(_COUNTRY.fullmatch, countries)):
        return what
    found = [days for year in (today.year, today.year + 1) for days in (_look_up(each, year) for each in countries)]
    if any(days is None for days in found):
        return what
    coming = {day for days in found if days is not None for day in days if day >= today}
    return f"{HOLIDAYS} {say_holidays(countries, coming)}"


def add_year(countries: Sequence[str], days: Iterable[date], today: date) -> str | None:
    """The value with the holidays of the next year, once a year has begun; None if nothing is to be added."""
    known = sorted(days)
    if not countries or not known or known[-1].year > today.year:
        return None
    more = [_look_up(each, today.year + 1) for each in countries]
    if any(found is None for found in more):
        return None  # the library is gone, or no longer knows the country: the days that were told stay
    return say_holidays(countries, {*known, *(day for found in more for day in found or ())})


def next_year_of(control: TimeControl, now: datetime) -> datetime | None:
    """When the holidays of another year are to be added; None if there are none, or if we know none to add."""
    if not control.holidays_of or not control.holidays:
        return None
    moment = datetime(max(control.holidays).year, 1, 1, tzinfo=UTC)
    is_open = moment > now or add_year(control.holidays_of, control.holidays, now.date()) is not None
    return moment if is_open else None


@lru_cache(maxsize=64)
def _look_up(country: str, year: int) -> frozenset[date] | None:
    """The public holidays of a country, or of a part of it, in a year; None if the library does not know it."""
    try:
        from holidays import country_holidays
    except ImportError:
        return None
    code, _, part = country.partition("-")
    try:
        found = country_holidays(code, subdiv=part or None, years=year)
    except RuntimeError:  # it has no such country, or no such part of it
        return None
    return frozenset(day for day in found if day.year == year) or None


def read_holidays(value: str) -> tuple[tuple[str, ...], tuple[date, ...]] | None:
    """The countries and days in a value as events have it; None if it is none."""
    words = value.split()
    countries = tuple(dict.fromkeys(word for word in words if _COUNTRY.fullmatch(word)))
    written = words[len(countries) :]
    if not 0 < len(countries) <= MOST_COUNTRIES or not 0 < len(written) <= _MOST_DAYS:
        return None
    if not all(map(_DAY.fullmatch, written)):
        return None
    try:
        return countries, tuple(sorted({date.fromisoformat(word) for word in written}))
    except ValueError:
        return None


def say_holidays(countries: Sequence[str], days: Iterable[date]) -> str:
    """Countries and days in one line, as events have them; empty if there are none."""
    return " ".join((*countries, *(day.isoformat() for day in sorted(days))))


def refuse_holidays(asked: str) -> Refused:
    """What is said where we know no holidays of a country."""
    says = "we know no holidays of {what}; write holidays and the two letters of a country or two, such as holidays NL"
    return Refused(table_rules.G1, says, {"what": asked})
