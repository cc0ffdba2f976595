"""Until when an offer is open, as a player writes it behind the offer: until 18:00, until tomorrow, until Fri 20:00.

The time belongs to the post and not to the rules: it is taken out of the line before the game reads the move. It is
meant by the clock of its writer. A day without an hour means its end.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final, NamedTuple

from engine.game import GameRules
from notation.phrases import phrases
from pbem.mail.commands.letter_line import LetterLine
from pbem.mail.commands.move_spans import TurnInProse
from pbem.mail.commands.parse_moves import Turn
from pbem.mail.commands.vacation import parse_date
from pbem.mail.commands.vocabulary import patterns, weekdays

_DAY: Final = timedelta(days=1)
_NOON: Final = 12
_UNITS: Final = {"days": _DAY, "hours": timedelta(hours=1), "minutes": timedelta(minutes=1)}
_NEAREST: Final = 400
"""Characters before a time in which its offer stands; the line as a whole is read again without the time."""
_DATE: Final = r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[.]\s?\d{1,2}[.]\s?\d{4}"


@cache
def _until() -> re.Pattern[str]:
    """The word until and a time behind it, where a clause ends."""
    units = "|".join(patterns("moves", unit) for unit in _UNITS)
    length = rf"\d{{1,3}}\s?(?:{units})(?:\s?\d{{1,3}}\s?(?:{units}))?"
    clock = rf"(?:\d{{1,2}}[:.]\d{{2}}(?:\s?[ap]m)?|\d{{1,2}}\s?(?:[ap]m|{patterns('moves', 'o_clock')}))"
    named = "|".join(beginning for beginning, _ in weekdays())
    day = rf"(?:{patterns('moves', 'today')}|{patterns('moves', 'tomorrow')}|(?:{named})[^\W\d_]{{0,12}}[.]?|{_DATE})"
    at = rf"(?:,?\s(?:(?:{patterns('moves', 'at_hour')})\s?-?)?{clock})?"
    when = rf"(?:{length}|(?:(?:{patterns('moves', 'at_hour')})\s)?{clock}|{day}{at})"
    return re.compile(
        rf"(?<!\w)(?:{patterns('moves', 'open_until')})\s?-?({when})(?!\w)\)?(?=\s{{0,3}}(?:[;,.!]|\Z))", re.IGNORECASE
    )


@cache
def _clock() -> re.Pattern[str]:
    """An hour, with minutes or a word that says that it is one."""
    return re.compile(rf"(\d{{1,2}})(?:[:.](\d{{2}}))?\s?([ap]m)?({patterns('moves', 'o_clock')})?", re.IGNORECASE)


class OfferTime(NamedTuple):
    """The lines of a letter without the time of its offer, and that time; empty if there is none."""

    lines: list[str]
    until: str = ""


def take_out_time(lines: list[str], game: GameRules | None, parse: Callable[[LetterLine], object]) -> OfferTime:
    """Take the time of the one offer in a letter out of its line; where there are two, all lines stay as they are.

    `parse` says what a line means: what stands before the time must end with an offer.
    """
    reader = phrases(game.key) if game is not None else None
    if game is None or reader is None or not reader.book.asks:
        return OfferTime(lines)
    found = [(at, until) for at, line in enumerate(lines) for until in _until().finditer(line)]
    if len(found) != 1:
        return OfferTime(lines)
    ((place, until),) = found
    offer = lines[place][: until.start()].rstrip(" \t,(")
    meant = parse(LetterLine(place + 1, offer[-_NEAREST:]))
    turn = meant.turn if isinstance(meant, TurnInProse) else meant
    if not isinstance(turn, Turn) or not isinstance(turn.moves[-1], reader.book.asks):
        return OfferTime(lines)
    bare = list(lines)
    bare[place] = offer + lines[place][until.end() :]
    return OfferTime(bare, until[1])


def find_moment(until: str, now: datetime) -> datetime | None:
    """The moment that a time means, in the zone of `now`; None if it is past, or there is no such day or hour."""
    moment = next(filter(None, (_after_length(until, now), _at_hour(until, now), _on_day(until, now))), None)
    return moment if moment is not None and moment > now else None


def _after_length(until: str, now: datetime) -> datetime | None:
    """The moment after a length of time such as 6h or 1 day 12 hours."""
    total, rest = timedelta(), until
    for unit, length in _UNITS.items():
        said = re.compile(rf"\s*(\d{{1,3}})\s?(?:{patterns('moves', unit)})(?![^\W\d_])", re.IGNORECASE)
        if (found := said.match(rest)) is not None:
            total += int(found[1]) * length
            rest = rest[found.end() :]
    return now + total if total and not rest.strip() else None


def _at_hour(until: str, now: datetime) -> datetime | None:
    """The next moment at which a clock shows an hour."""
    bare = re.sub(rf"\A(?:{patterns('moves', 'at_hour')})\s", "", until, flags=re.IGNORECASE)
    hour = _hour(bare)
    if hour is None:
        return None
    moment = _moment(now.date(), hour, now)
    return moment if moment > now else _moment(now.date() + _DAY, hour, now)


def _on_day(until: str, now: datetime) -> datetime | None:
    """An hour of a named day, or the end of that day."""
    for said, day in _days(now.date()):
        found = re.compile(rf"(?:{said})(.*)", re.IGNORECASE).fullmatch(until)
        if found is None:
            continue
        after = re.sub(rf"\A[\s,]*(?:(?:{patterns('moves', 'at_hour')})\s?-?)?", "", found[1], flags=re.IGNORECASE)
        if not after.strip():
            return _moment(day + _DAY, time(0), now)
        hour = _hour(after)
        return _moment(day, hour, now) if hour is not None else None
    written = re.match(_DATE, until)
    day_written = parse_date(written[0]) if written is not None else None
    if written is None or day_written is None:
        return None
    after = until[written.end() :].strip(" ,")
    hour = _hour(after)
    return _moment(day_written, hour, now) if hour is not None else _moment(day_written + _DAY, time(0), now)


def _days(today: date) -> Iterator[tuple[str, date]]:
    """Patterns for days, each with the next such day, today included."""
    yield patterns("moves", "today"), today
    yield patterns("moves", "tomorrow"), today + _DAY
    for beginning, number in weekdays():
        yield rf"(?:{beginning})[^\W\d_]{{0,12}}[.]?", today + (number - today.weekday()) % 7 * _DAY


def _hour(text: str) -> time | None:
    """An hour as a clock shows it: 18:00, 18.00, 6pm."""
    found = _clock().fullmatch(text.strip())
    if found is None or not (found[2] or found[3] or found[4]):
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour <= _NOON:
            return None
        hour = hour % _NOON + (_NOON if found[3].lower() == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _moment(day: date, hour: time, now: datetime) -> datetime:
    return datetime.combine(day, hour, now.tzinfo)
