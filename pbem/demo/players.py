"""The players of a demonstration: they read their mailbox, choose moves and answer.

To choose moves they look at the table of the post, which is quicker than reading mails; they use nothing that their
seat may not know.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.chance import Dealer
from engine.game import Seat
from notation import write_moves
from pbem.demo.mail_programs import MailFolder, PlayerReply, Program, address_reply
from pbem.judging.lookahead import choose_ply
from pbem.judging.submission import awaited, judge_at
from pbem.tables.table import Table

if TYPE_CHECKING:
    from email.message import Message


@dataclass(slots=True)
class Player:
    """Somebody with a mailbox, who answers the last mail in it."""

    seat: Seat
    name: str
    address: str
    mailbox: Path
    program: Program
    mails: MailFolder
    last: "Message[str, str] | None" = None
    _seen: set[str] = field(default_factory=set)
    _written: int = 0

    def read_mailbox(self) -> int:
        """Read the new mails, oldest first; how many they were."""
        new = self.mailbox / "new"
        fresh = [path for path in new.iterdir() if path.name not in self._seen] if new.is_dir() else []
        for path in sorted(fresh, key=lambda path: path.stat().st_mtime_ns):
            self._seen.add(path.name)
            self.last = message_from_bytes(path.read_bytes())
            self.mails.put_received(path, self.last)
        return len(fresh)

    def answer(self, words: str, now: datetime) -> Path:
        """Answer the last mail; returns the file with the letter."""
        if self.last is None:
            raise RuntimeError(f"{self.name} has no mail to answer")
        self._written += 1
        reply = PlayerReply(words, self.last, now)
        mail = address_reply(reply, name=self.name, address=self.address, number=self._written)
        self.program(mail, reply)
        return self.mails.put_written(mail.as_bytes(policy=SMTP))


class PlannedMoves(NamedTuple):
    """Moves to send, and how they are written."""

    moves: tuple[Any, ...]
    phrase: str


def plan_moves(table: Table, seat: Seat, dealer: Dealer) -> PlannedMoves:
    """The moves that a seat would send: as many as it can make before chance or others go on."""
    game, position = table.game, table.position
    moves: list[Any] = []
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        ply = choose_ply(game, position, dealer, seat)
        moves.append(ply.move)
        position = game.apply(position, ply)
        if awaited(game, position, seat, ply.move):
            break
    return PlannedMoves(tuple(moves), write_moves(game, tuple(moves)))


def find_illegal_move(table: Table, seat: Seat, played: Sequence[str]) -> str | None:
    """Moves that others have made and that would be illegal now; None if there are none."""
    for phrase in reversed(played):
        if not judge_at(table.game, table.position, seat, phrase).is_legal:
            return phrase
    return None
