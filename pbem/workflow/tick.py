"""One tick: reminders, missed deadlines, daily mails, letters that waited, and mails that could not be delivered.

A tick may run as often as you like. Everything that was done is noted and is not done twice. If the post was down
for longer than the settings allow, all players first get that time back.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from engine.game import Seat
from pbem.clock.alarms import LATE, acknowledge, alarms, outage_compensation
from pbem.clock.time_control import format_duration
from pbem.store.errors import StoreError
from pbem.store.store import CLOCK_BACK, LAST_TICK, Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.referee_decisions import extend
from pbem.tables.silence import handle_timeout
from pbem.tables.table import PLAYING, POST_WAS_DOWN, ROLLBACK
from pbem.tables.terms import add_holidays
from pbem.tables.votes import drop_expired
from pbem.workflow import announce
from pbem.workflow.announce import notify_held
from pbem.workflow.context import PostContext
from pbem.workflow.delegates import Delegation, due_delegations, settle_delegation
from pbem.workflow.follow_up import change_intentions, load_intentions, run_follow_ups
from pbem.workflow.forget import forget_when_due
from pbem.workflow.genuine_letters import awaits_letter, look_at_new_letters
from pbem.workflow.pencils import is_protected, next_due_pencil, play_pencil
from pbem.workflow.people import REST, digest_hour, digest_key, next_digest
from pbem.workflow.reply import reply_limit_reached
from pbem.workflow.rollback import end_hold, held_games
from pbem.workflow.session import GameSession
from pbem.workflow.undelivered import count_undeliverable
from pbem.workflow.waiting_tables import look_after

BROKEN: Final = "broken history"
"""Reported for a game whose history is damaged."""
WENT_BACK: Final = "clock went back"
"""Reported when the machine's clock is behind a time that it has shown before."""
FAILED: Final = "stumbled"
"""Reported for a game where our own code failed."""


@dataclass(frozen=True, slots=True)
class TickResult:
    """Something that a tick did, for the log."""

    what: str
    game: str = ""
    seat: str = ""
    problem: Exception | None = None
    """The exception, if our own code failed."""
    detail: str = ""
    """More about it, in words."""


def tick(context: PostContext) -> list[TickResult]:
    """Do everything that is due now."""
    done = give_back_outage(context)
    look_at_new_letters(context)
    now = context.now()
    with context.store.reading() as transaction:
        due = transaction.due_clocks(now)
        digests = [game for game in due if _due_digests(transaction, game, now)]
        held = held_games(transaction)
        delegated = due_delegations(context, transaction)
        gathering = [notice.id for notice in transaction.due_notices(now)]
    for game in held:
        done += _isolated(context, game, partial(_check_hold, context, game))
    for game in due:
        done += _isolated(context, game, partial(_play_pencils, context, game))
        done += _isolated(context, game, partial(_check_game, context, game))
    for each in delegated:
        done += _isolated(context, each.game, partial(_settle_delegation, context, each))
    for table in gathering:
        done += _isolated(context, table, partial(_check_gathering, context, table))
    for game in digests:
        done += _isolated(context, game, partial(_write_digests, context, game, now))
    with context.store.transaction() as transaction:
        done += _retry_waiting(context, transaction)
        done += [TickResult("undelivered", game, seat) for game, seat in count_undeliverable(context, transaction)]
        transaction.save_setting(LAST_TICK, now.isoformat())
    done += [TickResult("forgotten") for _ in forget_when_due(context)]
    return done


