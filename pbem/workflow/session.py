"""One game while a transaction is open: its table, players and clock, and the events that are added to it.

New events go through `apply_events`, so that the chain, the table and the clock always move together. Who gets which
mail is worked out afterwards, from the events that are new.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from itertools import takewhile
from typing import Any, Final
from zoneinfo import ZoneInfo

from engine.game import Seat
from pbem.clock import clock as clocks
from pbem.clock.alarms import next_check
from pbem.clock.calendar import Absence
from pbem.clock.clock import Clock, decode_clock, encode_clock
from pbem.clock.time_control import add_durations, control_from_terms, parse_duration
from pbem.events.chain import Draft, Event, append_event, opens_epoch
from pbem.events.history_mark import is_restore
from pbem.events.kinds import (
    AbsenceAnnounced,
    AbsenceCancelled,
    GameEnded,
    GamePaused,
    GameResumed,
    InvitationDeclined,
    MovesMade,
    SeatSubstituted,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import GameCalledOff, OfferLimited, PlayerInvited, SeatDelegated, TermChanged
from pbem.events.told import sealing
from pbem.judging.submission import asks_others, is_offered, is_on_turn, waits_for_answers
from pbem.proof.public_log import Checkpoint
from pbem.store.rows import AnswerCountRow, GameRow, NewMail, PlyRow, SeatRow, StandingRow
from pbem.store.store import Transaction
from pbem.store.timestamps import format_timestamp
from pbem.tables.absences import open_seats
from pbem.tables.asking import add_times
from pbem.tables.chance import GameDealer
from pbem.tables.fold import apply_event
from pbem.tables.holidays import next_year_of
from pbem.tables.table import CALLED_OFF, INVITING, OVER, PLAYING, Table
from pbem.tables.votes import expiry_of
from pbem.workflow import history
from pbem.workflow.context import CachedTable, PostContext, row_from_event
from pbem.workflow.history import EventHistory, read_events
from pbem.workflow.people import next_digest
from pbem.workflow.snapshots import load_table, renew_snapshot


def advance_clock(clock: Clock, event: Event, table: Table, now: datetime) -> Clock:
    """The clock after an event. `table` is the table after the same event."""
    match event.payload:
        case GamePaused(reason=reason):
            clock = clocks.pause(clock, reason, now)
        case GameResumed(reason=reason):
            clock = clocks.resume(clock, reason, now)
        case AbsenceAnnounced(seat=seat, first=first, last=last):
            clock = clocks.add_absence(clock, seat, Absence(first, last), now)
        case AbsenceCancelled(seat=seat, first=first):
            clock = clocks.cut_absence(clock, seat, first, now)
        case TimeExtended(length=length):
            clock = clocks.extend(clock, parse_duration(length) or now - now, now)
        case SeatSubstituted(seat=seat):
            clock = clocks.reset_seat(clock, seat, now)
        case TurnUndone(turn=turn, by=seat) if table.taken_back.get((seat, turn)) == event.seq:
            clock = clocks.take_back(clock, seat, turn, now)
        case TermChanged():
            clock = clocks.change_control(clock, control_from_terms(table.terms), now)
        case OfferLimited(until=until):
            clock = clocks.limit_offer(clock, datetime.fromisoformat(until))
    asked = seats_asked(table)
    offered = tuple(seat for seat in asked if is_offered(table.game, table.position, seat))
    anew = bool(offered) and _offers_anew(table, event.payload)
    on_clock = seats_on_clock(table)
    return clocks.update_due(clock, on_clock, now, turn=table.turn, asked=asked, offered=offered, anew=anew)


def _offers_anew(table: Table, payload: Payload) -> bool:
    """Whether a player on turn has made an offer, which takes the place of any other: its time begins."""
    if not isinstance(payload, TurnPlayed) or not waits_for_answers(table.game):
        return False
    return is_on_turn(table.game, table.position, payload.seat) and asks_others(table.game, payload.phrase)


def seats_on_clock(table: Table) -> tuple[Seat, ...]:
    """The seats whose time runs.

    Normally that is everybody who is due. In games where a turn stops until offers are answered, only the seats that
    owe an answer are on the clock, so that the player who made the offer does not lose time.
    """
    return seats_asked(table) or table.due if waits_for_answers(table.game) else table.due


def seats_asked(table: Table) -> tuple[Seat, ...]:
    """The seats that owe an answer for which the rules have a default."""
    if table.stage != PLAYING:
        return ()
    return tuple(seat for seat in table.due if table.game.by_default(table.position, seat) is not None)


def replay_clock(events: Iterable[Event], tables: Iterable[Table], zones: Mapping[Seat, tzinfo]) -> Iterator[Clock]:
    """The clock after each event of a game, computed again. `tables` holds the table after each event."""
    clock: Clock | None = None
    for event, table in zip(events, tables, strict=True):
        clock = clock or Clock(control_from_terms(table.terms), zones)
        clock = advance_clock(clock, event, table, datetime.fromisoformat(event.at))
        yield clock


def _not_before_last(now: datetime, events: Sequence[Event]) -> datetime:
    """The time now; that of the last event if the machine's clock went back since. Histories never go backwards."""
    return max(now, datetime.fromisoformat(events[-1].at)) if events else now


