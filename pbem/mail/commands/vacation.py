"""Days away by mail, and dates as people write them.

2026-12-20, 20.12.2026, 20/12/2026, 20 December 2026, December 20, 2026, with the months of every language. A date
whose day and month could be exchanged, 05/06/2026, is not taken; nor is one without its year.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from engine.game import Seat
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    ParsedLine,
    verb,
)
from pbem.mail.commands.letter_line import LineContext
from pbem.mail.commands.preferences import EVERYWHERE
from pbem.mail.commands.vocabulary import month_prefixes, months
from pbem.tables import absences
from pbem.tables.decision import Decision
from pbem.tables.table import Table

_NUMBERS: Final = re.compile(r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})")


@dataclass(frozen=True, slots=True)
class Vacation(Command):
    """Be away from one day to another, both included."""

    first: date
    last: date
    everywhere: bool = False
    """Whether it is meant for all tables of its writer."""

    def format(self) -> str:
        """The first and the last day after the verb."""
        reach = f" {EVERYWHERE}" if self.everywhere else ""
        return f"vacation {self.first.isoformat()} to {self.last.isoformat()}{reach}"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Announce the days."""
        if self.everywhere:
            return absences.announce_most(table, seat, self.first, self.last, context.now.date())
        return absences.announce_absence(table, seat, self.first, self.last, context.now.date())


@dataclass(frozen=True, slots=True)
class DropVacation(Command):
    """Be away on no more days than those that have begun."""

    def format(self) -> str:
        """The verb and none."""
        return "vacation none"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Take back the days that have not begun."""
        return absences.cancel_absence(table, seat, context.now.date())


@dataclass(frozen=True, slots=True)
class UnclearDates(ParsedLine):
    """An absence whose days are not clear; `first` is its first one where only the last is missing."""

    first: date | None = None

    def format(self) -> str:
        """The verb alone."""
        return "vacation"

    def resolve(self, context: LineContext) -> LineMeaning:
        """A question about the days."""
        if self.first is not None:
            says = "line {line} does not say until when; write vacation {first} to, and then the last day"
            return context.line.unread(letter_rules.L3, None, says, first=self.first.isoformat())
        says = "we cannot tell which days you mean in line {line}; write 2026-12-20 to 2027-01-02"
        return context.line.unread(letter_rules.L3, None, says)


def parse_date(text: str) -> date | None:
    """The one day that a text means, or None."""
    numbers = _NUMBERS.fullmatch(text)
    if numbers is not None:
        return _by_numbers(int(numbers[1]), numbers[2], int(numbers[3]), int(numbers[4]))
    named = _named_date().fullmatch(text)
    if named is None or (named[1] is None) == (named[3] is None):
        return None
    month = next((number for beginning, number in months() if named[2].lower().startswith(beginning)), 0)
    return _day(int(named[4]), month, int(named[1] or named[3]))


@cache
def _named_date() -> re.Pattern[str]:
    """A date with the name of its month; in some languages another word is glued to the name."""
    name = rf"(?:{month_prefixes()})?-?([^\W\d_]{{3,12}})[.]?"
    return re.compile(rf"(?:(\d{{1,2}})[.]?\s+)?{name},?\s+(?:(\d{{1,2}}),?\s+)?(\d{{4}})")


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


def _vacation(*said: date | str | None) -> Vacation | UnclearDates:
    days = [each for each in said if not isinstance(each, str)]
    known = [day for day in days if day is not None]
    return Vacation(known[0], known[-1], len(days) < len(said)) if len(known) == len(days) else UnclearDates()


_DATE: Final = (
    r"(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}[.]\s?[0-9]{1,2}[.]\s?[0-9]{4}|[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{4}"
    r"|[0-9]{1,2}[.]?\s+[^\W\d_]{3,12}[.]?,?\s+[0-9]{4}|[^\W\d_]{3,12}[.]?\s+[0-9]{1,2},?\s+[0-9]{4})(?!\w)"
)

FAMILY: Final = CommandFamily(
    grammar="""
        vacation: _VACATION DATE EVERYWHERE? | _VACATION _FROM? DATE _UNTIL DATE EVERYWHERE?
        endless: _VACATION _FROM DATE
        drop_vacation: _VACATION NONE
    """,
    words={
        "vacation": "vacation|holidays?|away|absent|absence",
        "from": "from",
        "until": "to|until|till|through",
    },
    terminals=(
        verb("_VACATION"),
        CommandTerminal("DATE", _DATE, value=parse_date, says="a day such as 2026-12-20"),
        CommandTerminal("_FROM", r"(?:$from)\s*"),
        CommandTerminal("_UNTIL", r"(?:$until)(?!\w)|-+", priority=2, says="the word to"),
    ),
    build={
        "vacation": _vacation,
        "endless": UnclearDates,
        "drop_vacation": lambda _: DropVacation(),
    },
)
