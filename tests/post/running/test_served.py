"""`pbem serve` between real servers: letters over LMTP and IMAP, mails over SMTP, a graceful end and a sudden one."""

import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import trustme
from imapclient import IMAPClient

from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from tests.post.post_games import TABLE, Friend, found_post, invite_friends, make_friends, make_script, moves_of
from tests.post.running.served_post import PBEM, free_port, hand_over, is_open, mail_server, serving, until

TURNS = 9
SECRET = "open sesame"  # noqa: S105 - everybody's here


@dataclass
class Town:
    """A post in a folder, and the friends it writes to."""

    folder: Path
    settings: Settings
    friends: dict[str, Friend]
    lmtp: int

    @property
    def config(self) -> Path:
        return self.folder / "post.toml"

    def open_table(self) -> None:
        with open_post(self.settings) as context:
            invite_friends(context, self.friends.values(), make_script())

    def moves_kept(self) -> list[tuple[str, str]]:
        with open_post(self.settings) as context:
            record = read_record(context, TABLE)
        assert record is not None
        return moves_of(record)


def write_by_lmtp(town: Town, friend: Friend, words: str) -> None:
    """Answer the last mail; the friend's letter goes over LMTP, and its receipt comes back over SMTP."""
    had = len(friend.mails)
    hand_over(town.lmtp, friend.answer(words), friend.address, friend.reply_to)
    until(lambda: len(friend.mails) > had)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    friends, lmtp = make_friends(), free_port()
    with mail_server(friends) as (smtp, hall):
        chosen = {
            "in.lmtp.port": lmtp,
            "out.kind": "smtp",
            "out.host": "127.0.0.1",
            "out.port": smtp,
            "out.security": "none",
            "log.form": "json",
            "post.answers_per_hour": 1_000,
        }
        settings = found_post(tmp_path / "post", chosen)
        yield Town(tmp_path / "post", settings, friends, lmtp)
        assert hall.strangers == []


def _has_mail(friend: Friend) -> bool:
    return bool(friend.mails)


def accept_all(town: Town) -> None:
    for friend in town.friends.values():
        until(partial(_has_mail, friend))
        write_by_lmtp(town, friend, "accept")


def play(town: Town, first: int, last: int) -> None:
    """Play some turns; whoever is to move waits for the mail that says so."""
    for turn, (seat, phrase) in enumerate(moves_of(make_script()), start=1):
        if first <= turn <= last:
            friend = town.friends[seat]
            until(partial(friend.may_play, turn))
            write_by_lmtp(town, friend, phrase)


def test_a_game_is_played_over_lmtp_and_smtp(town: Town) -> None:
    with serving(town.config) as post:
        town.open_table()
        accept_all(town)
        play(town, 1, TURNS)
        assert post.stop() == 0
    assert town.moves_kept() == moves_of(make_script(), TURNS)
    said = [line["said"] for line in post.told]
    assert said[0] == "the post is open"
    assert said[-1] == "the post is closed"
    assert "health" in said
    handled = [line for line in post.told if line["said"] == "letter handled"]
    assert [line["fate"] for line in handled] == ["applied"] * (3 + TURNS)
    assert {line["game"] for line in handled} == {TABLE}


def test_the_journal_holds_no_secret_no_address_and_no_word_of_a_letter(town: Town) -> None:
    with serving(town.config) as post:
        town.open_table()
        accept_all(town)
        write_by_lmtp(town, town.friends["red"], "press to blue: the oasis is a trap")
        hand_over(town.lmtp, b"From: stranger@evil.test\r\n\r\nhello\r\n", "stranger@evil.test", "caravan@post.test")
        until(lambda: "refused" in _fates(town))
        post.stop()
    told = repr(post.told)
    key = (town.folder / "ticket.key").read_text("utf-8").strip()
    for private in (key, "trap", "players.test", "evil.test", "Anna", "hello"):
        assert private not in told


def _fates(town: Town) -> set[str]:
    with open_post(town.settings) as context, context.store.reading() as at_desk:
        letters = [at_desk.find_letter(number) for number in range(1, 10)]
    return {letter.state for letter in letters if letter is not None}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_service_and_everything_that_came_is_safe(town: Town, how: int) -> None:
    with serving(town.config) as post:
        town.open_table()
        until(lambda: all(friend.mails for friend in town.friends.values()))
        for friend in town.friends.values():
            hand_over(town.lmtp, friend.answer("accept"), friend.address, friend.reply_to)
        assert post.stop(how) == 0
        with open_post(town.settings) as context:
            letters = context.store.counters()
            assert letters.received == 3
            assert letters.difference == 0
        # What was not handled before the end is handled after the next beginning.
        post.start()
        until(lambda: all(friend.may_play(1) for friend in town.friends.values()))
        assert post.stop() == 0
    with open_post(town.settings) as context:
        assert context.store.counters().applied == 3


