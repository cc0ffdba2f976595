"""The database of an older release becomes that of today, with everything that was in it."""

import json
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.store.store import Store

HELD = Path(__file__).parents[2] / "yesterday"
TICKETS = [f"caravan+{game}.red.3.0.{'a' * 16}@post.test" for game in ("sirocco-7", "sirocco-8")]


@pytest.fixture(params=sorted(HELD.glob("*/post.tar.xz")), ids=lambda path: path.parent.name)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The database of an older release."""
    with tarfile.open(request.param) as archive:
        archive.extractall(tmp_path, filter="data")
    (found,) = tmp_path.rglob("post.db")
    return found


@pytest.fixture
def hand(old: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        yield connection


def shape(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Every table and index, however the lines of its statement are broken."""
    found = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master")
    return {(kind, name, "".join(sql.split())) for kind, name, sql in found}


def put_in(hand: sqlite3.Connection, raw: bytes, env_to: list[str], attempts: int = 0) -> int:
    """A letter as the older release stored it."""
    given = (sha256(raw).hexdigest(), json.dumps(env_to), attempts)
    number = hand.execute(
        "INSERT INTO inbox (raw_sha256, copies, received_at, intake, env_to, state, reason, attempts)"
        " VALUES (?, 0, '2026-11-16T09:00:00Z', 'lmtp', ?, 'received', '', ?)",
        given,
    ).lastrowid
    hand.execute("INSERT INTO inbox_bytes (inbox_id, raw) VALUES (?, ?)", (number, raw))
    hand.execute("UPDATE tally SET count = count + 1 WHERE name = 'received'")
    return int(number or 0)


def test_a_migrated_database_has_the_schema_of_a_new_one(old: Path, tmp_path: Path) -> None:
    Store.create(f"sqlite:///{tmp_path}/new.db").close()
    Store.open(f"sqlite:///{old}").close()
    with closing(sqlite3.connect(tmp_path / "new.db")) as new, closing(sqlite3.connect(old)) as migrated:
        assert shape(migrated) == shape(new)
        assert migrated.execute("PRAGMA foreign_key_check").fetchall() == []


def test_letters_keep_their_numbers_bytes_and_outcomes(old: Path, hand: sqlite3.Connection) -> None:
    kept = (
        "SELECT id, raw_sha256, copies, received_at, intake, env_from, env_to, state, reason, game, seat"
        " FROM inbox ORDER BY id"
    )
    before = hand.execute(kept).fetchall()
    seen = hand.execute("SELECT inbox_id, message_id FROM seen ORDER BY 1").fetchall()
    assert before
    assert seen
    with Store.open(f"sqlite:///{old}") as store, store.reading() as at_desk:
        assert at_desk.counters().difference == 0
        assert at_desk.altered_letters() == []
        assert at_desk.integrity_problems() == []
    assert hand.execute(kept).fetchall() == before
    assert hand.execute("SELECT inbox_id, message_id FROM seen ORDER BY 1").fetchall() == seen
    empty = "SELECT count(*) FROM seen WHERE game = '' OR seat = ''"
    assert hand.execute(empty).fetchone() == (0,)


def test_an_old_letter_that_comes_again_is_a_duplicate(old: Path, hand: sqlite3.Connection) -> None:
    raw = b"From: anna@players.test\nTo: " + TICKETS[0].encode() + b"\n\nlilac E5\n"
    number = put_in(hand, raw, [])
    with Store.open(f"sqlite:///{old}") as store:
        for env_to in ([], [TICKETS[0]]):
            again = store.receive(raw, intake="pipe", env_to=env_to)
            assert (again.id, again.duplicate) == (number, True)


def test_an_unread_letter_to_two_tables_becomes_two(old: Path, hand: sqlite3.Connection) -> None:
    number = put_in(hand, b"to both", TICKETS)
    with Store.open(f"sqlite:///{old}") as store, store.reading() as at_desk:
        letters = [each for at in (number, number + 1) if (each := at_desk.find_letter(at)) is not None]
        assert [(each.raw, each.env_to) for each in letters] == [(b"to both", (ticket,)) for ticket in TICKETS]
        assert at_desk.counters().difference == 0


def test_tries_that_the_older_release_counted_are_forgiven(old: Path, hand: sqlite3.Connection) -> None:
    number = put_in(hand, b"tried before", [], attempts=3)
    with Store.open(f"sqlite:///{old}") as store, store.reading() as at_desk:
        letter = at_desk.find_letter(number)
        assert letter is not None
        assert letter.attempts == 0
