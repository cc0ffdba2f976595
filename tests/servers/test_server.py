"""A server is refused if it could lose letters, is lost and found again, and locks a post for all machines."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from pbem.service.folder_checks import ADVICE, GOOD, check_folder
from pbem.service.lock import SERVING, PostBusyError, take_lock
from pbem.settings.sections import Settings
from pbem.store import sqlite
from pbem.store.errors import StoreBusyError, StoreRefusedError
from pbem.store.postgresql import SCHEMA, ServerSettings, say_safety
from pbem.store.store import Store, Transaction
from tests.post.post_games import found_post
from tests.postgresql import Server, run_server


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that a test may stop and set as it likes."""
    with run_server() as started:
        yield started


def set_server(server: Server, *options: str) -> None:
    server.stop(2)
    server.options = options
    server.start()


def lose_connection(at_desk: Transaction) -> None:
    """Write something, and lose the server before it can be committed."""
    at_desk.save_setting("half", "done")
    at_desk._connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.mark.parametrize("option", ["fsync=off", "full_page_writes=off", "synchronous_commit=off"])
def test_a_server_that_could_lose_letters_is_refused(own_server: Server, option: str) -> None:
    url = own_server.new_schema()
    Store.create(url).close()
    set_server(own_server, option)
    with pytest.raises(StoreRefusedError, match=f"PostgreSQL has {option.replace('=', ' = ')}"):
        Store.open(url)
    set_server(own_server)
    Store.open(url).close()


def test_a_server_that_restarts_is_found_again_and_nothing_acknowledged_is_gone(own_server: Server) -> None:
    with Store.create(own_server.new_schema()) as store:
        assert store.receive(b"before", intake="pipe").id == 1
        own_server.stop()
        with pytest.raises(StoreBusyError, match="connection"):
            store.receive(b"meanwhile", intake="pipe")
        own_server.start()
        assert not store.receive(b"after", intake="pipe").duplicate
        with pytest.raises(StoreBusyError, match="was lost"), store.transaction() as at_desk:
            lose_connection(at_desk)
        assert store.receive(b"before", intake="pipe").duplicate
        with store.reading() as at_desk:
            assert at_desk.load_setting("half") is None
        counters = store.counters()
        assert (counters.received, counters.unread, counters.duplicate, counters.difference) == (3, 2, 1, 0)


def test_a_missing_server_and_an_empty_database_are_refused_with_a_sentence(server: Server, server_url: str) -> None:
    with pytest.raises(StoreRefusedError, match=r"is empty: .*pbem move"):
        Store.open(server_url)
    with pytest.raises(StoreRefusedError, match="cannot be opened"):
        Store.open("postgresql://post@/post?host=/nowhere")
    with pytest.raises(StoreRefusedError, match="cannot be opened") as refused:
        Store.open(server.url().replace("/postgres", "/other"), password="sesame")  # noqa: S106 - not one
    assert "sesame" not in str(refused.value)


def test_both_kinds_have_the_same_numbers_of_schemas() -> None:
    """A migration of one needs its step for the other: `sqlite.MIGRATIONS` and `postgresql.MIGRATIONS`."""
    assert len(sqlite.MIGRATIONS) == SCHEMA


def test_a_post_in_a_file_loads_no_driver(tmp_path: Path) -> None:
    program = f"""
import sys
from pbem.store.store import Store, Transaction
Store.create("sqlite:///{tmp_path}/post.db").close()
sys.exit("psycopg" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_lock_of_a_post_on_a_server_holds_for_all_machines(tmp_path: Path, server_url: str) -> None:
    here = found_post(tmp_path / "here", {"store.url": server_url})
    there = replace(here, folder=tmp_path / "there", store=replace(here.store))
    being_served = pytest.raises(PostBusyError, match="being served by process")
    with take_lock(here, SERVING), being_served as busy, take_lock(there, "tick"):
        raise AssertionError("both have it")
    assert busy.value.served
    with take_lock(there, "tick"):
        pass


def test_doctor_reads_back_how_well_the_server_keeps_things(tmp_path: Path, server_url: str) -> None:
    settings = found_post(tmp_path / "post", {"store.url": server_url})
    assert isinstance(settings, Settings)
    found = {each.about: each for each in check_folder(settings, quick=True)}
    assert found["database"].state == GOOD
    assert "fsync on, full_page_writes on, synchronous_commit on" in found["database"].text
    assert found["standby"].state == ADVICE
    assert "no standby follows" in found["standby"].text


SAFE = ServerSettings((("fsync", "on"),), 150_000, "UTF8", False, "", "15.1", 0, 0)


@pytest.mark.parametrize(
    ("found", "advice"),
    [
        (SAFE, "no standby follows"),
        (replace(SAFE, standbys=1), "not synchronously"),
        (replace(SAFE, standbys=2, synchronous=1, synchronous_names="ANY 1 (a, b)"), ""),
        (replace(SAFE, standbys=1, synchronous_names="c"), "commits wait"),
        (replace(SAFE, is_standby=True), "name the primary"),
    ],
)
def test_what_is_said_about_standbys(found: ServerSettings, advice: str) -> None:
    said = say_safety(found)[1]
    assert advice in said
    assert bool(said) == bool(advice)


@pytest.mark.parametrize(
    ("found", "problem"),
    [(replace(SAFE, number=149_999, version="14.9"), "15 is the oldest"), (replace(SAFE, encoding="LATIN1"), "UTF8")],
)
def test_an_old_server_and_another_encoding_are_refused(found: ServerSettings, problem: str) -> None:
    assert problem in str(found.problem)
    assert SAFE.problem is None


def test_every_statement_of_ours_fits_the_server(server_url: str) -> None:
    names = ("answer_counts", "arrivals", "games", "inbox", "lobby", "outbox", "packs", "people", "seats", "store")
    held = [value for name in names for value in vars(import_module(f"pbem.store.{name}")).values()]
    texts = [text for value in held for text in (value if isinstance(value, tuple) else [value])]
    texts += [text for value in held if isinstance(value, dict) for text in value.values()]
    verbs = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ")
    statements = {text for text in texts if isinstance(text, str) and text.lstrip().startswith(verbs)}
    assert len(statements) > 100
    with Store.create(server_url) as store:
        for statement in sorted(statements):
            values = dict.fromkeys(re.findall(r":([a-z]\w*)", statement))
            store._connection.execute(f"EXPLAIN {statement}", values)
