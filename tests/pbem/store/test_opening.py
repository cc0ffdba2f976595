"""A database is opened only with settings under which nothing acknowledged is lost."""

import os
import re
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pbem.store import sqlite
from pbem.store.errors import StoreRefusedError, StoreUncopiedError
from pbem.store.sqlite_connection import SAFE
from pbem.store.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    """What is tried here is how files are opened."""
    return f"sqlite:///{tmp_path}/post.db"


TODAY = len(sqlite.MIGRATIONS)
"""The schema of this release."""


def test_what_was_set_is_read_back_and_a_commit_means_flushed(store: Store) -> None:
    answers = {
        name: store._connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    }
    assert answers == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("synchronous", "normal", "SQLite has synchronous = 1 instead of 2: every commit must be flushed"),
        ("synchronous", "off", "SQLite has synchronous = 0 instead of 2"),
        ("journal_mode", "delete", "SQLite has journal_mode = delete instead of wal"),
        ("journal_mode", "memory", "SQLite has journal_mode = memory instead of wal"),
        ("foreign_keys", "off", "SQLite has foreign_keys = 0 instead of 1: rows must not point"),
    ],
)
def test_a_database_that_does_otherwise_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setitem(SAFE, name, value)
    with pytest.raises(StoreRefusedError) as refused:
        Store.create(url)
    assert sentence in str(refused.value)


def test_a_store_that_is_not_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreRefusedError, match="not an SQLite file"):
        Store.create("sqlite://")
    with pytest.raises(StoreRefusedError, match="journal_mode = memory"):
        Store.create("sqlite:///:memory:")


def test_what_was_stored_is_there_after_closing_and_opening(url: str) -> None:
    with Store.create(url) as first:
        first.receive(b"hello", intake="pipe")
    with Store.open(url) as second:
        letter = second.next_received()
    assert letter is not None
    assert letter.raw == b"hello"


def test_a_database_of_the_first_schema_becomes_one_of_today(url: str) -> None:
    Store.create(url).close()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        today = _columns(connection)
        connection.execute("ALTER TABLE event DROP COLUMN told")
        connection.execute("UPDATE setting SET value = '1' WHERE key = 'schema'")
        connection.commit()
        Store.open(url).close()
        assert _columns(connection) == today


