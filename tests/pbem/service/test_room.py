"""A post stays small: sent mails are packed, old ones go unless a case is open, and the file gives room back."""

import json
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.mail.transport.factory import open_mailer
from pbem.service import housekeeping
from pbem.service.checks import run_checks
from pbem.service.housekeeping import tidy_up
from pbem.service.post_folder import open_post
from pbem.service.room import Compacted, compact, find_room, say_room
from pbem.service.send_queue import send_due
from pbem.settings.sections import Settings
from pbem.store.rows import NewMail
from pbem.workflow.context import PostContext
from pbem.workflow.forget import forget_person
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.referee_acts import close, open_case
from tests.post.post_games import TABLE, Hours, invite_friends, make_friends, make_script

COUNT = 40


@pytest.fixture
def sent(context: PostContext) -> list[NewMail]:
    """Mails that were sent just now."""
    same = random.Random(0).randbytes(20_000)
    mails = [NewMail(f"<{number}@post>", "anna@x.test", "news", same + b"%d" % number) for number in range(COUNT)]
    with context.store.transaction() as at_desk:
        at_desk.enqueue(mails)
    send_due(context, open_mailer(context.settings))
    return mails


def packs(context: PostContext) -> int:
    with context.store.reading() as at_desk:
        return int(at_desk._value("SELECT count(*) FROM pack"))


def raws(context: PostContext, mails: list[NewMail]) -> list[bytes]:
    with context.store.reading() as at_desk:
        return [found.raw for each in mails if (found := at_desk.find_message(each.message_id)) is not None]


def test_mails_are_packed_when_the_settings_say_and_not_before(
    context: PostContext, sent: list[NewMail], hours: Hours
) -> None:
    hours.moment += context.settings.store.archive_after - timedelta(hours=1)
    tidy_up(context)
    assert packs(context) == 0
    hours.forward(hours=2)
    tidy_up(context)
    assert packs(context) == 2
    assert raws(context, sent) == [each.raw for each in sent]


def test_it_is_looked_for_about_once_an_hour(context: PostContext, hours: Hours, sent: list[NewMail]) -> None:
    hours.forward(days=1)
    tidy_up(context)
    hours.forward(minutes=40)
    tidy_up(context)
    assert packs(context) == 0
    hours.forward(minutes=20)
    tidy_up(context)
    assert packs(context) == 2


def test_a_post_that_is_stopping_packs_no_more(context: PostContext, hours: Hours, sent: list[NewMail]) -> None:
    hours.forward(days=2)
    tidy_up(context, closed=lambda: packs(context) == 1)
    assert packs(context) == 1
    tidy_up(context)
    assert packs(context) == 2


def test_what_is_left_is_packed_at_the_next_look_without_waiting(
    context: PostContext, hours: Hours, sent: list[NewMail], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "_PACKS_AT_ONCE", 1)
    hours.forward(days=2)
    tidy_up(context)
    assert packs(context) == 1
    tidy_up(context)
    assert packs(context) == 2


def test_the_file_shrinks_by_itself(context: PostContext, hours: Hours, sent: list[NewMail]) -> None:
    file = context.settings.database
    context.store.checkpoint()
    before = file.stat().st_size
    hours.forward(days=2)
    tidy_up(context)
    context.store.checkpoint()
    after = file.stat().st_size
    hours.forward(days=40)
    tidy_up(context)
    context.store.checkpoint()
    assert file.stat().st_size <= after < before
    assert raws(context, sent) == [b""] * COUNT
    assert packs(context) == 0


class Dispute(NamedTuple):
    """A game with mails to its players, of whom one has appealed."""

    context: PostContext
    mails: list[int]


@pytest.fixture
def dispute(context: PostContext) -> Dispute:
    friends, script = make_friends(), make_script()
    invite_friends(context, friends.values(), script)
    for friend in friends.values():
        with context.store.reading() as at_desk:
            mails = [at_desk.find_mail(number) for number in at_desk.mail_numbers()]
        friend.get(next(mail.raw for mail in mails if mail is not None and mail.seat == friend.seat))
        context.store.receive(friend.answer("accept"), intake="test")
        assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["applied"]
    opened = open_case(context, TABLE, None, "look at this")
    assert opened is not None
    assert opened.refused is None
    send_due(context, open_mailer(context.settings))
    with context.store.reading() as at_desk:
        numbers = at_desk.mail_numbers()
    return Dispute(context, numbers)


def lengths(dispute: Dispute) -> list[int]:
    with dispute.context.store.reading() as at_desk:
        found = [at_desk.find_mail(number) for number in dispute.mails]
    return [len(mail.raw) for mail in found if mail is not None]


