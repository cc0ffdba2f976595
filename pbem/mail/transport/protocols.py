"""What became of a mail that was handed over.

What carriage needs of the store, and what the service needs of carriage.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sent:
    """Somebody else has taken responsibility for it."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not now. `closed` if the way itself is closed, so that no other mail need be tried.

    A way that was closed before the mail came to it costs the mail nothing: then it was not `tried`. One that closed
    while it was handed over does, for the mail may be the cause.
    """

    reason: str
    closed: bool = False
    tried: bool = True


@dataclass(frozen=True, slots=True)
class Rejected:
    """It was refused for good."""

    reason: str


SendResult = Sent | Deferred | Rejected


class Letterbox(Protocol):
    """Where letters are dropped. When a verb returns, the letters are on the disk; if it raises, they are not."""

    def receive(self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()) -> object:
        """Keep one letter with its envelope."""

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> object:
        """Keep several letters that came without envelopes, with one flush."""


class ClaimedMail(Protocol):
    """A mail that is ours to send now."""

    @property
    def id(self) -> int:
        """Its number in the tray."""

    @property
    def recipient(self) -> str:
        """Whom it goes to."""

    @property
    def raw(self) -> bytes:
        """Its bytes, which are never changed."""

    @property
    def attempts(self) -> int:
        """How many tries were begun, this one included."""


class MailQueue(Protocol):
    """Where mails wait."""

    def claim_due(self, now: datetime, limit: int, /) -> Sequence[ClaimedMail]:
        """Mails to send now, which nobody else gets for a while."""

    def mark_sent(self, mail: int, /) -> None:
        """It has left the house."""

    def mark_retry(self, mail: int, /, *, not_before: datetime, error: str) -> None:
        """The same bytes again later."""

    def mark_failed(self, mail: int, /, error: str) -> None:
        """It will never be sent."""

    def put_back(self, mails: Sequence[int], /, *, not_before: datetime, error: str) -> None:
        """They were not tried after all."""


class Mailer(Protocol):
    """One way for mails to leave."""

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Send one mail; whatever goes wrong outside the house is an outcome, not an exception."""

    def close(self) -> None:
        """Let go of connections."""


class Intake(Protocol):
    """One way for letters to come."""

    @property
    def name(self) -> str:
        """What it is called in the store and in the log."""

    def collect(self, box: Letterbox) -> int:
        """Fetch what is there now; how many letters. A way that waits to be called has nothing to fetch."""

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Fetch letters as they come, until told to stop. Trouble outside the house is waited out."""
