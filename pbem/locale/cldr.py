"""Dates, lengths of time, lists, languages and countries as each language names them, by the CLDR data of Babel.

Babel is loaded with the first date of a process (about 30 ms), so commands that write no mail do not pay for it.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal, TypeAlias

CACHE: Final = 1024
"""Days and lists that are cached: many mails name the same ones."""

_REGIONS: Final = {"en": "en_GB"}
"""Where a language is written in several ways, the one we take: ``a, b and c``, and the day before the month."""

Units: TypeAlias = tuple[tuple[Literal["day", "hour", "minute"], timedelta], ...]
_NEVER_LARGER: Final = 1_000_000
"""So many of a larger unit would be said in it: 21 days stay days."""


@lru_cache(maxsize=CACHE)
def format_day(day: date, code: str, *, with_year: bool = False) -> str:
    """``Fri 4 Sep``, with the year if it is another one than the reader's."""
    from babel.dates import format_date, format_skeleton

    if code == "en":  # CLDR has commas here, and Sept for September
        return format_date(day, "EEE d MMM y" if with_year else "EEE d MMM", locale="en")
    return format_skeleton("yMMMEd" if with_year else "MMMEd", datetime(day.year, day.month, day.day), locale=code)


@lru_cache(maxsize=CACHE)
def name_weekday(number: int, code: str) -> str:
    """``Friday``, by its number from 0 for Monday."""
    from babel.dates import get_day_names

    return str(get_day_names("wide", context="stand-alone", locale=code)[number])


@lru_cache(maxsize=CACHE)
def format_date_alone(day: date, code: str) -> str:
    """``4 September 2026``."""
    from babel.dates import format_date

    return format_date(day, "long", locale=_REGIONS.get(code, code))


@lru_cache(maxsize=CACHE)
def format_length(length: timedelta, code: str) -> str:
    """``2 days, 6 hours``: the two largest units that are not zero, rounded down."""
    from babel.dates import format_timedelta

    days, rest = divmod(max(0, int(length.total_seconds()) // 60), 24 * 60)
    hours, minutes = divmod(rest, 60)
    units: Units = (("day", timedelta(days)), ("hour", timedelta(hours=hours)), ("minute", timedelta(minutes=minutes)))
    counted = [unit for unit in units if unit[1]] or [units[-1]]
    # Not by `format_unit`: where a language has no long form of its own, such as Dutch days, it has no words at all.
    return ", ".join(format_timedelta(each, unit, _NEVER_LARGER, locale=code) for unit, each in counted[:2])


@lru_cache(maxsize=CACHE)
def name_language(code: str, locale: str) -> str:
    """What a language is called in another one: ``Polish``, ``польский``."""
    from babel import Locale

    return Locale.parse(code).get_display_name(locale) or code


@lru_cache(maxsize=CACHE)
def name_country(country: str, code: str) -> str:
    """``Netherlands``, by its two letters; with a part of it behind, ``Germany, BY``."""
    from babel import Locale

    letters, _, part = country.partition("-")
    name = str(Locale.parse(code).territories.get(letters, letters))
    return f"{name}, {part}" if part else name


@lru_cache(maxsize=CACHE)
def join_list(words: Sequence[str], code: str, style: Literal["standard", "or"] = "standard") -> str:
    """``a, b and c``, or ``a, b or c``."""
    from babel.lists import format_list

    return format_list(words, style=style, locale=_REGIONS.get(code, code))
