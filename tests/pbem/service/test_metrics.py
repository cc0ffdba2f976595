"""The figures of a post that is served, over HTTP on the loopback: true, without secrets, and alarming in time."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.service.health import TickTimes
from pbem.service.metrics import show_figures
from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from pbem.store.store import LAST_TICK, Store
from pbem.store.timestamps import utc_now
from tests.post.post_games import TABLE, found_post, invite_friends, make_friends, make_script
from tests.post.running.served_post import free_port, is_open, until

MINUTE = timedelta(minutes=1)


def ask(port: int, page: str, verb: str = "GET") -> tuple[int, str]:
    """The status of a page, and what it says."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request(verb, page)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def read_figures(said: str) -> dict[str, float]:
    """Figures by name, with their label if they have one."""
    return {
        " ".join((sample.name, *sample.labels.values())): sample.value
        for family in text_string_to_metric_families(said)
        for sample in family.samples
    }


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Of a post with a table that waits for players."""
    chosen: dict[str, object] = {"in.maildir.path": tmp_path / "box", "metrics.port": free_port()}
    for name in ("new", "cur", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    settings = found_post(tmp_path / "post", chosen)
    with open_post(settings) as context:
        invite_friends(context, make_friends().values(), make_script())
    return settings


@contextmanager
def shown(settings: Settings) -> Iterator[int]:
    """The pages alone, without the service; the port."""
    stop = Event()
    thread = Thread(target=show_figures, args=(settings, utc_now, TickTimes(), stop))
    thread.start()
    try:
        until(lambda: is_open(settings.metrics.port))
        yield settings.metrics.port
    finally:
        stop.set()
        thread.join(30)
        assert not thread.is_alive()


def last_tick(settings: Settings, ago: timedelta) -> None:
    with open_post(settings) as context, context.store.transaction() as transaction:
        transaction.save_setting(LAST_TICK, (utc_now() - ago).isoformat())


def test_a_served_post_shows_its_figures_and_that_all_is_well(settings: Settings) -> None:
    port = settings.metrics.port
    line = [sys.executable, "-m", "pbem", "serve", "--config", str(settings.folder / "post.toml")]
    with subprocess.Popen(line, env=dict(os.environ), stderr=subprocess.PIPE) as served:
        try:
            until(lambda: is_open(port))
            until(lambda: ask(port, "/healthz") == (200, "all is well\n"))
            letter = b"From: stranger@example.net\nTo: caravan@post.test\nMessage-ID: <1@x.test>\n\nhello\n"
            assert settings.maildir is not None
            (settings.maildir.path / "new" / "1.mail").write_bytes(letter)
            until(lambda: read_figures(ask(port, "/metrics")[1])["caravan_letters_received_total"] == 1)
            until(lambda: read_figures(ask(port, "/metrics")[1])["caravan_letters unread"] == 0)
            status, said = ask(port, "/metrics")
        finally:
            served.terminate()
            served.communicate(timeout=60)
    figures = read_figures(said)
    assert status == 200
    assert served.returncode == 0
    assert figures["caravan_letters_lost"] == figures["caravan_letter_lag_seconds"] == 0
    assert sum(value for name, value in figures.items() if name.startswith("caravan_letters ")) == 1
    assert figures["caravan_games inviting"] == 1
    assert {"caravan_mails queued", "caravan_mails sent", "caravan_mails failed"} <= {*figures}
    assert figures["caravan_tick_seconds_count"] >= 1
    assert figures["caravan_tick_seconds_sum"] > 0
    assert figures["caravan_database_bytes"] >= (settings.folder / "post.db").stat().st_size
    for secret in ("@", "stranger", TABLE, "Anna", *(each.reveal() for each in settings.secrets)):
        assert secret not in said


def test_it_says_which_work_is_stuck(settings: Settings) -> None:
    with shown(settings) as port:
        assert ask(port, "/healthz") == (503, "clocks are stuck: they were never looked at\n")
        last_tick(settings, 4 * MINUTE)
        assert ask(port, "/healthz")[0] == 200
        last_tick(settings, 6 * MINUTE)
        status, said = ask(port, "/healthz")
        assert (status, said.partition(":")[0]) == (503, "clocks are stuck")
        with Store.open(settings.store.url, now=lambda: utc_now() - 9 * MINUTE) as store:
            store.receive(b"From: a@b.test\n\nhello\n", intake="test")
        last_tick(settings, MINUTE)
        status, said = ask(port, "/healthz")
        assert status == 503
        assert said.startswith("letters are stuck: the oldest has waited for 9m")
        assert 540 <= read_figures(ask(port, "/metrics")[1])["caravan_letter_lag_seconds"] < 600


def test_a_database_that_is_gone_is_said_without_its_name(settings: Settings) -> None:
    (settings.folder / "post.db").rename(settings.folder / "other.db")
    with shown(settings) as port:
        for page in ("/healthz", "/metrics"):
            assert ask(port, page) == (503, "the database cannot be read\n")


def test_other_pages_and_other_verbs_are_refused(settings: Settings) -> None:
    with shown(settings) as port:
        assert ask(port, "/")[0] == 404
        assert ask(port, "/metrics", "POST")[0] == 405


def test_a_port_that_is_taken_stops_nothing_and_is_tried_again(settings: Settings) -> None:
    with shown(settings):
        assert show_figures(settings, utc_now, TickTimes(), Event()) > 0