OPEN_SEATS: Final = "open seats at "
"""The beginning of the name under which is kept which seats of a game somebody else may take."""
NOBODY: Final = "somebody"
"""What stands in a seat's row for the name of somebody who was forgotten."""
_LAST_EVENTS: Final = (GameEnded, InvitationDeclined, GameCalledOff)


def _withhold_names(table: Table, people: Mapping[Seat, SeatRow]) -> Table:
    """A table of the first form without the names of people who were forgotten: its events hold them for good."""
    gone = {seat: NOBODY for seat, person in people.items() if not person.address and person.name == NOBODY}
    if not gone or table.is_second_form:
        return table
    return replace(table, names={**table.names, **gone})


def awaited_seats(table: Table) -> tuple[Seat, ...]:
    """The seats that must act or accept."""
    if table.stage != INVITING:
        return table.due
    return tuple(seat for seat in table.present if seat not in table.accepted)


def describe_standing(table: Table) -> StandingRow:
    """How a game stands, without its board and the time: the row from which `pbem status` tells it."""
    pencils = {seat: pencil for seat in table.seats if (pencil := table.pencil(seat)) is not None}
    more = {
        "game": table.game.key,
        "pauses": sorted(table.pauses),
        "result": table.result,
        "cases": [case.number for case in table.cases if case.is_open],
        "warrants": table.warrants,
        "free": [seat for seat in table.seats if seat in table.free],
        "pencilled": {seat: add_durations(each.until, each.extended).isoformat() for seat, each in pencils.items()},
    }
    awaits = table.rounds.round if table.stage in (INVITING, PLAYING) else 0
    due = dict.fromkeys(awaited_seats(table))
    return StandingRow(table.id, table.stage, table.turn, due, awaits or 0, json.dumps(more))