@pytest.mark.parametrize("unknown", [False, True])
def test_nothing_of_a_game_goes_while_a_case_is_open(dispute: Dispute, hours: Hours, unknown: bool) -> None:
    before = lengths(dispute)
    assert all(before)
    if unknown:  # an older release did not note how games stand
        with dispute.context.store.transaction() as at_desk:
            at_desk.drop_standing(TABLE)
    hours.forward(days=40)
    tidy_up(dispute.context)
    assert packs(dispute.context) > 0
    assert lengths(dispute) == before
    close(dispute.context, TABLE, 1)
    hours.forward(days=2)
    tidy_up(dispute.context)
    assert not any(lengths(dispute)[: len(before)])


def test_nothing_of_a_game_goes_whose_history_is_damaged(dispute: Dispute, hours: Hours) -> None:
    before = lengths(dispute)
    close(dispute.context, TABLE, 1)
    with dispute.context.store.transaction() as at_desk:
        at_desk.drop_standing(TABLE)
        at_desk._change("UPDATE event SET hash = prev WHERE seq = 2")
    dispute.context.table_cache.drop(TABLE)
    hours.forward(days=40)
    tidy_up(dispute.context)
    assert lengths(dispute) == before


def test_a_player_who_is_forgotten_is_gone_from_all_packs(dispute: Dispute, hours: Hours) -> None:
    close(dispute.context, TABLE, 1)
    hours.forward(days=10)
    tidy_up(dispute.context)
    with dispute.context.store.transaction() as at_desk:
        (seat, *_) = at_desk.find_seats(TABLE)
        person = at_desk.find_person(seat.person)
        assert person is not None
        forget_person(dispute.context, at_desk, person)
        readers = {str(reader) for (reader,) in at_desk._rows("SELECT DISTINCT reader FROM pack")}
    assert seat.address.lower() not in readers
    assert len(readers) == 2


@pytest.fixture
def older(settings: Settings, hours: Hours) -> Settings:
    """A post whose file cannot shrink, with room in it that is free."""
    with closing(sqlite3.connect(settings.database, isolation_level=None)) as hand:
        hand.execute("PRAGMA auto_vacuum = none")
        hand.execute("VACUUM")
        hand.execute("CREATE TABLE large (content BLOB)")
        hand.execute("INSERT INTO large VALUES (zeroblob(3000000))")
        hand.execute("DROP TABLE large")
    return settings


def test_the_file_of_an_older_release_shrinks_once_it_was_compacted(older: Settings, hours: Hours) -> None:
    with open_post(older, hours.now) as context:
        tidy_up(context)
        assert not context.store.release_pages(100, spare=0)
    told = [result.text for result in run_checks(older, quick=True) if result.about == "room"]
    assert told[0].startswith("3.")
    assert "pbem compact" in told[1]
    done = compact(older)
    assert isinstance(done, Compacted)
    assert done.after < 1_000_000 < 3_000_000 < done.before
    assert older.database.stat().st_size == done.after
    assert [result.about for result in run_checks(older, quick=True)].count("room") == 1
    assert sorted(path.name for path in older.database.parent.iterdir()) == [
        *("post.db", "post.db.lock", "post.db.seen", "post.toml", "signing.key", "ticket.key")
    ]


def test_a_disk_without_room_is_left_alone(older: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    size = older.database.stat().st_size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 100_000))
    done = compact(older)
    assert isinstance(done, str)
    assert "too little room" in done
    assert older.database.stat().st_size == size


def test_what_takes_the_room_adds_up_to_the_file(context: PostContext, sent: list[NewMail]) -> None:
    with context.store.reading() as at_desk:
        room = find_room(at_desk)
    assert room["mails"] > COUNT * 20_000
    assert sum(size for part, size in room.items() if part not in ("file", "measured_at")) == room["file"]
    assert say_room(room).startswith(f"{room['file'] / 1_000_000:.1f} MB: letters 0.0, mails 1.0,")


def test_a_large_database_is_not_measured_at_each_look(context: PostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    tidy_up(context)
    monkeypatch.setattr("pbem.service.room._SMALL", 0)
    with context.store.transaction() as at_desk:
        kept = json.loads(at_desk.load_setting("what takes the room") or "")
        at_desk.save_setting("what takes the room", json.dumps({**kept, "mails": 77_000_000, "file": 1}))
        room = find_room(at_desk)
    assert room["mails"] == 77_000_000
    assert room["file"] == context.settings.database.stat().st_size or room["file"] > 1
    assert "(measured 2026-11-16 09:00)" in say_room(room)


def test_copies_give_room_back_too(context: PostContext, tmp_path: Path) -> None:
    context.store.copy_to(tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA auto_vacuum").fetchone() == (2,)
