"""A damaged database: every command says so in one line."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.post.post_games import make_friends

Pbem = Callable[..., Any]

SEATS = [
    word for friend in make_friends(2).values() for word in ("--seat", f"{friend.seat}={friend.name}:{friend.address}")
]
COMMANDS = {"status": [], "doctor": [], "tick": [], "backup": ["copy.db"], "record": ["sirocco-1"]}


def run_sql(statement: str) -> Callable[[Path], None]:
    """Damage that SQLite itself can do."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA foreign_keys = off")
            database.execute(statement)
            database.commit()

    return damage


def overwrite(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """Damage to the bytes of the file."""
    return lambda path: (path.write_bytes(change(path.read_bytes())), None)[1]


EVERYWHERE: dict[str, Callable[[Path], None]] = {
    "truncated": overwrite(lambda held: held[: len(held) // 2]),
    "a header of zeros": overwrite(lambda held: bytes(100) + held[100:]),
    "pages of zeros": overwrite(lambda held: held[:4096] + bytes(len(held) - 4096)),
}
SOMEWHERE: dict[str, tuple[str, Callable[[Path], None]]] = {
    "no games": ("status doctor tick record", run_sql("DROP TABLE game")),
    "no letters": ("status doctor tick", run_sql("DROP TABLE inbox")),
    "no mails": ("status doctor tick", run_sql("DROP TABLE outbox")),
    "a date that is none": ("doctor record", run_sql("UPDATE game SET created_at = 'noon'")),
    "text that is none": (
        "doctor record",
        run_sql("UPDATE game SET created_at = CAST(x'fffe3236' AS TEXT)"),
    ),
    "a standing that is none": ("status", run_sql("UPDATE game SET standing = 'well'")),
    "a text for what is due": ("status doctor", run_sql("UPDATE game SET due = CAST(x'fffe3236' AS TEXT)")),
    "mails not as packed": ("doctor", run_sql("UPDATE outbox_bytes SET raw = x'00112233'")),
    "a number that is none": ("status doctor", run_sql("UPDATE tally SET count = 'many'")),
}


@pytest.fixture
def config(pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A post with a table."""
    assert pbem("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    path = tmp_path / "post" / "post.toml"
    monkeypatch.setenv("PBEM_CONFIG", str(path))
    monkeypatch.chdir(tmp_path)
    assert pbem("new", "through-the-desert", *SEATS).exit_code == 0
    return path


def check(pbem: Pbem, command: str) -> None:
    """One clear line, on stderr or among what doctor found, and exit code 1."""
    answer = pbem(command, *COMMANDS[command])
    assert isinstance(answer.exception, SystemExit), (command, answer.exception)
    assert answer.exit_code == 1
    told = answer.stdout if command == "doctor" else answer.stderr
    assert sum("is damaged" in line for line in told.splitlines()) == 1, told
    assert command == "doctor" or told.count("\n") == 1


@pytest.mark.parametrize("damage", EVERYWHERE)
def test_a_file_that_is_damaged_everywhere(pbem: Pbem, config: Path, damage: str) -> None:
    for command in COMMANDS:
        EVERYWHERE[damage](config.parent / "post.db")
        check(pbem, command)


@pytest.mark.parametrize("damage", SOMEWHERE)
def test_rows_or_tables_that_are_damaged(pbem: Pbem, config: Path, damage: str) -> None:
    commands, spoil = SOMEWHERE[damage]
    spoil(config.parent / "post.db")
    for command in commands.split():
        check(pbem, command)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE game SET standing = 'well'", "cannot be read"),
        ("UPDATE game SET turn = turn + 1", "is not what its events say"),
        ("UPDATE game SET due = '{}'", "is not what its events say"),
    ],
)
def test_doctor_holds_what_status_tells_against_the_events(pbem: Pbem, config: Path, statement: str, why: str) -> None:
    run_sql(statement)(config.parent / "post.db")
    answer = pbem("doctor")
    assert answer.exit_code == 1
    assert f"WRONG database: sirocco-1: what `pbem status` tells of it {why}\n" in answer.stdout