class GameSession:
    """A game that is being changed.

    Events are written at once. `save` writes everything else: players, clock, stage and mails.
    """

    def __init__(self, context: PostContext, transaction: Transaction, row: GameRow) -> None:
        self.context = context
        self.transaction = transaction
        self.row = row
        cached = context.table_cache.find(row.id, row.head_hash)
        if cached is None:
            cached = load_table(context, transaction, row)
        self.people: dict[Seat, SeatRow] = {person.seat: person for person in transaction.find_seats(row.id)}
        self.table = _withhold_names(cached.table, self.people)
        self.events = EventHistory(cached.events, cached.unread, partial(read_events, transaction, row.id))
        self._snapshot = cached.snapshot
        self.begun = cached.begun
        """The table of a snapshot that was just read."""
        self.now = _not_before_last(context.now(), cached.events)
        """When what happens now happens."""
        self.sealer = context.sealer(row.id, row.blind)
        self.before = self.table
        """The table when the session began."""
        self._found = dict(self.people)
        """The players as the store has them."""
        self.news: list[Event] = []
        """The events that were added in this session."""
        self.forwarded: set[tuple[Seat, str]] = set()
        """Who said what in a mail of its own."""
        self._checkpoint: Checkpoint | None = None
        self._mails: dict[bool, list[NewMail]] = {False: [], True: []}
        """Mails to seats, by whether they are held back."""
        control = control_from_terms(self.table.terms)
        zones = {seat: ZoneInfo(person.zone) for seat, person in self.people.items()}
        shown = transaction.load_clock(row.id)
        self.clock: Clock = Clock(control, zones) if shown is None else decode_clock(shown, control, zones)

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The latest signed checkpoint of the public log."""
        self._checkpoint = self._checkpoint or history.last_checkpoint(self.transaction)
        return self._checkpoint

    def dealer(self) -> GameDealer:
        """The dealer for what chance settles next."""
        return GameDealer(self.row.seed, self.context.beacon, self.now)

    def apply_events(self, drafts: Iterable[Draft], *, inbox_id: int | None = None) -> None:
        """Append drafts to the chain, in order, and update table and clock."""
        for draft in drafts:
            event = self._append(draft)
            self.transaction.append_event(row_from_event(event, inbox_id))
            if isinstance(event.payload, MovesMade):
                self._reserve_ply(event, event.payload)
            self.table = apply_event(self.table, event)
            self.events.append(event)
            self.news.append(event)
            self.clock = advance_clock(self.clock, event, self.table, self.now)
            if self.table.stage in (OVER, CALLED_OFF) and isinstance(event.payload, _LAST_EVENTS):
                history.log_ended(self.context, self.transaction, self.table, self.row)
                self._checkpoint = None
            if is_restore(event.payload):
                history.log_restored(self.context, self.transaction, self.table)
                self._checkpoint = None

    def _append(self, draft: Draft) -> Event:
        """The event that a draft becomes; in games of the second form with seals, ids and times."""
        game, table, at = self.row.id, self.table, format_timestamp(self.now)
        if not table.is_second_form:
            return append_event(game, table.seq, table.head, draft, at, self.sealer.commit)
        draft = draft._replace(payload=add_times(table, self._add_id(draft.payload), self._due))
        commit = partial(self.sealer.commit, epoch=table.epoch)
        seal = sealing(game, self.context.random_bytes)
        return append_event(game, table.seq, table.head, draft, at, commit, seal)

    def _add_id(self, payload: Payload) -> Payload:
        """An event that brings a new player, with a fresh id of that person."""
        if isinstance(payload, SeatSubstituted | PlayerInvited | SeatDelegated) and not payload.person:
            return replace(payload, person=self.context.new_id())
        return payload

    def _due(self, seat: Seat) -> str:
        """Until when the clock gives a seat time, as events write it; empty if no clock runs."""
        moment = self.deadline(seat)
        return format_timestamp(moment) if moment is not None else ""

    def _reserve_ply(self, event: Event, made: MovesMade) -> None:
        """Reserve the place of a turn in the history; the database refuses a second one."""
        epoch = self.table.epoch
        part = 0
        while self.transaction.find_ply(event.game, epoch=epoch, turn=made.turn, part=part) is not None:
            part += 1
        # A restore opens an epoch in the middle of a turn: what was played before it has its place in the old one.
        since = takewhile(lambda earlier: not opens_epoch(earlier.payload), reversed(self.events))
        turns = (earlier.payload.turn for earlier in since if isinstance(earlier.payload, MovesMade))
        played = sum(1 for _ in takewhile(lambda turn: turn == made.turn, turns))  # turns follow one another
        if part != played:
            raise RuntimeError(f"turn {made.turn} of {event.game} has {part} parts kept and {played} played")
        self.transaction.add_ply(PlyRow(event.game, epoch, made.turn, part, made.seat, made.phrase, event.seq))

    def deadline(self, seat: Seat) -> datetime | None:
        """When a seat's time runs out. None if the seat is not due or the clock is stopped."""
        turn = self.clock.due.get(seat)
        return turn.deadline if turn is not None and self.clock.running else None

    def post(self, mail: NewMail, *, held: bool = False) -> None:
        """Add a mail that is queued when the session is saved."""
        self._mails[held].append(mail)

    def change_person(self, seat: Seat, **values: Any) -> None:
        """Change something about a player."""
        self.people[seat] = replace(self.people[seat], **values)

    def _save_counts(self) -> None:
        """Write how everybody has answered here, where that has changed."""
        counts = self.table.tally.counts
        if not counts:
            return
        known = {row.who: row for row in self.transaction.answer_counts_at(self.row.id)}
        sits = {who: self.people[seat].person for seat, who in self.table.tally.sits.items() if seat in self.people}
        for who, counted in counts.items():
            kept = known.get(who)
            person = sits.get(who, "") if kept is None else kept.person
            row = AnswerCountRow(self.row.id, who, person, *counted)
            if row != kept and person:
                self.transaction.save_answer_count(row)

    def _next_check(self) -> datetime | None:
        """When the clock, an open vote, a pencilled move or a summary of this game needs attention next."""
        people = self.people.values() if self.table.stage == PLAYING else ()
        looks = (
            next_check(self.clock, self.now),
            *map(expiry_of, self.table.votes.values()),
            *(add_durations(each.until, each.extended) for each in self.table.pencils.values() if each.is_live),
            *(next_digest(self.transaction, each, self.now) for each in people),
            next_year_of(self.clock.control, self.now) if people else None,
        )
        return min((look for look in looks if look is not None), default=None)

    def standing(self) -> StandingRow:
        """How the game stands now, with the deadlines of its clock."""
        until = {seat: self.deadline(seat) for seat in awaited_seats(self.table)}
        waits = {seat: None if moment is None else moment.isoformat() for seat, moment in until.items()}
        return replace(describe_standing(self.table), due=waits)

    def save(self) -> None:
        """Write players, clock, how the game stands, and mails."""
        for held, mails in self._mails.items():
            if mails:
                self.transaction.enqueue(mails, held=held)
                mails.clear()
        changed = [person for seat, person in self.people.items() if person is not self._found.get(seat)]
        self.transaction.save_seats(changed)
        self.transaction.save_clock(self.row.id, encode_clock(self.clock), due_at=self._next_check())
        self.transaction.save_standing(self.standing())
        self._save_counts()
        if (free := open_seats(self.table)) != open_seats(self.before):
            self.transaction.save_setting(f"{OPEN_SEATS}{self.row.id}", " ".join(free))
        ended = self.before.stage == PLAYING != self.table.stage
        last = renew_snapshot(self.context, self.transaction, self.table, last=self._snapshot, anew=ended)
        self._snapshot = last
        events = self.events
        self.context.table_cache.keep(CachedTable(self.table, tuple(events.last), events.unread, last))
