"""A database that is older than it was, or another file under a running post, is noticed before anything is sent."""

import shutil
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.service.checks import run_checks
from pbem.service.folder_checks import BAD
from pbem.service.post_folder import open_light, open_post
from pbem.service.restore import accept
from pbem.service.send_queue import send_all
from pbem.service.water_mark import mark_file, read_mark, refuse_rollback
from pbem.settings.sections import Settings
from pbem.store.errors import StoreFailedError, StoreRefusedError
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import invite_friends, make_friends, make_script


@pytest.fixture
def older(settings: Settings, tmp_path: Path) -> Path:
    """A copy from before a table was opened, which the database knows."""
    copy = tmp_path / "copy.db"
    with open_post(settings) as context:
        context.store.copy_to(copy)
        invite_friends(context, make_friends(2).values(), make_script(2))
    return copy


def put_back(copy: Path, settings: Settings) -> None:
    """Copy the file back by hand, as people do."""
    database = settings.database
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    shutil.copy(copy, database)


def test_an_older_copy_is_noticed_before_anything_is_sent(settings: Settings, older: Path) -> None:
    put_back(older, settings)
    with pytest.raises(StoreRefusedError, match="older than it was: it has 0 events instead of 1, 0 mails"):
        send_all(settings, report=lambda _: None)
    with pytest.raises(StoreRefusedError, match="pbem restore --accept --all"), open_post(settings):
        pass
    with open_post(settings, reads=True):
        pass  # one may look
    told = [found.text for found in run_checks(settings) if found.state == BAD and found.about == "database"]
    assert any("older than it was" in text for text in told)


def test_the_newest_database_put_back_again_is_welcome(settings: Settings, older: Path, tmp_path: Path) -> None:
    newest = tmp_path / "newest.db"
    shutil.copy(settings.database, newest)
    put_back(older, settings)
    put_back(newest, settings)
    with open_post(settings):
        pass


def test_a_mark_that_cannot_be_read_keeps_nobody_out(settings: Settings, older: Path) -> None:
    mark_file(settings).write_text("[]")
    assert read_mark(settings) is None
    with open_post(settings):
        pass
    assert read_mark(settings) is not None


def test_a_database_that_never_was_here_is_noticed(settings: Settings, older: Path, tmp_path: Path) -> None:
    mark = mark_file(settings)
    mark.write_text(mark.read_text().replace('"generation": "', '"generation": "0'))
    with open_light(settings) as post, pytest.raises(StoreRefusedError, match="another one"):
        refuse_rollback(settings, post.store)


def test_a_file_that_is_replaced_under_an_open_store_gets_nothing_more(settings: Settings, older: Path) -> None:
    database = settings.database
    with open_light(settings) as post:
        post.store.receive(b"Subject: one\r\n\r\n", intake="test")
        database.rename(database.with_name("aside.db"))
        with pytest.raises(StoreFailedError, match="is gone while it was in use"):
            post.store.receive(b"Subject: two\r\n\r\n", intake="test")
        shutil.copy(older, database)
        with pytest.raises(StoreFailedError, match="nothing more is written"):
            post.store.receive(b"Subject: two\r\n\r\n", intake="test")


def test_a_letter_is_not_acknowledged_if_the_file_loses_its_name_while_it_is_stored(settings: Settings) -> None:
    database = settings.database
    other = database.with_name("other.db")
    shutil.copy(database, other)
    with open_light(settings) as post:
        stored = post.store.transaction()
        stored.__enter__().save_setting("any", "thing")
        other.replace(database)
        with pytest.raises(StoreFailedError, match="was replaced by another file"):
            stored.__exit__(None, None, None)


def test_a_letter_for_a_table_that_is_not_here_shows_it_too_and_is_kept(settings: Settings, older: Path) -> None:
    with open_post(settings) as context, context.store.reading() as transaction:
        raw = transaction.last_mails_to_seats()[0].raw
    answered = message_from_bytes(raw)
    letter = f"From: {answered['To']}\nTo: {answered['Reply-To']}\nMessage-ID: <1@players.test>\n\naccept\n"
    put_back(older, settings)
    mark_file(settings).unlink()
    with open_post(settings) as context:
        context.store.receive(letter.replace("\n", "\r\n").encode(), intake="test")
        (outcome,) = handle_arrived_letters(context)
    assert (outcome.fate, outcome.reason) == ("quarantined", "no-such-game")
    assert "lost table" in [found.about for found in run_checks(settings) if found.state == BAD]
    for _ in range(2):
        send_all(settings, report=lambda _: None)
    mails = [" ".join(path.read_text().replace("=\n", "").split()) for path in (settings.folder / "outgoing").iterdir()]
    assert sum("there is no such table" in mail for mail in mails) == 1, "the referee is told once"
    accept(settings, None, everything=True)
    assert "lost table" not in [found.about for found in run_checks(settings)]
