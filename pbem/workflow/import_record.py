"""Import a record: a game from another post, or from a database that was lost.

The events are made again as briefly as the chain allows, all at the time of the import. Nobody has to accept again.
Then everything follows that follows at any table, such as dice or the end of the game. Players who are due get a turn
mail and their full time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from notation import Record
from pbem.events.chain import Draft
from pbem.events.kinds import GamePaused, GameResumed
from pbem.events.record_conversion import drafts_from_record
from pbem.mail.writing.occasions import TurnMail
from pbem.tables import referee_decisions
from pbem.tables.absences import vacancy
from pbem.tables.consequences import add_consequences, keep_words_apart, seal_draft
from pbem.tables.table import PLAYING, VOTED, Table, is_case
from pbem.workflow import announce, follow_up, history, queue_mail
from pbem.workflow.context import PostContext
from pbem.workflow.open_game import Guest, add_commitments, append_first, new_game, new_people, new_seat
from pbem.workflow.record_proof import EVERYTHING, can_be_read, record_text
from pbem.workflow.session import GameSession


class TooLongError(Exception):
    """The record is so long that it could not be read again with a proof added."""


def import_game(
    context: PostContext, table: str, record: Record, guests: Sequence[Guest], *, terms: Mapping[str, Any]
) -> None:
    """Import a record that was replayed without a refusal, with every entry numbered.

    A finished game needs no guests. Raises TooLongError, and then nothing has happened.
    """
    opened, *whole = drafts_from_record(record)
    others = [draft for each in whole for draft in _without_words(record, each)]
    row = new_game(context, table)
    # What was drawn elsewhere cannot be drawn again here: the first event says how far that goes.
    people = new_people(context, record.seats)
    taken_in = {"taken_in": len(others) + 1}
    opened = add_commitments(opened, row, context.signer, terms=terms, more=taken_in, people=people)
    with context.store.transaction() as transaction:
        transaction.add_game(row)
        append_first(context, transaction, row, opened)
        for guest in guests:
            transaction.save_seat(new_seat(context, transaction, table, guest))
        session = GameSession(context, transaction, row)
        history.log_opened(context, transaction, session.table)
        everywhere = {seat: ZoneInfo("UTC") for seat in record.seats}
        session.clock = replace(session.clock, zones={**everywhere, **session.clock.zones})
        for draft in others:
            session.apply_events([seal_draft(session.table, draft)])
        goes_on = bool(session.table.due)
        if goes_on:
            session.apply_events(_replace_players(session.table, guests))
            session.apply_events(_settle_pauses(session.table))
        session.apply_events(add_consequences(session.table, (), session.dealer()))
        # If the game was over when it came, nobody is told, and the players need no addresses.
        if goes_on:
            follow_up.run_follow_ups(session)
            _notify(session)
        if not can_be_read(record_text(context, row, tuple(session.events), EVERYTHING)):
            raise TooLongError
        session.save()


def _without_words(record: Record, draft: Draft) -> tuple[Draft, ...]:
    """New games keep apart what players say in their moves."""
    return keep_words_apart(record.game, draft) if record.game is not None else (draft,)


def _replace_players(table: Table, guests: Sequence[Guest]) -> Iterator[Draft]:
    """Seat the guests who are not the players that the record names."""
    for guest in guests:
        if guest.name != table.name(guest.seat):
            yield from referee_decisions.substitute(table, guest.seat, guest.name)


def _settle_pauses(table: Table) -> Iterator[Draft]:
    """Keep only pauses that somebody here can end.

    A record says that a game was paused for a case, but does not hold the case, so nobody could close it here. Other
    foreign pauses become one that the players can end by vote.
    """
    known = {VOTED, *map(vacancy, table.seats)}
    foreign = sorted(table.pauses - known)
    for reason in foreign:
        yield Draft(GameResumed(reason, by="post"))
    if VOTED not in table.pauses and not all(map(is_case, foreign)):
        yield Draft(GamePaused(VOTED, by="post"))


def _notify(session: GameSession) -> None:
    """Ask the players who are due. If only chance was left to play, tell everybody how the game ended."""
    if session.table.stage != PLAYING:
        announce.notify_events(session)
    for seat in session.table.due:
        queue_mail.queue_for_seat(session, seat, TurnMail(announce.events_since_turn(session, seat)))