def test_a_service_that_is_killed_again_and_again_loses_nothing(town: Town) -> None:
    with serving(town.config) as post:
        town.open_table()
        accept_all(town)
        for turn in (1, 2):
            play(town, turn, turn)
            assert post.process is not None
            post.process.kill()
            post.process.communicate()
            post.start()
            until(lambda: is_open(town.lmtp))
        play(town, 3, 3)
        assert post.stop() == 0
    assert town.moves_kept() == moves_of(make_script(), 3)
    with open_post(town.settings) as context, context.store.reading() as at_desk:
        assert at_desk.integrity_problems() == []
        assert at_desk.counters().difference == 0


def test_only_one_process_serves_a_post(town: Town) -> None:
    with serving(town.config) as post:
        until(lambda: is_open(town.lmtp))
        second = subprocess.run(
            [*PBEM, "serve", "--config", str(town.config)], capture_output=True, text=True, check=False
        )
        assert second.returncode == 2
        assert second.stderr.startswith("pbem: the post is being served by process")
        ticked = subprocess.run(
            [*PBEM, "tick", "--config", str(town.config)], capture_output=True, text=True, check=True
        )
        assert "nothing to do" in ticked.stdout
        assert post.stop() == 0


def test_a_letter_from_a_pipe_is_found_by_the_service(town: Town) -> None:
    with serving(town.config) as post:
        town.open_table()
        friend = town.friends["red"]
        until(lambda: friend.mails)
        letter = friend.answer("status")
        words = [
            *PBEM,
            "deliver",
            "--now",
            "--config",
            str(town.config),
            "--from",
            friend.address,
            "--to",
            friend.reply_to,
        ]
        assert subprocess.run(words, input=letter, check=False).returncode == 0
        until(lambda: len(friend.mails) == 2)
        assert post.stop() == 0


@contextmanager
def mailbox_of_the_post(folder: Path) -> Iterator[tuple[int, Path]]:
    """An IMAP server with a mailbox; its port, and whom to trust."""
    authority, port = trustme.CA(), free_port()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(folder / "chain.pem")
    words = ["-c", "from pymap.main import main; main()", "--host", "127.0.0.1", "--port", str(port)]
    words += ["--cert", str(folder / "chain.pem"), "--key", str(folder / "chain.pem")]
    words += ["dict", "--demo-data", "--demo-user", "caravan", "--demo-password", SECRET]
    with subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL) as server:
        until(lambda: is_open(port))
        try:
            yield port, folder / "ca.pem"
        finally:
            server.kill()


def test_a_game_is_played_over_imap_and_smtp(tmp_path: Path) -> None:
    friends = make_friends()
    with mailbox_of_the_post(tmp_path) as (imap, ca), mail_server(friends) as (smtp, _):
        (tmp_path / "post").mkdir()
        (tmp_path / "post" / "imap.password").write_text(SECRET, "utf-8")
        chosen = {
            "in.imap.host": "127.0.0.1",
            "in.imap.port": imap,
            "in.imap.security": "starttls",
            "in.imap.ca_file": ca,
            "in.imap.user": "caravan",
            "in.imap.password_file": "imap.password",
            "in.imap.folder": "Caravan",
            "in.imap.every": timedelta(seconds=1),
            "out.kind": "smtp",
            "out.host": "127.0.0.1",
            "out.port": smtp,
            "out.security": "none",
            "log.form": "json",
        }

        def drop(letter: bytes) -> None:
            with IMAPClient("127.0.0.1", imap, ssl=False, timeout=20) as client:
                client.starttls(_trusting(ca))
                client.login("caravan", SECRET)
                client.append("Caravan", letter)

        with IMAPClient("127.0.0.1", imap, ssl=False, timeout=20) as client:
            client.starttls(_trusting(ca))
            client.login("caravan", SECRET)
            client.create_folder("Caravan")
        settings = found_post(tmp_path / "post", chosen)
        town = Town(tmp_path / "post", settings, friends, lmtp=0)
        with serving(town.config) as post:
            town.open_table()
            for friend in friends.values():
                until(partial(_has_mail, friend))
                drop(friend.answer("accept"))
            for turn, (seat, phrase) in enumerate(moves_of(make_script(), 3), start=1):
                until(partial(friends[seat].may_play, turn))
                drop(friends[seat].answer(phrase))
            until(lambda: friends["red"].may_play(4))
            assert post.stop() == 0
        assert town.moves_kept() == moves_of(make_script(), 3)


def _trusting(ca: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca)