def _columns(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    names = [
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    ]
    return {name: connection.execute(f"PRAGMA table_info({name})").fetchall() for name in names}


def test_a_database_of_a_newer_release_is_refused_and_left_alone(url: str) -> None:
    with Store.create(url) as store, store.transaction() as at_desk:
        at_desk.save_setting("schema", "99")
    with pytest.raises(StoreRefusedError, match=f"has schema 99, and this release knows schemas up to {TODAY}"):
        Store.open(url)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        assert connection.execute("SELECT value FROM setting WHERE key = 'schema'").fetchone() == ("99",)


def test_steps_that_are_missing_are_taken_once_and_in_order(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.create(url).close()
    added = "ALTER TABLE game ADD COLUMN motto TEXT"
    monkeypatch.setattr(sqlite, "MIGRATIONS", (*sqlite.MIGRATIONS, lambda connection: connection.execute(added)))
    for _ in range(2):
        with Store.open(url) as store, store.reading() as at_desk:
            assert at_desk.load_setting("schema") == str(TODAY + 1)
            assert store._connection.execute("SELECT motto FROM game").fetchall() == []


def test_a_step_that_fails_leaves_the_old_schema_whole(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.create(url).close()

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (done INTEGER)")
        raise RuntimeError("the lamp went out")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "MIGRATIONS", (*sqlite.MIGRATIONS, fail))
        with pytest.raises(RuntimeError, match="lamp"):
            Store.open(url)
    with Store.open(url) as store, store.reading() as at_desk:
        assert at_desk.load_setting("schema") == str(TODAY)
        assert store._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchone() is None


def test_a_file_that_is_no_database_of_ours_is_refused_with_a_sentence(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("no database at all, but long enough to be looked at twice\n" * 99, "utf-8")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    for path, sentence in [
        (text, "cannot be opened: file is not a database"),
        (other, "not one of a post"),
        (tmp_path / "nowhere" / "post.db", "is not there"),
    ]:
        with pytest.raises(StoreRefusedError, match=sentence):
            Store.open(f"sqlite:///{path}")


def test_an_empty_database_is_taken_for_a_lost_one_and_not_for_a_new_one(tmp_path: Path) -> None:
    hollow, bare = tmp_path / "hollow.db", tmp_path / "bare.db"
    hollow.touch()
    with sqlite3.connect(bare) as connection:
        connection.execute("PRAGMA journal_mode = wal")
    for path in (hollow, bare):
        before = path.read_bytes()
        with pytest.raises(StoreRefusedError, match=r"is empty: .* put a backup in its place"):
            Store.open(f"sqlite:///{path}")
        assert path.read_bytes() == before
    with pytest.raises(StoreRefusedError, match="is not there"):
        Store.open(f"sqlite:///{tmp_path}/nowhere.db")
    assert not (tmp_path / "nowhere.db").exists()


@pytest.mark.parametrize("name", ["what?", "with%20blank", "a#b", "ש é", "b?mode=ro"])
def test_the_database_is_where_its_name_says_whatever_letters_it_has(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    Store.create(f"sqlite:///{tmp_path}/{name}/post.db").close()
    assert (tmp_path / name / "post.db").is_file()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_new_database_is_for_its_owner_only(store: Store, tmp_path: Path) -> None:
    store.receive(b"hello", intake="pipe")
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("post.db*")}
    assert modes == {"post.db": 0o600, "post.db-wal": 0o600, "post.db-shm": 0o600}


def test_patience_is_the_time_that_sqlite_waits(url: str) -> None:
    with Store.create(url, timeout=1.5) as store:
        assert store._connection.execute("PRAGMA busy_timeout").fetchone()[0] == 1_500


def test_a_copy_is_complete_and_can_be_opened(store: Store, tmp_path: Path) -> None:
    store.receive(b"hello", intake="pipe")
    store.copy_to(tmp_path / "copy.db")
    store.receive(b"after the copy", intake="pipe")
    with Store.open(f"sqlite:///{tmp_path}/copy.db") as copy, copy.reading() as at_desk:
        assert at_desk.counters().received == 1
        assert at_desk.integrity_problems() == []
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_a_copy_that_cannot_be_made_leaves_nothing_behind(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(place: int) -> None:
        raise OSError(28, "No space left on device")

    before = sorted(path.name for path in tmp_path.iterdir())
    (tmp_path / "copy.db.part").write_text("from a copy that was killed", "utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(StoreUncopiedError, match=r"no copy was made to .*copy\.db: No space left"):
            store.copy_to(tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    store.copy_to(tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "copy.db"])


def test_a_damaged_database_is_not_copied(url: str, tmp_path: Path) -> None:
    with Store.create(url) as store:
        for number in range(200):
            store.receive(f"letter {number} ".encode() * 200, intake="pipe")
    whole = bytearray((tmp_path / "post.db").read_bytes())
    whole[len(whole) // 2 :] = b"\xa5" * (len(whole) - len(whole) // 2)
    (tmp_path / "post.db").write_bytes(whole)
    with Store.open(url) as store, pytest.raises(StoreUncopiedError, match=r"damaged: .*pbem doctor"):
        store.copy_to(tmp_path / "copy.db")
    assert not [*tmp_path.glob("copy.db*")]


def test_every_statement_fits_the_schema(store: Store) -> None:
    modules = [
        import_module(f"pbem.store.{name}") for name in ("arrivals", "inbox", "games", "seats", "outbox", "store")
    ]
    verbs = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ")
    statements = {
        text
        for module in modules
        for text in vars(module).values()
        if isinstance(text, str) and text.lstrip().startswith(verbs)
    }
    assert len(statements) > 60
    for statement in statements:
        values = dict.fromkeys(re.findall(r":(\w+)", statement))
        store._connection.execute(f"EXPLAIN {statement}", values)


def test_nobody_pays_for_the_database_or_the_mail_libraries_before_opening_them() -> None:
    ways = "pbem.mail.transport.factory, pbem.mail.transport.factory"
    rooms = f"pbem.cli, pbem.settings.load, pbem.store.rows, {ways}"
    heavy = "{'sqlalchemy', 'aiosmtpd', 'imapclient'}"
    asked = f"import sys, {rooms}; print({heavy} & {{*sys.modules}})"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def schema_of(connection: Any) -> dict[str, object]:
    """Every table with its columns, and every index with what it is of."""
    named = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    tables = {name: connection.execute(f"PRAGMA table_info('{name}')").fetchall() for kind, name, _ in named}
    return {name: tables[name] if kind == "table" else " ".join(sql.split()) for kind, name, sql in named}


def test_a_database_of_yesterday_gets_the_schema_that_a_new_one_has(url: str, tmp_path: Path) -> None:
    kept = Path(__file__).parents[2] / "yesterday/ce4d8d2/post.tar.xz"
    with tarfile.open(kept) as packed:
        packed.extractall(tmp_path / "kept", filter="data")
    (old,) = (tmp_path / "kept").rglob("*.db")
    with Store.create(url) as new, Store.open(f"sqlite:///{old}") as migrated:
        assert schema_of(migrated._connection) == schema_of(new._connection)
