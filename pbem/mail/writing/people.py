"""Who writes and who reads: the post, a correspondent, and what is written on one envelope."""

from dataclasses import dataclass, field
from datetime import datetime

from engine.game import Seat
from pbem.proof.commitments import Opening
from pbem.proof.public_log import Checkpoint


@dataclass(frozen=True, slots=True)
class Post:
    """The post as it appears on its mails. `key` makes the names of mails and threads, which nobody can guess."""

    address: str
    name: str
    key: bytes = field(repr=False)

    @property
    def domain(self) -> str:
        """What stands behind the @."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Somebody who gets mail: where, in which language and time zone, how often, and whether as plain text only."""

    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"
    plain: bool = False
    notices: str = "each"


@dataclass(frozen=True, slots=True)
class Slip:
    """What is particular to one mail: who gets it, for which seat, which number it has, where an answer goes.

    `number` counts the mails to this reader in this game from 1. `tag` is the ticket for the subject, where the
    mail server does not deliver addresses with a ticket in them.
    """

    seat: Seat
    to: Correspondent
    number: int
    reply_to: str
    date: datetime
    tag: str = ""
    openings: tuple[Opening, ...] = ()
    """Hidden values that are shown to this reader, each so that it can be checked."""
    checkpoint: Checkpoint | None = None
    """Of the log of all games; None at a post that does not sign."""
    takes_answers: bool = True
    """Whether anybody reads what is answered: not from who only watches, nor from the referee, who has a desk."""
