"""People in all weathers: they answer the last mail they got, and sometimes another, twice, or with something else.

What to play they see over the shoulder of the post, since that is quicker than reading mails; all else they know from
their mailboxes.
"""

from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.policy import SMTP
from email.utils import parsedate_to_datetime
from random import Random
from typing import TYPE_CHECKING

from engine.chance import KeyedDealer
from pbem.demo.players import plan_moves
from pbem.tables.table import DRAW, INVITING, PLAYING, Table
from tests.post.post_games import Friend

if TYPE_CHECKING:
    from email.message import Message

WHIMS = (
    *("status", "history", "help", "board", "press all: what weather!", "press referee: is this fair?", "undo", "draw"),
    *("agree", "object", "pause", "resume", "vacation 3 days", "vacation none", "notify daily", "notify turn"),
    *("notify each", "language he", "language en", "plan none", "thanks for the game, see you at H5", "rule PO-L2"),
)

MURMURS = ("Haikara lentää matalalla.", "Täällä tuoksuu sade jo kauas.", "Kaivon oraakkeli sanoo niin.")
"""Words that the post does not know."""
STOP = "stop"


SECOND_THOUGHTS = 0.15
"""How often somebody who looks at the mailbox after a move of one's own wants it back."""


@dataclass
class Person(Friend):
    """A friend with habits."""

    is_away: bool = False
    """Whether a machine answers every mail, too."""
    will_look: bool = False
    """Whether this one is about to look at the mailbox, for mails that have come."""

    def get(self, raw: bytes) -> None:
        """A mail has come, perhaps not the newest."""
        super().get(raw)
        self.mails.sort(key=lambda mail: parsedate_to_datetime(str(mail["Date"])))

    def write(self, table: Table, chance: Random, now: datetime, whims: float, murmurs: float = 0.0) -> bytes | None:
        """What this one writes after a look at the mailbox; nothing, if there is nothing to say."""
        words = self._words(table, chance, whims, murmurs)
        if words is None or not self.mails:
            return None
        newest = self.mails
        if chance.random() < whims / 4:
            self.mails = [chance.choice(newest)]  # an older one was still open
        letter = self.answer(words, now)
        self.mails = newest
        return letter

    def _words(self, table: Table, chance: Random, whims: float, murmurs: float) -> str | None:
        if chance.random() < whims:
            return chance.choice(WHIMS)
        if table.stage == INVITING:
            return None if self.seat in table.accepted else "accept"
        if table.stage != PLAYING:
            return None
        if asked := [kind for kind, vote in table.votes.items() if self.seat not in vote.agreed | {vote.by}]:
            # Nobody gives a game away for a whim of somebody else.
            return f"{'object' if asked[0] == DRAW else 'agree'} {asked[0]}"
        if table.pauses:
            return "resume"
        if table.entries and table.entries[-1].who == self.seat and chance.random() < SECOND_THOUGHTS:
            return "undo"
        if self.seat not in table.due:
            return None
        move = plan_moves(table, self.seat, KeyedDealer(chance.randbytes(8))).phrase
        if table.pencil(self.seat) is not None:
            # What waits is mostly left alone.
            changed = murmurs and chance.random() < 0.6
            return chance.choice((STOP, STOP, "wait a moment", "play it now", move)) if changed else None
        return f"{move}\n\n{chance.choice(MURMURS)}" if murmurs and chance.random() < murmurs else move

    def answer_by_machine(self, raw: bytes, now: datetime) -> bytes:
        """What a machine writes to whoever writes to somebody who is away."""
        asked = message_from_bytes(raw)
        return (
            f"From: {self.address}\r\nTo: {asked['From']}\r\nSubject: Out of office\r\nAuto-Submitted: auto-replied\r\n"
            f"Message-ID: <away.{len(self.mails)}.{now:%d%H%M%S}@players.test>\r\n\r\nI am away. lilac A1\r\n"
        ).encode()


def bounce(raw: bytes, recipient: str, number: int) -> bytes:
    """What a mail server writes when it cannot deliver a mail that it has taken."""
    name = message_from_bytes(raw)["Message-ID"]
    return (
        f"From: MAILER-DAEMON@mx.test\r\nTo: caravan@post.test\r\nMessage-ID: <bounce.{number}@mx.test>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: failed\r\nStatus: 4.4.7\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {name}\r\n\r\n--b--\r\n"
    ).encode()


def forge(raw: bytes, words: str, number: int) -> bytes:
    """A letter by somebody who has found a mail that was not for him."""
    found: Message[str, str] = message_from_bytes(raw)
    mail = (
        f"From: Mallory <mallory@elsewhere.test>\r\nTo: {found['Reply-To']}\r\nSubject: Re: {found['Subject']}\r\n"
        f"Message-ID: <forged.{number}@elsewhere.test>\r\n\r\n{words}\r\n"
    )
    return message_from_bytes(mail.encode()).as_bytes(policy=SMTP)
