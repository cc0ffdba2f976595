"""A machine is lost: the standby goes on with everything that was acknowledged, if it is a synchronous one."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import psycopg

from pbem.store.errors import StoreError
from pbem.store.store import Store
from tests.postgresql import USER, Server, as_other, run_server

LETTERS = 150


class Writer:
    """Lets letters come until the server is gone, and notes each that was acknowledged."""

    def __init__(self, url: str) -> None:
        self.acknowledged: list[bytes] = []
        self.enough, self._stop = Event(), Event()
        self._url = url
        self._thread = Thread(target=self._run)

    def _run(self) -> None:
        try:
            with Store.open(self._url, timeout=2) as store:
                for number in range(100_000):
                    raw = b"letter %d" % number
                    store.receive(raw, intake="test")
                    self.acknowledged.append(raw)
                    if number >= LETTERS:
                        self.enough.set()
        except StoreError:
            pass

    def __enter__(self) -> "Writer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()


@contextmanager
def standby(primary: Server) -> Iterator[Server]:
    """A copy that follows the primary."""
    copy = Server(primary.folder / "copy", primary.programs, primary.options)
    words = [str(primary.programs / "pg_basebackup"), "-h", str(primary.folder), "-U", USER, "-D", str(copy.data), "-R"]
    subprocess.run(
        [*words, "-X", "stream", "-c", "fast"], check=True, capture_output=True, cwd=primary.folder, **as_other()
    )
    settings = copy.data / "postgresql.auto.conf"
    text = settings.read_text("utf-8").replace("primary_conninfo = '", "primary_conninfo = 'application_name=copy ")
    settings.write_text(text, "utf-8")
    copy.start()
    try:
        yield copy
    finally:
        copy.stop()


def receiver_of(primary: Server) -> str:
    """How the standby stands, in the words of the primary; empty if it does not follow."""
    with psycopg.connect(primary.url()) as driver:
        found = driver.execute("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'").fetchone()
    return str(found[0]) if found else ""


def set_option(server: Server, option: str, value: str) -> None:
    with psycopg.connect(server.url(), autocommit=True) as driver:
        driver.execute(f"ALTER SYSTEM SET {option} = '{value}'")
        driver.execute("SELECT pg_reload_conf()")


def wait_for(what: str, holds: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]  # a function
        assert time.monotonic() < end, what
        time.sleep(0.05)


def freeze_receiver(copy: Server) -> int:
    """Let the process stand still that writes what the primary sends; its number."""
    with psycopg.connect(copy.url()) as driver:
        (process,) = driver.execute("SELECT pid FROM pg_stat_wal_receiver").fetchone() or (0,)
    os.kill(process, signal.SIGSTOP)
    return int(process)


def lost_after_failover(*, synchronous: bool) -> tuple[int, int, str]:
    """How many letters were acknowledged, how many of them are gone, and what `doctor` had said before."""
    with run_server() as primary:
        url = primary.new_schema()
        Store.create(url).close()
        with standby(primary) as copy:
            wait_for("the standby follows", lambda: receiver_of(primary))
            if synchronous:
                set_option(primary, "synchronous_standby_names", "ANY 1 (copy)")
                wait_for("it is synchronous", lambda: receiver_of(primary) == "quorum")
            with Store.open(url) as store:
                advice = store.say_safety()[1]
            frozen = 0
            with Writer(url) as writer:
                assert writer.enough.wait(120)
                if not synchronous:
                    frozen = freeze_receiver(copy)
                    before = len(writer.acknowledged)
                    wait_for("more letters come", lambda: len(writer.acknowledged) > before + LETTERS)
                primary.stop(signal.SIGKILL)
            if frozen:
                os.kill(frozen, signal.SIGKILL)
            wait_for("the standby answers", lambda: copy.answers())
            with psycopg.connect(copy.url(), autocommit=True) as driver:
                driver.execute("SELECT pg_promote(true, 60)")
            there = url.replace(str(primary.folder).replace("/", "%2F"), str(copy.folder).replace("/", "%2F"))
            with Store.open(there) as store, store.reading() as at_desk:
                letters = [at_desk.find_letter(number) for number in at_desk.letter_digests()]
                kept = {letter.raw for letter in letters if letter is not None}
                assert at_desk.counters().difference == 0
            return len(writer.acknowledged), len([raw for raw in writer.acknowledged if raw not in kept]), advice


def test_with_a_synchronous_standby_nothing_acknowledged_is_lost() -> None:
    acknowledged, lost, advice = lost_after_failover(synchronous=True)
    assert acknowledged > LETTERS
    assert lost == 0
    assert advice == ""


def test_the_drill_fails_without_one_and_doctor_said_so_before() -> None:
    acknowledged, lost, advice = lost_after_failover(synchronous=False)
    assert acknowledged > LETTERS
    assert lost > 0
    assert "not synchronously" in advice