def give_back_outage(context: PostContext) -> list[TickResult]:
    """Give players the time back in which the post was down. This runs before letters are handled.

    A clock that jumps ahead looks like a post that was down, so nobody is late because of it.
    """
    if (went_back := _notice_clock_back(context)) is not None:
        return [went_back]
    now, settings = context.now(), context.settings.time
    with context.store.reading() as transaction:
        last = transaction.load_setting(LAST_TICK)
    length = timedelta()
    if last is not None:
        length = outage_compensation(
            datetime.fromisoformat(last), now, outage=settings.outage, extra=settings.after_outage
        )
    if last is None or not length:
        return []
    with context.store.reading() as transaction:
        games = [game.id for game in transaction.games(PLAYING)]
    done = [
        each
        for game in games
        for each in _isolated(context, game, partial(_extend_time, context, game, length, down_since=last))
    ]
    with context.store.transaction() as transaction:
        transaction.save_setting(LAST_TICK, now.isoformat())
    return done


_REMEMBERED: Final = ("digest of ", "doubt told to ", "last alarm", "last sweep of the outbox")
"""What is done again after some time has passed since the moment that is kept under these names."""


def _notice_clock_back(context: PostContext) -> TickResult | None:
    """Notice that the machine's clock went back, and let nothing wait for a time that was wrong."""
    now = context.now()
    with context.store.reading() as transaction:
        last = transaction.load_setting(LAST_TICK)
    if last is None or datetime.fromisoformat(last) - now < CLOCK_BACK:
        return None
    with context.store.transaction() as transaction:
        transaction.save_setting(LAST_TICK, now.isoformat())
        for key, moment in (pair for name in _REMEMBERED for pair in transaction.load_settings(name).items()):
            if datetime.fromisoformat(moment) > now:
                transaction.save_setting(key, now.isoformat())
                transaction.look_soon(key.rpartition(" of ")[-1])  # where it is a summary that would come too late
        released = transaction.release_future(now)
    length = format_duration(datetime.fromisoformat(last) - now)
    mails = "1 mail that waited" if released == 1 else f"{released} mails that waited"
    return TickResult(WENT_BACK, detail=f"by {length}; {mails} for a later time can go now, and nobody loses time")


def _isolated(context: PostContext, game: str, look: Callable[[], list[TickResult]]) -> list[TickResult]:
    """Check one game. If its history is damaged or our code fails, the other games go on."""
    try:
        return look()
    except StoreError:
        raise
    except BrokenHistoryError:
        with context.store.transaction() as transaction:
            notify_held(context, transaction, game)
        return [TickResult(BROKEN, game)]
    except Exception as problem:
        return [TickResult(FAILED, game, problem=problem)]


def _extend_time(context: PostContext, game: str, length: timedelta, *, down_since: str) -> list[TickResult]:
    """Give one game more time, once for each outage, even if the process dies in the middle."""
    with context.store.transaction() as transaction:
        key = f"amends for {game}"
        if transaction.load_setting(key) == down_since:
            return []
        transaction.save_setting(key, down_since)
        session = _open_session(context, transaction, game)
        if not session.clock.running or not session.clock.due:
            return []  # where time stood still, none was lost
        session.apply_events(extend(session.table, format_duration(length), POST_WAS_DOWN).drafts)
        announce.notify_events(session)
        session.save()
    return [TickResult("extended", game)]


def _play_pencils(context: PostContext, game: str) -> list[TickResult]:
    """Play the pencilled moves of one game whose moment has come, each in a transaction of its own."""
    done: list[TickResult] = []
    while True:
        with context.store.transaction() as transaction:
            session = _open_session(context, transaction, game)
            seat = next_due_pencil(session)
            if seat is None:
                return done
            stands = play_pencil(session, seat)
            session.save()
        done.append(TickResult("pencil played" if stands else "pencil refused", game, seat))


