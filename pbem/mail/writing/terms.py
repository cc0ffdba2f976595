"""The terms of a table in words: said to whoever is invited, and said back to whoever opens one or sits down at one."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TypeAlias

from engine.game import GameRules
from pbem.clock.time_control import QUARTER, TimeControl, parse_duration
from pbem.judging.submission import waits_for_answers
from pbem.locale.cldr import format_length, join_list

Say: TypeAlias = Callable[..., str]


def say_pace(say: Say, code: str, control: TimeControl) -> str:
    """How much time there is for a turn."""
    if control.bank is None:
        return say("per_turn", format_length(control.per_turn, code))
    return say("bank", *(format_length(each, code) for each in (control.bank, control.increment, control.cap)))


def say_times(say: Say, code: str, control: TimeControl) -> Iterator[str]:
    """Which days count, when somebody is reminded, and what happens to whoever is late."""
    if not control.weekends:
        yield say("no_weekends")
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
