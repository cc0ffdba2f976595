"""Mistakes that a post could make, each made on purpose, and how a breach that shows it is told."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from engine.game import Seat
from pbem.clock import clock as clocks
from pbem.mail.commands.pencil import StopPencil
from pbem.mail.reading import Letter
from pbem.mail.reading import letter as reading
from pbem.store.inbox import InboxQueries
from pbem.store.rows import MailRow
from pbem.store.store import Store, Transaction
from pbem.tables import votes
from pbem.tables.decision import Answer, Decision
from pbem.tables.fold import fold
from pbem.tables.table import Table
from pbem.tables.take_back import TakeBack, find_take_back
from pbem.workflow import pencils, sender_checks
from pbem.workflow import tick as ticking
from pbem.workflow.context import events_from_rows
from pbem.workflow.sender_checks import OTHER_SENDER, KnownSender, RejectedSender
from tests.post.weather.sky import CALM, CHATTY, FLOODED, HARSH, LAST_MINUTE, MURMURING, Weather


class Mistake(NamedTuple):
    """Something done wrong, and by which words it is found out."""

    make: Callable[[pytest.MonkeyPatch], None]
    shows: str
    weather: Weather = HARSH


def count_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(InboxQueries, "was_seen", lambda *given, **named: None)
    patch.setattr(InboxQueries, "remember_seen", lambda *given, **named: None)


def believe_addresses(patch: pytest.MonkeyPatch) -> None:
    def believe(letter: Letter, found: KnownSender | RejectedSender, _: Transaction) -> KnownSender | RejectedSender:
        if isinstance(found, RejectedSender) and found.reason == OTHER_SENDER and found.tell and letter.ticket:
            return KnownSender(found.tell, letter.ticket.turn, letter.ticket.epoch, letter.ticket.mark)
        return found

    _identify_so(patch, believe)


def play_in_any_turn(patch: pytest.MonkeyPatch) -> None:
    def take_for_now(
        _: Letter, found: KnownSender | RejectedSender, at_desk: Transaction
    ) -> KnownSender | RejectedSender:
        if isinstance(found, RejectedSender):
            return found
        table = fold(events_from_rows(at_desk.load_events(found.person.game)))
        return KnownSender(found.person, table.turn, None, table.mark)

    _identify_so(patch, take_for_now)


def _identify_so(
    patch: pytest.MonkeyPatch, after: Callable[[Letter, KnownSender | RejectedSender, Transaction], Any]
) -> None:
    identify = sender_checks.identify_sender

    def identify_so(letter: Letter, at_desk: Transaction, who: Any) -> KnownSender | RejectedSender:
        found: KnownSender | RejectedSender = after(letter, identify(letter, at_desk, who), at_desk)
        return found

    patch.setattr(sender_checks, "identify_sender", identify_so)


def write_anew(patch: pytest.MonkeyPatch) -> None:
    def rewrite(_: Store, mails: list[MailRow]) -> list[MailRow]:
        return [replace(mail, raw=mail.raw + b"\r\n") if mail.attempts > 1 else mail for mail in mails]

    _claim_so(patch, rewrite)


def mark_too_soon(patch: pytest.MonkeyPatch) -> None:
    def mark(store: Store, mails: list[MailRow]) -> list[MailRow]:
        for mail in mails:
            store.mark_sent(mail.id)
        return mails

    _claim_so(patch, mark)


def _claim_so(patch: pytest.MonkeyPatch, after: Callable[[Store, list[MailRow]], list[MailRow]]) -> None:
    claim = Store.claim_due
    patch.setattr(Store, "claim_due", lambda store, now, limit: after(store, claim(store, now, limit)))


def listen_to_machines(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reading, "robot_kind", lambda *given, **named: None)


def call_late_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ticking, "awaits_letter", lambda *given: False)


def take_back_at_any_time(patch: pytest.MonkeyPatch) -> None:
    def find(table: Table, seat: Seat) -> TakeBack | str:
        turn = votes.last_turn_of(table, seat)
        return "none" if turn is None else TakeBack(turn, 0, ())

    patch.setattr(votes, "find_take_back", find)


def take_back_again_and_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(votes, "find_take_back", lambda table, seat: find_take_back(replace(table, taken_back={}), seat))


def give_time_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(clocks, "take_back", lambda clock, *_: clock)


def ignore_stops(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(StopPencil, "decide", lambda *given: Decision(answers=(Answer("status"),)))


def play_pencils_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pencils, "has_unread_letters", lambda *given: False)


def forget_pencils_when_late(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ticking, "is_protected", lambda *given: False)


MISTAKES = {
    "a letter that came by another way counts again": Mistake(count_again, "times"),
    "whoever has a reply address is believed": Mistake(believe_addresses, "was forged and counted"),
    "a letter plays in whatever turn it is": Mistake(play_in_any_turn, "was played in turn"),
    "a mail is written anew when it goes again": Mistake(write_anew, "two mails are called"),
    "a mail is marked before it leaves": Mistake(mark_too_soon, "never left"),
    "machines are listened to": Mistake(listen_to_machines, "is a machine's"),
    "turns are taken back whoever has acted": Mistake(take_back_at_any_time, "after somebody else had acted"),
    "who takes a turn back has all the time again": Mistake(give_time_back, "has won time", CALM),
    "turns are taken back again and again": Mistake(take_back_again_and_again, "a second time", CALM),
    "clocks do not wait for letters": Mistake(call_late_at_once, "was called late, and", FLOODED),
    "what was stopped is played": Mistake(ignore_stops, "was stopped and played", MURMURING),
    "what is pencilled does not wait for letters": Mistake(play_pencils_at_once, "lay there unread", CHATTY),
    "what is pencilled does not count when time is up": Mistake(forget_pencils_when_late, "had pencilled", LAST_MINUTE),
}
