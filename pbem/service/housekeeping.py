"""What is done now and then so that a post stays small: old bytes go, sent mails are packed, and the file shrinks.

Everything is done in small transactions, and none of it in that of a letter. A process that is killed at any moment
leaves each mail as it was, or packed, or gone because its time had come; the next goes on from there.
"""

import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from pbem.service.journal import note
from pbem.store.packs import make_pack
from pbem.store.store import LAST_PACKING, LAST_SWEEP, PACK_EVERY, ROOM, SWEEP_EVERY
from pbem.tables.fold import BrokenHistoryError
from pbem.workflow.appeal_votes import close_expired
from pbem.workflow.context import PostContext
from pbem.workflow.session import GameSession

_QUOTAS: Final = timedelta(days=120)
"""How long is kept what strangers have used up; no limit counts further back."""
_PACKS_AT_ONCE: Final = 200
"""So many packs are made, some seconds' work, before other things are seen to."""
_PAGES_AT_ONCE: Final = 250
"""Pages, of 4 kB, that are given back in one transaction."""
_SPARE_PAGES: Final = 16
"""Pages that the file keeps for what comes next."""
_LOG: Final = logging.getLogger(__name__)

Closed = Callable[[], bool]


def tidy_up(context: PostContext, *, closed: Closed = bool) -> None:
    """Do what is due; stop early if the post is `closed`, or if it takes long."""
    _delete_old(context, closed)
    _pack_sent(context, closed)


def _delete_old(context: PostContext, closed: Closed) -> None:
    """Delete what was kept long enough, once a day: mails, letters, acts that nobody confirmed, counts.

    Nothing of a game is deleted while a case of it is open.
    """
    now, settings = context.now(), context.settings.store
    if not _is_due(context, LAST_SWEEP, SWEEP_EVERY):
        return
    held, deleted = _disputed_games(context), 0
    while not closed():
        with context.store.transaction() as transaction:
            just_deleted = transaction.forget_sent(now - settings.keep_sent, but=held)
        deleted += just_deleted
        if not just_deleted:
            break
    if deleted:
        note(_LOG, "texts of old mails deleted", mails=deleted)
    if closed():
        return
    with context.store.transaction() as transaction:
        if thinned := transaction.thin_letters(now - settings.keep_letters, but=held):
            note(_LOG, "old letters deleted", letters=thinned)
        close_expired(context, transaction)
        transaction.drop_past(now)
        transaction.drop_quotas(str((now - _QUOTAS).date()))
        transaction.save_setting(LAST_SWEEP, now.isoformat())


def _is_due(context: PostContext, what: str, every: timedelta) -> bool:
    with context.store.reading() as transaction:
        last = transaction.load_setting(what)
    return last is None or context.now() - datetime.fromisoformat(last) >= every


def _disputed_games(context: PostContext) -> list[str]:
    """Games with an open case; and damaged ones, of which nobody knows."""
    with context.store.reading() as transaction:
        rows = transaction.standings()
    known = [row.game for row in rows if row.more and json.loads(row.more)["cases"]]
    return known + [row.game for row in rows if not row.more and _is_disputed(context, row.game)]


def _is_disputed(context: PostContext, game: str) -> bool:
    """The same of a game whose row does not say how it stands; from now on it does."""
    with context.store.transaction() as transaction:
        row = transaction.find_game(game)
        try:
            session = GameSession(context, transaction, row) if row is not None else None
        except BrokenHistoryError:
            return True
        if session is None:
            return False
        transaction.save_standing(session.standing())
        return any(case.is_open for case in session.table.cases)


def _pack_sent(context: PostContext, closed: Closed) -> None:
    """Pack mails that were sent some time ago, and give room back; about once an hour."""
    if not _is_due(context, LAST_PACKING, PACK_EVERY):
        return
    packed = pack_mails(context, closed=closed, most=_PACKS_AT_ONCE)
    give_room_back(context, closed=closed)
    if closed() or packed >= _PACKS_AT_ONCE:
        return  # the rest comes next time
    now = context.now().isoformat()
    with context.store.reading() as transaction:
        room = transaction.measure_room()
    with context.store.transaction() as transaction:
        transaction.save_setting(ROOM, json.dumps({"at": now, **room}))
        transaction.save_setting(LAST_PACKING, now)


def pack_mails(context: PostContext, *, closed: Closed = bool, most: int) -> int:
    """Make packs of mails that were sent some time ago, up to `most`; how many.

    A pack is made between two transactions, for that takes longer than reading and writing it.
    """
    done = mails = 0
    with context.store.reading() as transaction:
        groups = transaction.waiting_for_packs(context.now() - context.settings.store.archive_after)
    for group in groups:
        while done < most and not closed():
            with context.store.reading() as transaction:
                draft = transaction.draft_pack(group)
            if draft is None:
                break
            pack = make_pack(draft)
            with context.store.transaction() as transaction:
                if not transaction.save_pack(pack):
                    break  # somebody was forgotten meanwhile
            done, mails = done + 1, mails + len(draft.loose)
    if done:
        note(_LOG, "sent mails packed", packs=done, parts=mails)
    return done


def give_room_back(context: PostContext, *, closed: Closed = bool) -> None:
    """Let the file shrink by the pages that nothing is in, if it is one that can."""
    while not closed() and context.store.release_pages(_PAGES_AT_ONCE, spare=_SPARE_PAGES):
        pass
