"""Two hosts of one post: both take letters in, one does the work, and the other takes over when that one is gone."""

import re
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from pbem.service.game_records import read_record
from pbem.service.other_hosts import RELEASE, refuse_other_post, say_hosts
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from tests.post.post_games import TABLE, Friend, found_post, invite_friends, make_friends, make_script, moves_of
from tests.post.running.served_post import Friends, free_port, hand_over, is_open, mail_server, serving, until
from tests.postgresql import Server, run_server


@dataclass
class Hosts:
    """Two folders with the same keys and other ports, one database, and the friends the post writes to."""

    folders: tuple[Path, Path]
    ports: tuple[int, int]
    friends: dict[str, Friend]
    hall: Friends

    def settings(self, host: int = 0) -> Settings:
        found = read_settings(self.folders[host] / "post.toml")
        assert isinstance(found, Settings), found
        return found

    def config(self, host: int) -> Path:
        return self.folders[host] / "post.toml"

    def write(self, host: int, friend: Friend, words: str) -> None:
        """A letter comes to the door of one host."""
        hand_over(self.ports[host], friend.answer(words), friend.address, friend.reply_to)

    def answered(self, host: int, friend: Friend, words: str) -> None:
        had = len(friend.mails)
        self.write(host, friend, words)
        until(lambda: len(friend.mails) > had)

    def moves(self) -> list[tuple[str, str]]:
        with open_post(self.settings()) as context:
            record = read_record(context, TABLE)
        assert record is not None
        return moves_of(record)


@pytest.fixture
def own_server() -> Iterator[Server]:
    with run_server() as started:
        yield started


@pytest.fixture
def hosts(tmp_path: Path, own_server: Server) -> Iterator[Hosts]:
    friends, ports = make_friends(), (free_port(), free_port())
    with mail_server(friends) as (smtp, hall):
        chosen: dict[str, object] = {
            "store.url": own_server.new_schema(),
            "in.lmtp.port": ports[0],
            "out.kind": "smtp",
            "out.host": "127.0.0.1",
            "out.port": smtp,
            "out.security": "none",
            "log.form": "json",
            "post.answers_per_hour": 1_000,
        }
        found_post(tmp_path / "alpha", chosen)
        shutil.copytree(tmp_path / "alpha", tmp_path / "beta")
        other = tmp_path / "beta/post.toml"
        other.write_text(
            re.sub(rf"^port = {ports[0]}$", f"port = {ports[1]}", other.read_text("utf-8"), flags=re.M), "utf-8"
        )
        yield Hosts((tmp_path / "alpha", tmp_path / "beta"), ports, friends, hall)
        assert hall.strangers == []


def has_mail(friend: Friend) -> bool:
    return bool(friend.mails)


def test_a_host_that_is_killed_is_followed_by_the_other_and_no_letter_is_lost(hosts: Hosts, own_server: Server) -> None:
    script = moves_of(make_script(), 6)
    with serving(hosts.config(0)) as alpha:
        until(lambda: is_open(hosts.ports[0]))
        with serving(hosts.config(1)) as beta:
            until(lambda: is_open(hosts.ports[1]))
            until(lambda: len(say_hosts(hosts.settings())) == 2)
            assert sorted(line.rpartition(") ")[2] for line in say_hosts(hosts.settings())) == ["serves", "stands by"]
            with open_post(hosts.settings()) as context:
                invite_friends(context, hosts.friends.values(), make_script())
            for number, friend in enumerate(hosts.friends.values()):
                until(partial(has_mail, friend))
                hosts.answered(number % 2, friend, "accept")  # at the door of either
            for turn, (seat, phrase) in enumerate(script, start=1):
                friend = hosts.friends[seat]
                until(partial(friend.may_play, turn))
                if turn == 3:
                    alpha.stop(signal.SIGKILL)
                if turn == 5:  # the server is lost for a moment, and nobody is told to start anything
                    own_server.stop()
                    own_server.start()
                    until(lambda: len(say_hosts(hosts.settings())) == 1)
                hosts.answered(1, friend, phrase)
            assert say_hosts(hosts.settings())[0].endswith("serves")
            assert beta.stop() == 0
    assert hosts.moves() == script
    with open_post(hosts.settings()) as context, context.store.reading() as at_desk:
        counters = at_desk.counters()
        assert (counters.received, counters.applied, counters.difference) == (9, 9, 0)
        assert at_desk.integrity_problems() == []


def test_a_host_with_another_key_or_an_older_release_is_refused(hosts: Hosts) -> None:
    with open_post(hosts.settings()) as context:
        refuse_other_post(context)
        refuse_other_post(context)
    key = hosts.folders[1] / "ticket.key"
    right = key.read_text("ascii")
    key.write_text("f" * 64 + "\n", "ascii")
    with open_post(hosts.settings(1)) as context, pytest.raises(StoreRefusedError, match="not the one that the other"):
        refuse_other_post(context)
    key.write_text(right, "ascii")
    with open_post(hosts.settings(1)) as context:
        refuse_other_post(context)
        with context.store.transaction() as at_desk:
            at_desk.save_setting(RELEASE, "999.0")
        with pytest.raises(StoreRefusedError, match=r"999\.0 has served the post"):
            refuse_other_post(context)


def test_a_key_that_was_replaced_on_one_host_must_be_copied_to_the_other(hosts: Hosts) -> None:
    with open_post(hosts.settings()) as context:
        refuse_other_post(context)
    key = hosts.folders[0] / "ticket.key"
    key.rename(key.with_name("ticket.key.replaced-20261119T000000Z"))
    key.write_text("a" * 64 + "\n", "ascii")
    with open_post(hosts.settings()) as context:
        refuse_other_post(context)
    with open_post(hosts.settings(1)) as context, pytest.raises(StoreRefusedError, match="from one of them"):
        refuse_other_post(context)
