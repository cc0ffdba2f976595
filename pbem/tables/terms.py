"""The terms of a table that may change during a game: pace, grace, reminders, days of rest, and what silence means.

Each has a name and a value in one short line (`pace 2d`, `rest fri sat`), in which players ask for a change and the
event of the change tells the old one and the new one. The turn that is being played keeps the time that it has.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from pbem.clock.time_control import (
    REST,
    RUN,
    WEEKDAYS,
    WEEKEND,
    TimeControl,
    control_from_terms,
    format_duration,
    parse_duration,
)
from pbem.events.chain import Draft
from pbem.events.post_kinds import TermChanged
from pbem.tables import table_rules
from pbem.tables.asking import CLOCK
from pbem.tables.decision import Refused
from pbem.tables.holidays import HOLIDAYS, add_year, read_holidays, refuse_holidays, say_holidays
from pbem.tables.table import PLAYING, Table

PACE: Final = "pace"
GRACE: Final = "grace"
REMINDERS: Final = "reminders"
REST_DAYS: Final = "rest"
SILENCE: Final = "silence"
NAMES: Final = (PACE, GRACE, REMINDERS, REST_DAYS, HOLIDAYS, SILENCE)
POLICIES: Final = ("wait", "play", "substitute", "forfeit")
NONE: Final = "none"
DAYS: Final = WEEKDAYS
"""The days of the week as values name them."""
TERMS: Final = "terms"
"""What a change of a term is called where others agree to it: only one is asked for at a time."""

_SHORTEST: Final = timedelta(hours=1)
_LONGEST: Final = timedelta(days=60)
_MOST_REMINDERS: Final = 3
_MOST_REST: Final = 5


def is_change(what: str) -> bool:
    """Whether something that is asked for is a change of a term."""
    return what.partition(" ")[0] in NAMES


def subject_of(what: str) -> str:
    """What one agrees to: a change of a term is named by what it is, and everything else by its own name."""
    return TERMS if is_change(what) else what


def say_term(terms: Mapping[str, object], name: str) -> str:
    """The value of a term, in one line."""
    control = control_from_terms(terms)
    match name:
        case "pace":
            return format_duration(control.per_turn)
        case "grace":
            return format_duration(control.grace)
        case "reminders":
            return " ".join(map(format_duration, control.reminders)) or NONE
        case "rest":
            return " ".join(rest_days(control)) or NONE
        case "holidays":
            return say_holidays(control.holidays_of, control.holidays) or NONE
    return control.silence


def rest_days(control: TimeControl) -> tuple[str, ...]:
    """The days of the week on which nobody need play, from Monday on."""
    resting = {*control.rest, *(() if control.weekends else WEEKEND)}
    return tuple(day for day in WEEKDAYS if day in resting)


def with_term(terms: Mapping[str, object], name: str, value: str) -> dict[str, object] | None:
    """The terms with another value of one of them; None if there is no such value."""
    match name:
        case "pace" | "grace":
            length = parse_duration(value)
            least = _SHORTEST if name == PACE else timedelta()
            if length is None or not least <= length <= _LONGEST:
                return None
            return {**terms, "per_turn" if name == PACE else "grace": format_duration(length)}
        case "reminders":
            lengths = [parse_duration(each) for each in value.split()] if value != NONE else []
            known = sorted((each for each in lengths if each), reverse=True)
            if len(known) != len(lengths) or len(known) > _MOST_REMINDERS or any(each > _LONGEST for each in known):
                return None
            return {**terms, "reminders": [format_duration(each) for each in known]}
        case "rest":
            wanted = () if value == NONE else tuple(value.split())
            days = [day for day in WEEKDAYS if day in wanted]
            if {*wanted} - {*WEEKDAYS} or len(days) > _MOST_REST:
                return None
            bare = {key: each for key, each in terms.items() if key != "rest"}
            if days in ([], [*WEEKEND]):
                return {**bare, "weekends": REST if days else RUN}
            return {**bare, "weekends": RUN, "rest": days}
        case "holidays":
            return _with_holidays(terms, value)
        case "silence":
            return {**terms, "silence": value} if value in POLICIES else None
    return None


def _with_holidays(terms: Mapping[str, object], value: str) -> dict[str, object] | None:
    """The terms with other holidays: countries and the days themselves, so that nobody need know a calendar."""
    bare = {key: each for key, each in terms.items() if key not in ("holidays", "holidays_of")}
    read = read_holidays(value)
    if value == NONE or read is None:
        return bare if value == NONE else None
    return {**bare, "holidays": [day.isoformat() for day in read[1]], "holidays_of": [*read[0]]}


def with_terms(terms: Mapping[str, object], changes: Iterable[str]) -> tuple[dict[str, object], tuple[str, ...]]:
    """The terms with some changes such as `grace 6h`; and the changes that there is no such value for."""
    found, left = dict(terms), []
    for what in changes:
        name, _, value = what.partition(" ")
        changed = with_term(found, name, value)
        if changed is None:
            left.append(what)
        else:
            found = changed
    return found, tuple(left)


def refuse_value(what: str) -> Refused:
    """What is said about a change to a value that no term has."""
    if what.partition(" ")[0] == HOLIDAYS:
        return refuse_holidays(what.partition(" ")[2])
    facts = {"what": what, "days": " ".join(WEEKDAYS), "policies": ", ".join(POLICIES)}
    says = (
        "we cannot play by {what}; write a time of an hour to 60 days, up to three reminders, up to five days of "
        "{days}, or one of {policies}"
    )
    return Refused(table_rules.G1, says, facts)


def draft_change(table: Table, what: str, by: str, reason: str = "") -> Draft | Refused:
    """The event that changes a term, such as `pace 2d`; or why that cannot be."""
    name, _, value = what.partition(" ")
    changed = with_term(table.terms, name, value)
    if not table.is_second_form:
        return Refused(table_rules.G1, "this game began before terms could be changed")
    if changed is None:
        return refuse_value(what)
    if name == PACE and control_from_terms(table.terms).bank is not None:
        return Refused(table_rules.G1, "everybody has a bank of time here, and no time for a turn")
    old, new = say_term(table.terms, name), say_term(changed, name)
    if old == new:
        return Refused(table_rules.G1, "that is how you play already")
    return Draft(TermChanged(name, old, new, by, reason))


def add_holidays(table: Table, now: datetime) -> Iterator[Draft]:
    """The event that tells the holidays of another year, at a table that does not count them; once each year."""
    control = control_from_terms(table.terms)
    if not control.holidays_of or not table.is_second_form or table.stage != PLAYING:
        return
    more = add_year(control.holidays_of, control.holidays, now.date())
    if more is not None:
        yield Draft(TermChanged(HOLIDAYS, say_term(table.terms, HOLIDAYS), more, CLOCK, ""))
