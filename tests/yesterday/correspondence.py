"""A post and the people who write to it, seen from outside: commands that are typed, and mails that lie in mailboxes.

Nothing of the house is imported here. Whatever is inside may be moved and renamed; the command line, mail addresses and
the form of mails may not, for there are posts that live on them.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parsedate_to_datetime
from pathlib import Path
from typing import Any, Protocol, TypeAlias

ADDRESS = "caravan@post.example"
REFEREE = "referee@example.org"

_ABOUT = re.compile(r"\+(?P<table>[\w-]+)\.(?P<seat>[\w-]+)\.")
"""The table and the seat in a reply address, such as caravan+sirocco-7.red.12.0.k5xw…@post.example."""
_NUMBERS = re.compile(r"\d+")

Mail: TypeAlias = "Message[str, str]"


class Run(Protocol):
    """Runs `pbem` with these words and this standard input; gives what it printed, and its exit code."""

    def __call__(self, *words: str, given: bytes = b"") -> tuple[str, int]: ...


@dataclass
class Player:
    """Somebody with a Maildir, who keeps all mails and answers the newest one about a table."""

    address: str
    mailbox: Path
    mails: list[Mail] = field(default_factory=list)
    _files: list[Path] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.address.partition("@")[0].capitalize()

    def look(self) -> None:
        """Read what has come, in the order in which it came: what was kept in `cur` before what is new."""
        for folder in ("cur", "new"):
            fresh = {*(self.mailbox / folder).glob("*")} - {*self._files}
            for path in sorted(fresh, key=lambda path: [int(number) for number in _NUMBERS.findall(path.name)]):
                self._files.append(path)
                self.mails.append(message_from_bytes(path.read_bytes()))

    def read(self) -> Iterator[bytes]:
        """All mails as they lie in the mailbox, in the order in which they came."""
        return (path.read_bytes() for path in self._files)

    def seats(self) -> dict[str, str]:
        """The seats that mails were written to: by table."""
        return dict(place for mail in self.mails if (place := place_of(mail)) is not None)

    def about(self, table: str) -> list[Mail]:
        """The mails about a seat at a table, oldest first."""
        return [mail for mail in self.mails if (place := place_of(mail)) is not None and place[0] == table]

    def answer(self, table: str, words: str) -> bytes:
        """A letter that answers the newest mail about a table."""
        self.look()
        about = self.about(table)
        assert about, f"{self.name} has no mail about {table} to answer"
        return write_answer(about[-1], f"{self.name} <{self.address}>", words)


def place_of(mail: Mail) -> tuple[str, str] | None:
    """The table and the seat that an answer to a mail would be for; None if it is not about a seat."""
    found = _ABOUT.search(str(mail["Reply-To"] or ""))
    return (found["table"], found["seat"]) if found is not None else None


def write_answer(asked: Mail, sender: str, words: str) -> bytes:
    """What a mail program makes of an answer: threaded, with the first lines of the mail quoted below the words."""
    answer = EmailMessage()
    subject = str(make_header(decode_header(str(asked["Subject"]))))
    answer["From"] = sender
    answer["To"] = str(asked["Reply-To"])
    answer["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    answer["Date"] = format_datetime(parsedate_to_datetime(str(asked["Date"])))
    answer["Message-ID"] = make_msgid(domain="example.org")
    answer["In-Reply-To"] = str(asked["Message-ID"])
    answer["References"] = " ".join(str(asked[name]) for name in ("References", "Message-ID") if asked[name])
    quoted = "\n".join(f"> {line}".rstrip() for line in text_of(asked).splitlines()[:6])
    answer.set_content(f"{words}\n\nOn that day the post wrote:\n{quoted}\n")
    return answer.as_bytes(policy=SMTP)


def text_of(mail: Mail) -> str:
    """The plain text of a mail."""
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            content = part.get_payload(decode=True)
            return content.decode("utf-8") if isinstance(content, bytes) else ""
    return ""


@dataclass
class Post:
    """A post in a folder, with its players' mailboxes in `mailboxes` beside the database."""

    folder: Path
    run: Run
    players: dict[str, Player] = field(default_factory=dict)

    def tell(self, *words: str, given: bytes = b"", fine: Iterable[int] = (0,)) -> str:
        """Type a command that finds this post, and give what it prints."""
        printed, code = self.run(*words, "--config", str(self.folder / "post.toml"), given=given)
        assert code in fine, f"pbem {' '.join(words)} ended with {code}:\n{printed}"
        return printed

    def ask(self, *words: str, fine: Iterable[int] = (0,)) -> dict[str, Any]:
        """The same, of a command that prints JSON."""
        told: dict[str, Any] = json.loads(self.tell(*words, "--json", fine=fine))
        return told

    def look(self) -> None:
        """Let everybody look into the mailbox."""
        for place in sorted((self.folder / "mailboxes").glob("*@*")):
            self.players.setdefault(place.name, Player(place.name, place)).look()

    def tables(self) -> dict[str, dict[str, Any]]:
        """All tables by name, as `pbem status` tells of them."""
        return {told["table"]: told for told in self.ask("status", "--all")["results"]}

    def seats_of(self, table: str) -> dict[str, Player]:
        """Who sits where at a table, as the mails say; the newest player of a seat."""
        return {seats[table]: player for player in self.players.values() if table in (seats := player.seats())}

    def write(self, table: str, seat: str, words: str) -> None:
        """Let a player answer, and bring the letter to the post, where it lies until it is handled."""
        self.tell("deliver", given=self.seats_of(table)[seat].answer(table, words))

    def handle(self) -> list[dict[str, Any]]:
        """Let the post handle what has come, send what it wrote, and everybody read it; what became of the letters."""
        done: list[dict[str, Any]] = self.ask("tick")["results"]
        self.ask("send")
        self.look()
        return [outcome for outcome in done if "letter" in outcome]

    def say(self, table: str, seat: str, words: str, *, fate: str = "applied") -> None:
        """A letter that must have this fate."""
        self.write(table, seat, words)
        fates = self.handle()
        assert [outcome["fate"] for outcome in fates] == [fate], f"{table} {seat}: {words}: {fates}"

    def insist(self, table: str, seat: str, words: str) -> None:
        """A letter that is sent once more, in answer to its refusal, by somebody who had not heard of a question."""
        for _ in range(2):
            self.write(table, seat, words)
            if [outcome["fate"] for outcome in self.handle()] == ["applied"]:
                break

    def record(self, table: str, path: Path, *more: str) -> Path:
        """Write the record of a table into a file."""
        self.tell("record", table, "-o", str(path), *more)
        return path

    def think(self, table: str, seat: str) -> str:
        """A good turn for a seat that is due; from a copy with every secret, since others cannot be played on from."""
        path = self.record(table, self.folder / "thought.turns", "--secrets")
        printed, code = self.run("suggest", str(path), "--seat", seat, "--best", "1", "--json")
        assert code == 0, printed
        path.unlink()
        moves: str = json.loads(printed)["results"][0]["moves"]
        return moves

    def play(self, tables: Sequence[str], rounds: int) -> None:
        """Let whoever is due at these tables send a turn, so many times; a table that is over is left alone."""
        for _ in range(rounds):
            wanted = [(table, seat) for table, told in self.tables().items() if table in tables for seat in due(told)]
            if not wanted:
                return
            for table, seat in wanted:
                self.write(table, seat, self.think(table, seat))
            fates = self.handle()
            assert any(outcome["fate"] == "applied" for outcome in fates), fates


def due(told: dict[str, Any]) -> list[str]:
    """The seats that a game waits for, of what `pbem status` tells about it."""
    return list(told["waits_for"]) if told["stage"] == "playing" else []
