"""One game on the clerk's desk: its table, its people and its clock, while a transaction is open.

Whatever happens goes through `happen`, so that event, chain, table and clock move together. What people are to
be told is worked out afterwards, from what is new on the desk.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from engine.chance import Dealer
from engine.game import Seat
from pbem.clerk.office import Office, dealer_for, stamp, to_event, to_row
from pbem.clerk.shelf import Laid
from pbem.clock import running
from pbem.clock.alarms import next_look
from pbem.clock.calendar import Absence
from pbem.clock.control import read_control, read_duration
from pbem.clock.running import Clock
from pbem.clock.storing import from_data, to_data
from pbem.ledger.event import Draft, Event, append
from pbem.referee.standing import standing_entries
from pbem.store.rows import GameRow, PlyRow, SeatRow
from pbem.store.transaction import Transaction
from pbem.tables.folding import fold, step

_PLAYED: Final = ("played", "dealt")


class Desk:
    """A game being worked on. `save` writes what is not an event: people, clock and stage."""

    def __init__(self, office: Office, transaction: Transaction, row: GameRow) -> None:
        self.office = office
        self.transaction = transaction
        self.row = row
        self.now = office.now()
        laid = office.shelf.find(row.id, row.head_hash)
        if laid is None:
            events = tuple(to_event(each) for each in transaction.load_events(row.id))
            laid = Laid(fold(events), events)
        self.table = laid.table
        self.events = list(laid.events)
        self.before = self.table
        """The table as it was when the desk was laid."""
        self.people: dict[Seat, SeatRow] = {person.seat: person for person in transaction.find_seats(row.id)}
        self.news: list[Event] = []
        """What happened on this desk."""
        control = read_control(self.table.terms)
        zones = {seat: ZoneInfo(person.zone) for seat, person in self.people.items()}
        shown = transaction.load_clock(row.id)
        self.clock: Clock = Clock(control, zones) if shown is None else from_data(shown, control, zones)

    def dealer(self) -> Dealer:
        """The Dealer for what happens next."""
        return dealer_for(self.row, self.table.seq)

    def happen(self, drafts: Iterable[Draft], *, inbox_id: int | None = None) -> None:
        """Let things happen, in their order."""
        for draft in drafts:
            event = append(self.row.id, self.table.seq, self.table.head, draft, stamp(self.now))
            self.transaction.append_event(to_row(event, inbox_id))
            if event.kind in _PLAYED:
                self._take_place(event)
            self.table = step(self.table, event)
            self.events.append(event)
            self.news.append(event)
            self._turn_clock(event)

    def _take_place(self, event: Event) -> None:
        """One place in the history is taken once, whatever else goes wrong."""
        data, epoch = event.data, self.table.epoch
        part = 0
        while self.transaction.find_ply(event.game, epoch=epoch, turn=data["turn"], part=part) is not None:
            part += 1
        played = sum(entry.number == data["turn"] for entry in standing_entries(self.table.entries))
        if part != played:
            raise RuntimeError(f"turn {data['turn']} of {event.game} has {part} parts kept and {played} played")
        self.transaction.add_ply(PlyRow(event.game, epoch, data["turn"], part, data["seat"], data["phrase"], event.seq))

    def _turn_clock(self, event: Event) -> None:
        data, clock = event.data, self.clock
        if event.kind == "paused":
            clock = running.pause(clock, data["reason"], self.now)
        elif event.kind == "resumed":
            clock = running.resume(clock, data["reason"], self.now)
        elif event.kind == "absence":
            absence = Absence(date.fromisoformat(data["first"]), date.fromisoformat(data["last"]))
            clock = running.be_away(clock, data["seat"], absence, self.now)
        elif event.kind == "extended":
            clock = running.extend(clock, read_duration(data["length"]) or self.now - self.now, self.now)
        elif event.kind == "substituted":
            clock = running.start_afresh(clock, data["seat"], self.now)
        self.clock = running.hand_over(clock, self.table.due, self.now, turn=self.table.turn)

    def deadline(self, seat: Seat) -> datetime | None:
        """Until when a seat has time; None if it is not due or time stands still."""
        turn = self.clock.due.get(seat)
        return turn.deadline if turn is not None and self.clock.running else None

    def change_person(self, seat: Seat, **values: Any) -> None:
        """Note something about a person."""
        self.people[seat] = replace(self.people[seat], **values)

    def save(self) -> None:
        """Write down what is not an event."""
        self.transaction.save_seats(tuple(self.people.values()))
        self.transaction.save_clock(self.row.id, to_data(self.clock), due_at=next_look(self.clock, self.now))
        if self.table.stage != self.row.stage:
            self.transaction.set_stage(self.row.id, self.table.stage)
        self.office.shelf.keep(Laid(self.table, tuple(self.events)))
