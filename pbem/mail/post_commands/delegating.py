"""Commands about somebody who plays for the writer for some days: for whom, at which table, from when to when."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from pbem.mail.commands.command import CommandFamily, verb
from pbem.mail.commands.vacation import parse_date
from pbem.mail.commands.vocabulary import month_prefixes, months, patterns
from pbem.mail.post_commands.reader import PostCommand


@dataclass(frozen=True, slots=True)
class Delegate(PostCommand):
    """Let somebody play for the writer from one day to another, both included."""

    who: str
    table: str = ""
    days: tuple[str, ...] = ()
    """The days as they were written; without a year they are the next ones."""

    def format(self) -> str:
        """The words, the name and the days."""
        days = f" from {self.days[0]} to {self.days[1]}" if len(self.days) == 2 else ""
        return f"delegate to {self.who}{days}{f' at {self.table}' if self.table else ''}"


@dataclass(frozen=True, slots=True)
class StopDelegating(PostCommand):
    """Play again oneself, or play for somebody else no more."""

    table: str = ""

    def format(self) -> str:
        """The words and the name of the table."""
        return f"delegate off {self.table}".rstrip()


_TABLE: Final = re.compile(r"(?<![\w.@-])([a-z][a-z0-9]*-[0-9]+)(?![\w.@-])", re.IGNORECASE)


@cache
def _day() -> re.Pattern[str]:
    """A day with or without its year; what stands before it may be a word glued to it."""
    named = rf"(?:{'|'.join(sorted({re.escape(each) for each, _ in months()}, key=len, reverse=True))})[^\W\d_]*[.]?"
    glued = rf"(?:{month_prefixes()})?-?"
    numbers = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}[./-]\s?[0-9]{1,2}[./-]\s?[0-9]{4}"
    return re.compile(
        rf"(?<!\d)(?:{numbers}|[0-9]{{1,2}}[.]?\s+{glued}{named}(?:,?\s+[0-9]{{4}})?|{named}\s+[0-9]{{1,2}}(?!\d)(?:,?\s+[0-9]{{4}})?)",
        re.IGNORECASE,
    )


def find_day(said: str, today: date) -> date | None:
    """The day that some words mean; without a year, the next one."""
    if (day := parse_date(said)) is not None:
        return day
    this, next_one = (parse_date(f"{said} {year}") for year in (today.year, today.year + 1))
    return this if this is not None and this >= today else next_one


def _read_delegate(text: str) -> Delegate:
    days = tuple(each[0] for each in _day().finditer(text))
    rest = _day().sub(" ", text)
    table = _TABLE.search(rest)
    rest = rest if table is None else rest.replace(table[0], " ")
    small = patterns("words", "around_delegate", FAMILY.words["around_delegate"])
    around = re.compile(rf"(?:{small})-?", re.IGNORECASE)
    words = [each for each in rest.split() if not around.fullmatch(each)]
    return Delegate(" ".join(words), table[1].lower() if table else "", days)


FAMILY: Final = CommandFamily(
    grammar="""
        delegate: _DELEGATE REST
        stop_delegating: _DELEGATE_OFF NAME?
    """,
    words={
        "delegate": "delegate(?: my seat)?(?: to)?",
        "delegate_off": "delegate (?:off|none)|stop delegating",
        "around_delegate": "from|to|until|till|at|for|me|my|seat|plays?",
    },
    terminals=(
        verb("_DELEGATE", r"(?:$delegate)(?= )"),
        verb("_DELEGATE_OFF", r"(?:$delegate_off)(?!\w)", priority=4),
    ),
    build={"delegate": _read_delegate, "stop_delegating": StopDelegating},
)
