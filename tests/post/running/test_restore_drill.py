"""The restore drill of docs/running-a-post.md, with the real commands and a game with dice.

A post is backed up while a game goes on. The database is lost, the copy is put back; once with `pbem restore` and twice
by hand, as people do. Whatever was played since then is lost, and the players still have the mails of it.
"""

import json
import logging
import re
import shutil
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.chance import KeyedDealer
from pbem.cli.app import make_app
from pbem.events.chain import Event
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.tables.chance import random_moves
from pbem.tables.fold import fold
from pbem.tables.table import Table
from pbem.workflow.history import read_events
from tests.post.post_games import Friend

TABLE = "drill-1"
REFEREE = "referee@post.test"
NAMES = {"red": "Anna", "blue": "Boris", "yellow": "Chloe"}


@dataclass
class Drill:
    """A post that is worked with commands only, and three friends who read what is sent to them."""

    folder: Path
    friends: dict[str, Friend]
    sent: list[Path] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)
    """Everything that left the post, in both histories."""

    def pbem(self, *words: str | Path, given: bytes = b"", code: int = 0) -> Any:
        line = [*map(str, words), *(["--config", str(self.folder)] if words[0] != "verify" else [])]
        handlers, level = [*logging.root.handlers], logging.root.level
        answer = CliRunner().invoke(make_app(str(words[0])), line, input=given)
        logging.root.handlers[:] = handlers  # a command logs to its own stream, which is closed by now
        logging.root.setLevel(level)
        assert answer.exit_code == code, (line, answer.output, answer.stderr)
        return answer

    def work(self) -> None:
        """One turn of the cron job: letters, clocks, mails; then everybody reads."""
        self.pbem("tick")
        self.pbem("tick")
        self.pbem("send")
        for path in sorted((self.folder / "outgoing").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns):
            if path not in self.sent:
                self.sent.append(path)
                self.mails.append(path.read_bytes())
                for friend in self.friends.values():
                    if message_from_bytes(path.read_bytes())["To"].endswith(f"<{friend.address}>"):
                        friend.get(path.read_bytes())

    def write(self, seat: str, words: str) -> bytes:
        """Somebody answers the last mail."""
        letter = self.friends[seat].answer(words)
        self.pbem("deliver", given=letter)
        self.work()
        return letter

    @property
    def events(self) -> tuple[Event, ...]:
        settings = read_settings(self.folder)
        assert isinstance(settings, Settings)
        with open_post(settings, reads=True) as context, context.store.reading() as transaction:
            return read_events(transaction, TABLE)

    @property
    def table(self) -> Table:
        return fold(self.events)

    @property
    def dice(self) -> list[str]:
        """The rolls; whether a card is stolen or drawn between them depends on chance."""
        return [event.phrase for event in self.events if event.kind == "dealt" and event.phrase.startswith("dice")]

    def play(self, turns: int) -> list[bytes]:
        """Play on by chance, the same at the same turn in every history."""
        letters, end = [], self.table.turn + turns
        while self.table.turn < end:
            seat = self.table.due[0]
            dealer = KeyedDealer(f"{self.table.turn} {len(self.table.entries)}".encode())
            letters.append(self.write(seat, random_moves(self.table, seat, dealer)))
        return letters

    def put_back_by_hand(self, copy: Path) -> None:
        for path in self.folder.glob("post.db*"):
            path.unlink()
        shutil.copy(copy, self.folder / "post.db")

    def text(self, seat: str) -> str:
        part = next(part for part in self.friends[seat].mails[-1].walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return " ".join(content.decode().split())


@pytest.fixture
def drill(tmp_path: Path) -> Drill:
    """A game that has come a few turns further than the copy of its post."""
    friends = {seat: Friend(seat, name, f"{name.lower()}@players.test") for seat, name in NAMES.items()}
    drill = Drill(tmp_path / "post", friends)
    words = ["init", drill.folder, "--address", "caravan@post.test", "--referee", REFEREE]
    assert CliRunner().invoke(make_app("init"), [*map(str, words)]).exit_code == 0
    seats = [word for each in friends.values() for word in ("--seat", f"{each.seat}={each.name}:{each.address}")]
    drill.pbem("new", "brotherhood-base", *seats, "--id", TABLE)
    drill.work()
    for seat in friends:
        drill.write(seat, "accept")
    drill.play(2)
    drill.pbem("backup", tmp_path / "copy.db")
    return drill


def message_ids(mails: list[bytes]) -> dict[str, set[bytes]]:
    found: dict[str, set[bytes]] = {}
    for mail in mails:
        found.setdefault(message_from_bytes(mail)["Message-ID"], set()).add(mail)
    return found


def test_the_drill(drill: Drill, tmp_path: Path) -> None:
    """`pbem restore`: a new epoch, announced and logged; no Message-ID and no dice twice; both histories verified."""
    copy, known, at_copy = tmp_path / "copy.db", len(drill.dice), drill.table.turn
    lost_letters = drill.play(3)
    lost_dice, lost_turn = drill.dice[known:], drill.table.turn
    drill.pbem("record", TABLE, "-o", tmp_path / "lost.turns")
    lost_mails = tmp_path / "lost-mails"
    shutil.copytree(drill.folder / "outgoing", lost_mails)
    (drill.folder / "post.db").write_bytes(b"the disk has failed")

    rehearsed = json.loads(drill.pbem("restore", copy, "--rehearse", "--json").stdout)["results"][0]
    assert (rehearsed["rehearsed"], rehearsed["live"], rehearsed["kept"]) == (True, [TABLE], None)
    assert (drill.folder / "post.db").read_bytes() == b"the disk has failed", "a rehearsal touches nothing"
    answer = drill.pbem("restore", copy)
    assert f"{TABLE}: goes on in a new epoch" in answer.stdout
    kept = next(drill.folder.glob("post.db.replaced-*"))
    assert kept.read_bytes() == b"the disk has failed", "nothing is thrown away"

    drill.pbem("doctor")
    drill.work()
    restored = drill.events[-1]
    assert restored.kind == "restored"
    assert drill.table.turn == at_copy
    for seat in drill.friends:
        assert "had to go back to an older copy" in drill.text(seat)
    log = [json.loads(line) for line in drill.pbem("log").stdout.splitlines()]
    assert (log[-1]["kind"], log[-1]["seq"], log[-1]["head"]) == ("restored", restored.seq, restored.hash)

    # A letter of the lost history is asked about and not played, and holds nobody up: everybody knows by now.
    drill.pbem("deliver", given=lost_letters[-1])
    drill.work()
    assert drill.table.turn == at_copy
    assert not drill.table.pauses

    drill.play(lost_turn - at_copy)
    assert len(drill.dice[known:]) >= len(lost_dice) - 1
    assert drill.dice[known : known + len(lost_dice)] != lost_dice, "no dice as they were seen"
    assert all(len(bytes_) == 1 for bytes_ in message_ids(drill.mails).values()), "a Message-ID names one mail"

    drill.pbem("record", TABLE, "-o", tmp_path / "new.turns")
    both = drill.pbem("verify", tmp_path / "new.turns", tmp_path / "lost.turns")
    assert f"part at event {restored.seq}" in " ".join(both.stdout.split())
    mailbox = drill.pbem("verify", tmp_path / "new.turns", "--mbox", lost_mails)
    assert re.search(rf"event {restored.seq}\b", mailbox.stdout), "told, and not called a lie"
    drill.pbem("doctor")


def test_a_copy_put_back_by_hand_is_noticed_before_anything_is_sent(drill: Drill, tmp_path: Path) -> None:
    seen = drill.folder / "post.db.seen"
    drill.play(1)
    mark = seen.read_bytes()
    drill.put_back_by_hand(tmp_path / "copy.db")
    seen.write_bytes(mark)
    for command in ("tick", "send"):
        assert "older than it was" in drill.pbem(command, code=1).stderr
    assert "older than it was" in drill.pbem("status", code=1).stderr
    assert "older than it was" in drill.pbem("doctor", code=1).stdout
    drill.pbem("restore", "--accept", "--all")
    drill.work()
    assert drill.events[-1].kind == "restored"
    for seat in drill.friends:
        assert "had to go back to an older copy" in drill.text(seat)
    drill.play(1)


@pytest.fixture
def held(drill: Drill, tmp_path: Path) -> Drill:
    """A post that was put back on another machine, where nothing but letters can tell that it is old."""
    drill.play(2)
    drill.put_back_by_hand(tmp_path / "copy.db")
    seat = max(drill.friends, key=lambda seat: len(drill.friends[seat].mails))
    lost = drill.friends[seat].mails[-1]["Reply-To"]
    drill.write(seat, "roll")
    assert "restored" in [event.kind for event in drill.events], lost
    return drill


def test_the_first_letter_shows_it_and_everybody_is_told(held: Drill) -> None:
    assert held.table.pauses == {"rollback"}
    for seat in held.friends:
        assert "Please send your moves again" in held.text(seat)
    assert sum(REFEREE.encode() in mail and b"--accept" in mail for mail in held.mails) == 1
    answer = held.pbem("status", code=1)
    assert f"pbem restore --accept {TABLE}" in answer.stdout + answer.stderr
    assert f"pbem restore --accept {TABLE}" in held.pbem("doctor", code=1).stdout


def test_a_held_game_goes_on_when_the_moves_are_sent_again(held: Drill) -> None:
    held.play(2)
    assert not held.table.pauses
    assert all(len(bytes_) == 1 for bytes_ in message_ids(held.mails).values())


def test_a_held_game_goes_on_when_the_shorter_history_is_let_stand(held: Drill) -> None:
    turn = held.table.turn
    held.pbem("restore", "--accept", TABLE)
    held.work()
    assert not held.table.pauses
    assert held.table.turn == turn
    assert held.pbem("restore", "--accept", TABLE).stdout.startswith(f"{TABLE} is not held")
    held.play(1)
    assert all(len(bytes_) == 1 for bytes_ in message_ids(held.mails).values())