def _check_game(context: PostContext, game: str) -> list[TickResult]:
    """Close votes that have run out, and handle the alarms of one game."""
    done: list[TickResult] = []
    with context.store.transaction() as transaction:
        session = _open_session(context, transaction, game)
        session.apply_events(drop_expired(session.table, session.now))
        done += [TickResult("lapsed", game) for _ in session.news]
        session.apply_events(add_holidays(session.table, session.now))
        decisions = []
        for alarm in tuple(alarms(session.clock, session.now)):
            if alarm not in alarms(session.clock, session.now):
                continue  # what an earlier one brought about has ended the turn, or the game
            if alarm.kind == LATE and (is_protected(session, alarm.seat) or awaits_letter(session, alarm)):
                continue  # the letter is handled or played first, and a later tick looks again
            session.clock = acknowledge(session.clock, alarm, session.now)
            done.append(TickResult(alarm.kind, game, alarm.seat))
            if alarm.kind != LATE:
                announce.send_reminder(session, alarm.seat)
                continue
            plan = load_intentions(session, alarm.seat).plan
            decision = handle_timeout(session.table, alarm.seat, plan=plan, dealer=session.dealer())
            if decision.plan is not None:
                change_intentions(session, alarm.seat, plan=decision.plan)
            session.apply_events(decision.drafts)
            decisions.append(decision)
        # What is told of silence tells the table as it leaves it, with all that has followed by itself.
        followed = run_follow_ups(session) if session.news else None
        announce.notify_timeouts(session, decisions, followed)
        session.save()
    return done


def _check_gathering(context: PostContext, table: str) -> list[TickResult]:
    """Remind the opener of a table that waits for players, or let it go away."""
    with context.store.transaction() as transaction:
        what = look_after(context, transaction, table)
    return [TickResult(what, table)] if what else []


def _settle_delegation(context: PostContext, delegation: Delegation) -> list[TickResult]:
    """Let somebody play for another from today on, or no more."""
    with context.store.transaction() as transaction:
        return [TickResult(settle_delegation(context, transaction, delegation), delegation.game, delegation.seat)]


def _check_hold(context: PostContext, game: str) -> list[TickResult]:
    """Look whether a held game has caught up."""
    with context.store.transaction() as transaction:
        session = _open_session(context, transaction, game)
        end_hold(session)
        announce.notify_events(session)
        session.save()
        return [TickResult("caught up", game) for _ in session.news]


def _due_digests(transaction: Transaction, game: str, now: datetime) -> list[Seat]:
    """The seats of a game whose summary is due."""
    row = transaction.find_game(game)
    if row is None or row.stage != PLAYING:
        return []
    moments = {person.seat: next_digest(transaction, person, now) for person in transaction.find_seats(game)}
    return [seat for seat, moment in moments.items() if moment is not None and moment <= now]


def _write_digests(context: PostContext, game: str, now: datetime) -> list[TickResult]:
    """Send the daily mails of one game that are due. The first time nothing is known of the day before."""
    with context.store.transaction() as transaction:
        seats = _due_digests(transaction, game, now)
        session = _open_session(context, transaction, game)
        keys = {seat: digest_key(session.people[seat]) for seat in seats}
        known = {key for key in keys.values() if transaction.load_setting(key) is not None}
        told = announce.send_digests(session, [seat for seat in seats if keys[seat] in known])
        for seat in seats:
            rest = REST if keys[seat] in known and digest_hour(session.people[seat]) is not None else timedelta()
            transaction.save_setting(keys[seat], (now + rest).isoformat())
        session.save()
    return [TickResult("digest", game, seat) for seat in told]


def _retry_waiting(context: PostContext, transaction: Transaction) -> Iterator[TickResult]:
    """Try letters again whose senders had reached their limit of replies."""
    for row in transaction.letters_in("waiting"):
        if row.reason == ROLLBACK:
            continue  # it waits for its turn to come again
        person = transaction.find_seat(row.game or "", row.seat or "")
        if (
            person is None or not reply_limit_reached(context, transaction, person.address)
        ) and transaction.retry_waiting(row.id):
            yield TickResult("woken", row.game or "", row.seat or "")


def _open_session(context: PostContext, transaction: Transaction, game: str) -> GameSession:
    row = transaction.find_game(game)
    if row is None:
        raise LookupError(f"a clock without a game: {game}")
    return GameSession(context, transaction, row)
