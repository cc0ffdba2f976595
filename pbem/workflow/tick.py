"""One look at the clocks: reminders, silence, words for the day, letters that waited, and mail that failed.

It may be called as often as one likes: whatever was seen to is noted, and comes once. A post that slept for
longer than the settings allow first gives everybody the time back that they could not use.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from pbem.clock.alarms import LATE, alarms, amends, note
from pbem.clock.time_control import write_duration
from pbem.store.errors import StoreError
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.host import POST_WAS_DOWN, extend
from pbem.tables.silence import be_silent
from pbem.tables.table import PLAYING
from pbem.tables.votes import lapsed
from pbem.workflow import announce
from pbem.workflow.announce import tell_held
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import change_intentions, follow, load_intentions
from pbem.workflow.reply import has_had_enough
from pbem.workflow.session import GameSession
from pbem.workflow.undelivered import count_refused

LAST_LOOK: Final = "last look at the clocks"
DAY: Final = timedelta(days=1)
BROKEN: Final = "broken history"
"""What is told of a game that cannot be looked at."""
STUMBLED: Final = "stumbled"
"""The same where the fault is ours."""


@dataclass(frozen=True, slots=True)
class Ticked:
    """Something that a look at the clocks brought about, for the log."""

    what: str
    game: str = ""
    seat: str = ""
    problem: Exception | None = None
    """Where we stumbled, for whoever mends it."""


def tick(context: PostContext) -> list[Ticked]:
    """See to everything that is due now."""
    done = make_amends(context)
    now = context.now()
    with context.store.reading() as transaction:
        due = transaction.due_clocks(now)
        playing = [game.id for game in transaction.games(PLAYING)]
    for game in due:
        done += _by_itself(context, game, partial(_see_to, context, game))
    for game in playing:
        done += _by_itself(context, game, partial(_write_digests, context, game, now))
    with context.store.transaction() as transaction:
        done += _wake_letters(context, transaction)
        done += [Ticked("undelivered", game, seat) for game, seat in count_refused(context, transaction)]
        transaction.save_setting(LAST_LOOK, now.isoformat())
    return done


def make_amends(context: PostContext) -> list[Ticked]:
    """Give back the time in which the post slept: before letters are handled, whose turns begin only now."""
    now, settings = context.now(), context.settings.time
    with context.store.reading() as transaction:
        last = transaction.load_setting(LAST_LOOK)
        games = [game.id for game in transaction.games(PLAYING)]
    length = timedelta()
    if last is not None:
        length = amends(datetime.fromisoformat(last), now, outage=settings.outage, extra=settings.after_outage)
    if last is None or not length:
        return []
    done = [
        each
        for game in games
        for each in _by_itself(context, game, partial(_amend, context, game, length, down_since=last))
    ]
    with context.store.transaction() as transaction:
        transaction.save_setting(LAST_LOOK, now.isoformat())
    return done


def _by_itself(context: PostContext, game: str, look: Callable[[], list[Ticked]]) -> list[Ticked]:
    """A game whose history is broken stops, and the others go on; so they do if we stumble over one."""
    try:
        return look()
    except StoreError:
        raise
    except BrokenHistoryError:
        with context.store.transaction() as transaction:
            tell_held(context, transaction, game)
        return [Ticked(BROKEN, game)]
    except Exception as problem:
        return [Ticked(STUMBLED, game, problem=problem)]


def _amend(context: PostContext, game: str, length: timedelta, *, down_since: str) -> list[Ticked]:
    """Give one game more time, once for each time the post was down, even if it goes down in the middle of this."""
    with context.store.transaction() as transaction:
        key = f"amends for {game}"
        if transaction.load_setting(key) == down_since:
            return []
        transaction.save_setting(key, down_since)
        session = _lay(context, transaction, game)
        if not session.clock.running or not session.clock.due:
            return []  # where time stood still, none was lost
        session.happen(extend(session.table, write_duration(length), POST_WAS_DOWN).drafts)
        announce.tell_news(session)
        session.save()
    return [Ticked("extended", game)]


def _see_to(context: PostContext, game: str) -> list[Ticked]:
    """The votes and alarms of one game."""
    done: list[Ticked] = []
    with context.store.transaction() as transaction:
        session = _lay(context, transaction, game)
        session.happen(lapsed(session.table, session.now))
        done += [Ticked("lapsed", game) for _ in session.news]
        decisions = []
        for alarm in tuple(alarms(session.clock, session.now)):
            if alarm not in alarms(session.clock, session.now):
                continue  # what an earlier one brought about has ended the turn, or the game
            session.clock = note(session.clock, alarm, session.now)
            done.append(Ticked(alarm.kind, game, alarm.seat))
            if alarm.kind != LATE:
                announce.remind(session, alarm.seat)
                continue
            plan = load_intentions(session, alarm.seat).plan
            decision = be_silent(session.table, alarm.seat, plan=plan, dealer=session.dealer())
            if decision.plan is not None:
                change_intentions(session, alarm.seat, plan=decision.plan)
            session.happen(decision.drafts)
            decisions.append(decision)
        # What is told of silence tells the table as it leaves it, with all that has followed by itself.
        followed = follow(session) if session.news else None
        announce.tell_notices(session, (notice for decision in decisions for notice in decision.notices))
        announce.tell_news(session, followed)
        session.save()
    return done


def _write_digests(context: PostContext, game: str, now: datetime) -> list[Ticked]:
    """The day's words to those who want to hear of the game once a day."""
    with context.store.transaction() as transaction:
        key = f"digest of {game}"
        last = transaction.load_setting(key)
        if last is not None and now - datetime.fromisoformat(last) < DAY:
            return []
        transaction.save_setting(key, now.isoformat())
        if last is None:
            return []
        session = _lay(context, transaction, game)
        told = announce.write_digests(session)
        session.save()
    return [Ticked("digest", game, seat) for seat in told]


def _wake_letters(context: PostContext, transaction: Transaction) -> Iterator[Ticked]:
    """Letters of people who had written too many are tried again once their next answer may be written."""
    for row in transaction.letters_in("waiting"):
        person = transaction.find_seat(row.game or "", row.seat or "")
        if (person is None or not has_had_enough(context, transaction, person.address)) and transaction.wake(row.id):
            yield Ticked("woken", row.game or "", row.seat or "")


def _lay(context: PostContext, transaction: Transaction, game: str) -> GameSession:
    row = transaction.find_game(game)
    if row is None:
        raise LookupError(f"a clock without a game: {game}")
    return GameSession(context, transaction, row)
