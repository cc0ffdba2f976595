"""How events turn the clock of a table: the same for a letter that is handled now and for a history told again."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, tzinfo

from engine.game import Seat
from pbem.clock import clock as running
from pbem.clock.calendar import Absence
from pbem.clock.clock import Clock
from pbem.clock.time_control import read_control, read_duration
from pbem.events.chain import Event
from pbem.judging.submission import stands_still
from pbem.tables.table import PLAYING, Table


def turn_clock(clock: Clock, event: Event, table: Table, now: datetime) -> Clock:
    """The clock after an event, which has made the table what it is."""
    data = event.data
    if event.kind == "paused":
        clock = running.pause(clock, data["reason"], now)
    elif event.kind == "resumed":
        clock = running.resume(clock, data["reason"], now)
    elif event.kind == "absence":
        absence = Absence(date.fromisoformat(data["first"]), date.fromisoformat(data["last"]))
        clock = running.be_away(clock, data["seat"], absence, now)
    elif event.kind == "returned":
        clock = running.be_back(clock, data["seat"], date.fromisoformat(data["first"]), now)
    elif event.kind == "extended":
        clock = running.extend(clock, read_duration(data["length"]) or now - now, now)
    elif event.kind == "substituted":
        clock = running.start_afresh(clock, data["seat"], now)
    return running.hand_over(clock, on_the_clock(table), now, turn=table.turn, asked=asked(table))


def on_the_clock(table: Table) -> tuple[Seat, ...]:
    """Whose time runs: all that are due; where a turn stands still for answers, only those who owe one, if any do.

    Whoever has made an offer there waits for the answers on the time of those who owe them. Where play goes on while
    offers are open, whoever is on turn has his own time, and so have those who are asked.
    """
    return asked(table) or table.due if stands_still(table.game) else table.due


def asked(table: Table) -> tuple[Seat, ...]:
    """The seats that owe an answer, to which the rules know one where they are silent."""
    if table.stage != PLAYING:
        return ()
    return tuple(seat for seat in table.due if table.game.by_default(table.position, seat) is not None)


def retell_clock(events: Iterable[Event], tables: Iterable[Table], zones: Mapping[Seat, tzinfo]) -> Iterator[Clock]:
    """The clock after each event of a game, worked out again; `tables` are those that the events have made."""
    clock: Clock | None = None
    for event, table in zip(events, tables, strict=True):
        clock = clock or Clock(read_control(table.terms), zones)
        clock = turn_clock(clock, event, table, datetime.fromisoformat(event.at))
        yield clock
