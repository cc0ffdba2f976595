"""A table from its record: a game that comes from another house, or from a database that was lost.

The events are told again as briefly as the chain allows, at the moment they are taken in. Nobody is asked to accept
anew. Then happens what happens by itself at any table of this post, such as dice or the end of the game; and whoever is
due gets a turn mail and his whole time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from notation import Record
from pbem.events.chain import ORIGIN, Draft, append
from pbem.events.kinds import GamePaused, GameResumed
from pbem.events.to_record import drafts_of
from pbem.mail.writing.occasions import TurnMail
from pbem.store.rows import SeatRow
from pbem.tables import host
from pbem.tables.absences import vacancy
from pbem.tables.consequences import follow, veil
from pbem.tables.table import PLAYING, VOTED, Table, is_case
from pbem.workflow import announce, follow_up, history, queue_mail
from pbem.workflow import announce as announcing
from pbem.workflow.context import PostContext, format_timestamp, row_from_event
from pbem.workflow.open_game import Guest, add_commitments, new_game
from pbem.workflow.record_proof import EVERYTHING, can_be_read, record_text
from pbem.workflow.session import GameSession


class TooLongError(Exception):
    """A record that holds so much that with a proof of its own it could not be read again."""


def import_record(
    context: PostContext, table: str, record: Record, guests: Sequence[Guest], *, terms: Mapping[str, Any]
) -> None:
    """Take in a record that was heard and stands, every entry numbered. A game that is over needs no guests.

    Nothing has happened if that raises TooLongError.
    """
    now = context.now()
    opened, *others = drafts_of(record)
    row = new_game(context, table)
    # What was drawn elsewhere cannot be drawn again here: the first event says how far that goes.
    opened = add_commitments(opened, row, context.signer, terms=terms, more={"taken_in": len(others) + 1})
    with context.store.transaction() as transaction:
        transaction.add_game(row)
        transaction.append_event(row_from_event(append(table, 0, ORIGIN, opened, format_timestamp(now)), None))
        for guest in guests:
            transaction.save_seat(SeatRow(table, guest.seat, guest.address, guest.name, guest.language, guest.zone))
        session = GameSession(context, transaction, row)
        history.log_opened(context, transaction, session.table)
        everywhere = {seat: ZoneInfo("UTC") for seat in record.seats}
        session.clock = replace(session.clock, zones={**everywhere, **session.clock.zones})
        for draft in others:
            session.apply_events([veil(session.table, draft)])
        goes_on = bool(session.table.due)
        if goes_on:
            session.apply_events(_replace_players(session.table, guests))
            session.apply_events(_settle_pauses(session.table))
        session.apply_events(follow(session.table, (), session.dealer()))
        # Whoever is at a table that was over when it came need not be told, and need not be known.
        if goes_on:
            follow_up.run_follow_ups(session)
            _notify(session)
        if not can_be_read(record_text(context, row, tuple(session.events), EVERYTHING)):
            raise TooLongError
        session.save()


def _replace_players(table: Table, guests: Sequence[Guest]) -> Iterator[Draft]:
    """Let everybody take a seat who is not the one that the record left there."""
    for guest in guests:
        if guest.name != table.name(guest.seat):
            yield from host.hand_over(table, guest.seat, guest.name)


def _settle_pauses(table: Table) -> Iterator[Draft]:
    """Let time stand still for such reasons alone as somebody here can take away.

    A record tells that time stood still for a case, and not the case: nobody could ever close it here. Whatever else
    it was that people elsewhere waited for, the players of today decide when it has passed.
    """
    known = {VOTED, *map(vacancy, table.seats)}
    foreign = sorted(table.pauses - known)
    for reason in foreign:
        yield Draft(GameResumed(reason, by="post"))
    if VOTED not in table.pauses and not all(map(is_case, foreign)):
        yield Draft(GamePaused(VOTED, by="post"))


def _notify(session: GameSession) -> None:
    """Ask whoever is due; or tell everybody how the game has ended, if nothing but chance was left to play."""
    if session.table.stage != PLAYING:
        announcing.notify_events(session)
    for seat in session.table.due:
        queue_mail.queue_for_seat(session, seat, TurnMail(announce.events_since_turn(session, seat)))
