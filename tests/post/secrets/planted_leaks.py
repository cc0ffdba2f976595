"""Leaks that are planted to see that they are caught: in every kind of mail, in when mails are written, and how many.

Each leak tells something that follows from all there is to know, where and only where it is planted.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest

from engine.brotherhood.hands import ONE, POINT, count
from engine.brotherhood.position import Position
from engine.game import Game, Seat
from pbem.clock.clock import Clock, limit_offer
from pbem.events.chain import Draft, Event, append_event
from pbem.judging.submission import can_accept
from pbem.mail.writing import composer as composing
from pbem.mail.writing.blocks import Paragraph
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Correspondent, Envelope, NewsMail, Post
from pbem.mail.writing.page import MailContext, Page
from pbem.store.rows import NewMail
from pbem.store.timestamps import format_timestamp
from pbem.tables.silence import is_offered_briefly
from pbem.tables.table import Table
from pbem.workflow import announce, session
from pbem.workflow.queue_mail import queue_for_seat
from pbem.workflow.session import GameSession
from tests.post.secrets.mail_kinds import ASIDE, HELD, kinds_of
from tests.post.secrets.written_mails import Written


def digest_of(hidden: object) -> str:
    """What a leak tells: nobody would notice it who did not look."""
    return sha256(repr(hidden).encode()).hexdigest()[:6]


class Leak:
    """A leak in one kind of mail: what it tells now."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._told = ""

    def write(self, written: Written) -> Mail:
        """A mail once more, with the leak."""
        self._told = digest_of(written.hidden)
        return written.again()

    def spoil_writer(self, write: Callable[[MailContext, Any], Page]) -> Callable[[MailContext, Any], Page]:
        """A writer of pages with the leak."""

        def spoilt(context: MailContext, occasion: Any) -> Page:
            page = write(context, occasion)
            if self._kind not in kinds_of(occasion, page.kind, context.seat):
                return page
            return replace(page, blocks=(*page.blocks, Paragraph(self._told)))

        return spoilt

    def write_held(self, post: Post, reader: Correspondent, **rest: Any) -> Mail:
        """The mail about a game that is held, with the leak."""
        name = f"{reader.name} {self._told}" if self._kind == HELD else reader.name
        return _WRITE_HELD(post, replace(reader, name=name), **rest)

    def write_aside(self, post: Post, game: str, envelope: Envelope, **rest: Any) -> Mail:
        """The mail about a letter that was put aside, with the leak."""
        if self._kind == f"{ASIDE} {rest['why']}":
            envelope = replace(envelope, to=replace(envelope.to, name=f"{envelope.to.name} {self._told}"))
        return _WRITE_ASIDE(post, game, envelope, **rest)


_WRITE_HELD = composing.write_held
_WRITE_ASIDE = composing.write_aside


@contextmanager
def planted(kind: str) -> Iterator[Leak]:
    """Let all mails of a kind, and no others, tell what is hidden."""
    leak = Leak(kind)
    with pytest.MonkeyPatch.context() as monkeypatch:
        spoilt = {occasion: leak.spoil_writer(write) for occasion, write in composing._PAGES.items()}
        monkeypatch.setattr(composing, "_PAGES", spoilt)
        monkeypatch.setattr(composing, "write_held", leak.write_held)
        monkeypatch.setattr(composing, "write_aside", leak.write_aside)
        yield leak


def delay_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time of an event tell what is sealed in it."""

    def append(game: str, seq: int, head: str, draft: Draft, at: str, *rest: Any) -> Event:
        late = timedelta(seconds=_number(draft.sealed) % 1000)
        return append_event(game, seq, head, draft, format_timestamp(datetime.fromisoformat(at) + late), *rest)

    monkeypatch.setattr(session, "append_event", append)


def write_more_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the number of mails to somebody else tell what is hidden."""
    notify = announce.notify_events

    def notify_more(at_table: GameSession, *rest: Any, **more: Any) -> None:
        notify(at_table, *rest, **more)
        for _ in range(_number(at_table.table.position) % 3):
            queue_for_seat(at_table, at_table.table.seats[0], NewsMail(tuple(at_table.news)))

    monkeypatch.setattr("pbem.workflow.reply.notify_events", notify_more)


def write_more_of_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the number of mails to those who are offered something tell what is hidden besides whether they can pay."""
    notify = announce.notify_events

    def notify_more(at_table: GameSession, *rest: Any, **more: Any) -> None:
        notify(at_table, *rest, **more)
        for seat in (each for each in at_table.table.due if is_offered_briefly(at_table.table, each)):
            for _ in range(_number(at_table.table.position) % 3):
                queue_for_seat(at_table, seat, NewsMail(tuple(at_table.news)))

    monkeypatch.setattr("pbem.workflow.reply.notify_events", notify_more)


def shuffle_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the order of mails tell what is hidden."""
    save = GameSession.save

    def spoilt(at_table: GameSession) -> None:
        mails = at_table._mails[False]
        first = _number(at_table.table.position) % max(1, len(mails))
        mails[:] = mails[first:] + mails[:first]
        save(at_table)

    monkeypatch.setattr(GameSession, "save", spoilt)


def hold_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it tell what is hidden whether mails to somebody else may leave."""
    post = GameSession.post

    def hold(at_table: GameSession, mail: NewMail, *, held: bool = False) -> None:
        away = mail.seat == at_table.table.seats[0] and _number(at_table.table.position) % 2 == 1
        post(at_table, mail, held=held or away)

    monkeypatch.setattr(GameSession, "post", hold)


def close_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an offer lapse soon that nobody can pay for, as if it were kind to its maker: it would tell every hand."""
    advance = session.advance_clock

    def hasten(clock: Clock, event: Event, table: Table, now: datetime) -> Clock:
        clock = advance(clock, event, table, now)
        asked = [seat for seat, due in clock.due.items() if due.offered]
        if asked and not any(can_accept(table.game, table.position, seat) for seat in asked):
            return limit_offer(clock, now + timedelta(hours=1))
        return clock

    monkeypatch.setattr(session, "advance_clock", hasten)


def roll_without_a_card_to_play(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the dice be rolled at once for whoever holds victory point cards alone: they cannot be played, after all."""
    forced = game.forced

    def roll(position: Position, seat: Seat) -> object:
        return forced(position._replace(cards=tuple(map(_playable, position.cards))), seat)

    monkeypatch.setattr(type(game), "forced", staticmethod(roll))


def _playable(cards: int) -> int:
    return cards - count(cards, POINT) * ONE[POINT]


def _number(hidden: object) -> int:
    return int(digest_of(hidden), 16)
