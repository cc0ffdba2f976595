"""Dates as people write them, where they can mean one day only.

2026-12-20, 20.12.2026, 20/12/2026, 20 December 2026, December 20, 2026, with the months of five languages. A date
whose day and month could be exchanged, 05/06/2026, is none; nor is one without its year.
"""

import re
from datetime import date
from typing import Final

_MONTHS: Final = (
    "jan январ stycz styczni ינואר",
    "feb февр luty lutego פברואר",
    "mar maart март marz marc מרץ מרס",
    "apr апрел kwie אפריל",
    "may mei мая май maj מאי",
    "jun июн czerw יוני",
    "jul июл lip יולי",
    "aug август sierp אוגוסט",
    "sep сент wrze ספטמבר",
    "oct okt октяб pazdz październik paźdz אוקטובר",
    "nov нояб listop נובמבר",
    "dec декаб grud דצמבר",
)
"""How the names of the months begin; a Hebrew name may follow the letter for `in`."""

_NAMES: Final = {beginning: number for number, names in enumerate(_MONTHS, start=1) for beginning in names.split()}
_NUMBERS: Final = re.compile(r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})")
_NAMED: Final = re.compile(r"(?:(\d{1,2})[.]?\s+)?ב?-?([^\W\d_]{3,12})[.]?,?\s+(?:(\d{1,2}),?\s+)?(\d{4})")


def read_date(text: str) -> date | None:
    """The one day that a text means, or None."""
    numbers = _NUMBERS.fullmatch(text)
    if numbers is not None:
        return _by_numbers(int(numbers[1]), numbers[2], int(numbers[3]), int(numbers[4]))
    named = _NAMED.fullmatch(text)
    if named is None or (named[1] is None) == (named[3] is None):
        return None
    month = next((number for beginning, number in _NAMES.items() if named[2].lower().startswith(beginning)), 0)
    return _day(int(named[4]), month, int(named[1] or named[3]))


def _by_numbers(first: int, sign: str, second: int, third: int) -> date | None:
    if first > 31:
        return _day(first, second, third) if sign == "-" else None
    # Dots are written by people who put the day first; with other signs either could come first.
    if sign == "." or first > 12 or first == second:
        return _day(third, second, first)
    return None


def _day(year: int, month: int, day: int) -> date | None:
    if not 1000 <= year <= 9998:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
