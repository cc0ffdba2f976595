"""A player: somebody with a mailbox, a mail program, and a shelf on which all his correspondence is kept in order."""

from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import Seat
from pbem.demo.mail_programs import Answer, Program, address_answer
from pbem.demo.shelf import Shelf

if TYPE_CHECKING:
    from email.message import Message


@dataclass(slots=True)
class Player:
    """Answers the last mail that came into the mailbox."""

    seat: Seat
    name: str
    address: str
    mailbox: Path
    program: Program
    shelf: Shelf
    last: "Message[str, str] | None" = None
    _seen: set[str] = field(default_factory=set)
    _written: int = 0

    def look(self) -> int:
        """Read what has come, in order; how many mails."""
        new = self.mailbox / "new"
        fresh = [path for path in new.iterdir() if path.name not in self._seen] if new.is_dir() else []
        for path in sorted(fresh, key=lambda path: path.stat().st_mtime_ns):
            self._seen.add(path.name)
            self.last = message_from_bytes(path.read_bytes())
            self.shelf.put_received(path, self.last)
        return len(fresh)

    def answer(self, words: str, now: datetime) -> Path:
        """Answer the last mail; the file with the letter."""
        if self.last is None:
            raise RuntimeError(f"{self.name} has no mail to answer")
        self._written += 1
        answer = Answer(words, self.last, now)
        mail = address_answer(answer, name=self.name, address=self.address, number=self._written)
        self.program(mail, answer)
        return self.shelf.put_written(mail.as_bytes(policy=SMTP))
