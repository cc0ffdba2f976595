"""A whole game of three between real mail hosts: every letter and every mail goes through Postfix, and to Dovecot."""

import smtplib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.through_the_desert import GAME
from notation import write_record
from pbem.judging.record_replay import replay_record
from pbem.service.game_records import read_record
from pbem.service.invitations import invite
from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext
from pbem.workflow.open_game import Guest
from tests.post.post_games import TABLE, Friend, found_post, invite_friends, make_friends, make_script, moves_of
from tests.post.running.served_post import serving, until

PASSWORD = "open sesame"  # noqa: S105 - everybody's here


@dataclass
class Country:
    """A post that Postfix brings letters to, and friends with mailboxes at Dovecot."""

    hosts: Any
    folder: Path
    settings: Settings
    friends: dict[str, Friend]
    seen: set[Path] = field(default_factory=set)

    def read_mails(self) -> None:
        """Let everybody look into the mailbox."""
        for friend in self.friends.values():
            new = self.hosts.maildir(friend.address.partition("@")[0]) / "new"
            fresh = [path for path in new.iterdir() if path not in self.seen] if new.is_dir() else []
            for path in sorted(fresh, key=lambda path: path.stat().st_mtime_ns):
                self.seen.add(path)
                friend.get(path.read_bytes())

    def write(self, friend: Friend, words: str) -> None:
        """Answer the last mail, through Postfix."""
        with smtplib.SMTP("127.0.0.1", self.hosts.ports["SMTP"], timeout=40) as server:
            server.sendmail(friend.address, [friend.reply_to], friend.answer(words))

    def may_play(self, friend: Friend, turn: int) -> bool:
        self.read_mails()
        return friend.may_play(turn)


@pytest.fixture
def country(hosts: Any, tmp_path: Path) -> Iterator[Country]:
    folder = tmp_path / "post"
    folder.mkdir()
    (folder / "smtp.password").write_text(PASSWORD, "utf-8")
    chosen = {
        "post.answers_per_hour": 1_000,
        "in.lmtp.port": hosts.ports["OURS"],
        "out.kind": "smtp",
        "out.host": "127.0.0.1",
        "out.port": hosts.ports["SMTP"],
        "out.ca_file": hosts.ca,
        "out.user": "caravan",
        "out.password_file": "smtp.password",
        "log.form": "json",
    }
    friends = make_friends(3, names=("Dora", "Emil", "Fred"))
    yield Country(hosts, folder, found_post(folder, chosen), friends)
    for friend in friends.values():
        for path in (hosts.maildir(friend.address.partition("@")[0]) / "new").glob("*"):
            path.unlink()


def test_a_whole_game_of_three_and_its_record_is_the_moves_that_were_sent(country: Country) -> None:
    script = make_script()
    with serving(country.folder / "post.toml") as post:
        with open_post(country.settings) as context:
            invite_friends(context, country.friends.values(), script)
        for friend in country.friends.values():
            until(partial(country.may_play, friend, 0))
            country.write(friend, "accept")
        for turn, (seat, phrase) in enumerate(moves_of(script), start=1):
            friend = country.friends[seat]
            until(partial(country.may_play, friend, turn))
            country.write(friend, phrase)
        with open_post(country.settings) as context:
            until(lambda: not _unsent(context) and _is_over(context))
            record = read_record(context, TABLE)
            letters = context.store.counters()
        assert post.stop() == 0
    assert record is not None
    assert record.entries == script.entries
    assert write_record(record).count("\n") == write_record(script).count("\n")
    assert replay_record(record).finished
    assert (letters.received, letters.applied, letters.difference) == (3 + len(moves_of(script)),) * 2 + (0,)
    until(lambda: _ends(country) == 3)


def _is_over(context: PostContext) -> bool:
    with context.store.reading() as session:
        game = session.find_game(TABLE)
    return game is not None and game.stage == "over"


def _unsent(context: PostContext) -> int:
    with context.store.reading() as session:
        return sum(count for state, count in session.mails_by_state().items() if state != "sent")


def _ends(country: Country) -> int:
    """How many have heard of the end."""
    country.read_mails()
    return sum("game-over" in _kinds(country, friend) for friend in country.friends.values())


def _kinds(country: Country, friend: Friend) -> list[str]:
    with open_post(country.settings) as context, context.store.reading() as session:
        found = [session.find_message(str(mail["Message-ID"])) for mail in friend.mails]
    assert None not in found
    return [row.kind for row in found if row is not None]


def test_an_invitation_to_nobody_bounces_and_is_counted_against_the_seat(country: Country) -> None:
    guests = [Guest("red", "Dora", "dora@players.test"), Guest("blue", "Nobody", "nobody@players.test")]
    with serving(country.folder / "post.toml") as post, open_post(country.settings) as context:
        assert invite(context, GAME, guests, table=TABLE, options={}, time=country.settings.time) is None
        until(lambda: context.store.counters().automatic == 1)
        with context.store.reading() as at_desk:
            assert [seat.bounces for seat in at_desk.find_seats(TABLE)] == [1, 0]
            assert at_desk.find_seats(TABLE)[0].address == "nobody@players.test"
        assert post.stop() == 0
    (handled,) = [line for line in post.told if line["said"] == "letter handled"]
    assert (handled["fate"], handled["reason"]) == ("automatic", "bounce")


def test_postfix_pipes_a_letter_into_pbem_deliver(country: Country) -> None:
    hosts, config = country.hosts, str(country.folder / "post.toml")
    hosts.deliver = [sys.executable, "-m", "pbem", "deliver", "--config", config]
    hosts.runs_of_pipe.clear()
    letter = b"From: dora@players.test\r\nTo: caravan@pipe.test\r\nMessage-ID: <1@x>\r\n\r\nstatus\r\n"
    try:
        with smtplib.SMTP("127.0.0.1", hosts.ports["SMTP"], timeout=40) as server:
            server.sendmail("dora@players.test", ["caravan+a.b@pipe.test"], letter)
        until(lambda: hosts.runs_of_pipe)
        assert hosts.runs_of_pipe == [0]
    finally:
        hosts.deliver = []
        hosts.runs_of_pipe.clear()
    shown = subprocess.run(
        [sys.executable, "-m", "pbem", "status", "--json", "--config", config],
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"unread": 1' in shown.stdout
    with open_post(country.settings) as context:
        found = context.store.next_received()
    assert found is not None
    assert (found.intake, found.env_from, found.env_to) == ("pipe", "dora@players.test", ("caravan+a.b@pipe.test",))
