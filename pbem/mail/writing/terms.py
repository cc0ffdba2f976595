"""The terms of a table in words: said to whoever is invited, and said back to whoever opens one or sits down at one.

Here is said as well what somebody asks to change, and what has changed.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from typing import TypeAlias

from engine.game import GameRules
from pbem.clock.time_control import QUARTER, WEEKDAYS, WEEKEND, TimeControl, parse_duration
from pbem.judging.submission import waits_for_answers
from pbem.locale.cldr import format_day, format_length, join_list, name_country, name_weekday
from pbem.mail.writing.sentences import Sentences
from pbem.tables.holidays import read_holidays
from pbem.tables.terms import NONE, is_change, rest_days

Say: TypeAlias = Callable[..., str]


def say_pace(say: Say, code: str, control: TimeControl) -> str:
    """How much time there is for a turn."""
    if control.bank is None:
        return say("per_turn", format_length(control.per_turn, code))
    return say("bank", *(format_length(each, code) for each in (control.bank, control.increment, control.cap)))


def say_times(say: Say, code: str, control: TimeControl) -> Iterator[str]:
    """Which days count, when somebody is reminded, and what happens to whoever is late."""
    if (resting := rest_days(control)) == WEEKEND:
        yield say("no_weekends")
    elif resting:
        yield say("rest_days", say_days(resting, code))
    if control.holidays:
        days, countries = say_holidays(control.holidays, code), name_countries(control.holidays_of, code)
        yield say("holidays", days, countries)
    if control.reminders:
        moments = tuple(say("ahead", format_length(each, code)) for each in control.reminders)
        yield say("reminders", join_list(moments, code))
    yield say("silence", control.silence, format_length(control.grace, code))


def say_rest(
    say: Say, code: str, control: TimeControl, game: GameRules, *, pencils: bool, forced: bool
) -> Iterator[str]:
    """What happens to words that are not certain, to offers, on days off, and where there is no choice."""

    def length(span: timedelta) -> str:
        return format_length(span, code)

    if pencils and control.pencil == QUARTER:
        yield say("pencil_quarter")
    elif pencils and (pencil := parse_duration(control.pencil)):
        yield say("pencil_fixed", length(pencil))
    if (offers := control.offer_length) is not None and waits_for_answers(game):
        yield say("offers_lapse", length(offers))
    if control.absence:
        yield say("absence", control.absence)
    if forced:
        yield say("plays_forced", game.roll is not None)


def say_term(name: str, value: str, sentences: Sentences) -> str:
    """The value of a term as part of a sentence: `2 days for a turn`."""
    words, code = [] if value == NONE else value.split(), sentences.locale.code
    match name:
        case "pace":
            return sentences.say("term_pace", _length(value, code))
        case "grace":
            return sentences.say("term_grace", _length(value, code))
        case "reminders":
            moments = tuple(sentences.say("ahead", _length(each, code)) for each in words)
            return sentences.say("term_reminders", join_list(moments, code) if moments else "")
        case "rest":
            return sentences.say("term_rest", say_days(tuple(words), code))
        case "holidays":
            read = read_holidays(value)
            countries, days = read or ((), ())
            return sentences.say("term_holidays", say_holidays(days, code), name_countries(countries, code))
        case "silence":
            return sentences.say("term_silence", value)
    return f"{name} {value}"


def say_days(days: tuple[str, ...], code: str) -> str:
    """Days of the week as one phrase; empty if there are none."""
    named = tuple(name_weekday(WEEKDAYS.index(day), code) for day in days if day in WEEKDAYS)
    return join_list(named, code) if named else ""


def say_holidays(days: Iterable[date], code: str) -> str:
    """Days as one phrase, those of later years with their year; empty if there are none."""
    known = sorted(days)
    named = tuple(format_day(day, code, with_year=day.year != known[0].year) for day in known)
    return join_list(named, code) if named else ""


def name_countries(countries: Iterable[str], code: str) -> str:
    """Countries as one phrase."""
    named = tuple(name_country(each, code) for each in countries)
    return join_list(named, code) if named else ""


def say_subject(what: str, sentences: Sentences) -> str:
    """What is asked for, as part of a sentence."""
    name, _, value = what.partition(" ")
    return say_term(name, value, sentences) if is_change(what) else sentences.say("subject", what)


def _length(value: str, code: str) -> str:
    length = parse_duration(value)
    return value if length is None else format_length(length, code)
