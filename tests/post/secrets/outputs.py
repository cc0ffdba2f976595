"""All that leaves a post, and who may have it: mails, records, logs, pages, answers of commands, the journal.

What belongs to the operator alone (records with --secrets, letters in quarantine, backups) is no output.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.game import PUBLIC, Game, Seat
from pbem.proof.signatures import Signer
from tests.post.court.courts import REFEREE, Court, convene
from tests.post.post_games import TABLE
from tests.post.secrets.rounds_by_hand import serve_by_hand

OBSERVER = "ewa@elsewhere.test"
QUESTIONS = (
    *(("record", TABLE), ("record", TABLE, "--json"), ("record", TABLE, "--bare")),
    *(("log",), ("log", "--json"), ("log", "--checkpoint"), ("key",), ("key", "--json"), ("doctor",)),
    *(("doctor", "--json"), ("status", "--all"), ("status", "--all", "--json")),
    *(("observe", TABLE), ("observe", TABLE, "--json")),
    *(("case", "list"), ("case", "list", TABLE, "--json"), ("case", "show", TABLE), ("case", "show", TABLE, "--json")),
)
"""What anybody at the desk may type who must learn nothing that is hidden."""
BOARDS = ("svg", "png", "txt", "html", "json")
_ROOM = re.compile(r'"room": \{[^{}]*\}|[0-9][0-9,.]* MB: [^"\n]*')
"""How much room the database takes, in bytes: that follows from how well it can be packed, so it differs a little."""


class Output(NamedTuple):
    """Something that left the post; `reader` is a seat, or PUBLIC, who must not learn more from it than he may."""

    name: str
    reader: Seat
    content: bytes


def note_signatures(signed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Note whatever a post signs from now on."""
    sign = Signer.sign

    def note(signer: Signer, message: bytes) -> bytes:
        signature = sign(signer, message)
        signed[signature.hex()] = signed[b64encode(signature).decode()] = message
        return signature

    monkeypatch.setattr(Signer, "sign", note)


class Outputs:
    """Takes what leaves a post, the mails each once."""

    def __init__(self, court: Court, journal: Path) -> None:
        self._court = court
        self.signed: dict[str, bytes] = {}
        """What the post has signed, by the signature in hexadecimal digits and in base64."""
        self._journal = journal
        self._taken: dict[str, int] = {}
        self.strangers: dict[str, Seat] = {}
        """Others who are written to as if they had a seat, because they had it or have it now, by address."""

    def listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Note whatever the post signs from now on."""
        note_signatures(self.signed, monkeypatch)

    def mails(self) -> Iterator[Output]:
        """The mails that nobody has looked at yet."""
        town = self._court.town
        readers = {friend.address: seat for seat, friend in town.friends.items()} | self.strangers
        for address, mails in town.mails.items():
            new = mails[self._taken.get(address, 0) :]
            self._taken[address] = len(mails)
            assert address in {*readers, OBSERVER, REFEREE}, "a mail to a stranger"
            yield from (Output(f"mail to {address}", readers.get(address, PUBLIC), raw) for raw in new)

    def answers(self) -> Iterator[Output]:
        """What the commands say now, and the journal as far as it goes."""
        court, folder = self._court, self._court.folder
        for words in QUESTIONS:
            yield Output(" ".join(words), PUBLIC, _ROOM.sub("", court.pbem(*words, fails=None)).encode())
        for seat in court.town.friends:
            for more in ([], ["--bare"]):
                asked = ["record", TABLE, "--as", seat, *more]
                yield Output(" ".join(asked), seat, court.pbem(*asked).encode())
            yield Output(
                f"case --as {seat}", seat, court.pbem("case", "show", TABLE, "--as", seat, fails=None).encode()
            )
        for form in ("html", "txt"):
            court.pbem("case", "show", TABLE, "-o", folder / f"case.{form}", fails=None)
            yield from self._file(folder / f"case.{form}")
        if court.town.table.cases:
            court.pbem("case", "bundle", TABLE, "1", "-o", folder / "case.zip")
            yield from self._file(folder / "case.zip")
        yield Output("journal", PUBLIC, self._journal.read_bytes())

    def readings(self) -> Iterator[Output]:
        """What other commands make of the public record."""
        court = self._court
        record = court.record()
        for command in ("verify", "show", "replay"):
            yield Output(command, PUBLIC, court.pbem(command, record, "--json", fails=None).encode())
        for form in BOARDS:
            path = court.folder / f"board.{form}"
            yield Output(path.name, PUBLIC, court.pbem("show", record, "-o", path, fails=None).encode())
            yield from self._file(path)

    def _file(self, path: Path) -> Iterator[Output]:
        """A file that a command has written, if it has."""
        if path.exists():
            yield Output(path.name, PUBLIC, path.read_bytes())
            path.unlink()


@contextmanager
def overhear(
    folder: Path, monkeypatch: pytest.MonkeyPatch, game: Game[Any], options: dict[str, str] | None = None
) -> Iterator[tuple[Court, Outputs]]:
    """A game of three that a referee and an observer follow, at a post that keeps a journal; and all that leaves it."""
    journal = folder / "journal"
    settings = {"out__path": folder / "outgoing"}
    with (
        convene(folder, monkeypatch, game, 3, options=options, **settings) as court,
        serve_by_hand(court.town, journal, monkeypatch),
    ):
        outputs = Outputs(court, journal)
        outputs.listen(monkeypatch)
        court.pbem("observe", TABLE, "--add", f"Ewa:{OBSERVER}")
        yield court, outputs
