"""What transports must do, what they need of the store, and what can become of a mail."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Sent:
    """Another system has taken responsibility for the mail."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not now. `closed` if the mailer itself cannot send, so that no other mail need be tried.

    A mailer that was closed before it got the mail did not try it, and that costs the mail no try. If it closed while
    it handed the mail over, the mail was `tried`: it may be the cause.
    """

    reason: str
    closed: bool = False
    tried: bool = True


@dataclass(frozen=True, slots=True)
class Rejected:
    """The mail was refused for good."""

    reason: str


SendResult = Sent | Deferred | Rejected


class TransportError(OSError):
    """A server or mailbox cannot be used now, in words for the operator."""


class Checked(NamedTuple):
    """What a transport found when it checked itself for `pbem doctor`, and under which name to report it."""

    about: str
    good: bool
    text: str


class Accepted(NamedTuple):
    """Which letters an intake may take: the largest size in bytes, and whether an address is ours.

    Some letters may be larger, up to `most` bytes: `larger` tells from the beginning of one, and from the recipients on
    its envelope, how large it may be.
    """

    largest: int
    owns: Callable[[str], bool]
    most: int = 0
    larger: Callable[[bytes, Sequence[str]], int] | None = None

    def limit(self, start: bytes, recipients: Sequence[str] = ()) -> int:
        """The size in bytes that a letter may have, if its beginning is longer than the largest of others."""
        return self.largest if self.larger is None else self.larger(start, recipients)


class Letterbox(Protocol):
    """Where letters are stored. When a method returns, the letters are on the disk; if it raises, they are not.

    A letter whose answer is None was not taken, because its sender has left too much here: it must be kept and brought
    again later.
    """

    def receive(
        self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()
    ) -> object | None:
        """Store one letter with its envelope."""

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> Sequence[object | None]:
        """Store several letters that came without envelopes, with one flush; an answer for each."""


class Intake(Protocol):
    """Brings letters in. It is made from its settings section and what the post has `Accepted`."""

    @property
    def name(self) -> str:
        """Its name in the store and in the journal."""

    @property
    def address(self) -> str:
        """The server, port or folder it uses, for `pbem doctor`."""

    @property
    def listens(self) -> bool:
        """Whether the mail server connects to us; then there is nothing to collect."""

    def collect(self, box: Letterbox) -> int:
        """Fetch what is there now; how many letters. Trouble outside is an `OSError`."""

    def watch(self, box: Letterbox, stop: Event) -> None:
        """Fetch letters as they come until told to stop. Trouble outside is logged and tried again."""

    def check(self) -> Checked:
        """Try whether it could work now, without taking a letter."""


class ClaimedMail(Protocol):
    """A mail that is ours to send now."""

    @property
    def id(self) -> int:
        """Its number in the queue."""

    @property
    def recipient(self) -> str:
        """Its recipient."""

    @property
    def raw(self) -> bytes:
        """Its bytes, which are never changed."""

    @property
    def attempts(self) -> int:
        """How many tries began, this one included."""


class MailQueue(Protocol):
    """Where mails wait to be sent."""

    def claim_due(self, now: datetime, limit: int, /) -> Sequence[ClaimedMail]:
        """Mails to send now, which no other sender gets for a while."""

    def mark_sent(self, mail: int, /) -> None:
        """The mail was sent."""

    def mark_retry(self, mail: int, /, *, not_before: datetime, error: str) -> None:
        """The same bytes again later."""

    def mark_failed(self, mail: int, /, error: str) -> None:
        """The mail will never be sent."""

    def put_back(self, mails: Sequence[int], /, *, not_before: datetime, error: str) -> None:
        """These were not tried after all."""


class Mailer(Protocol):
    """Sends mails. It is made from its settings section and the address of the post. One thread uses it."""

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Send one mail. Trouble outside is a result, not an exception."""

    def check(self) -> Checked:
        """Try whether it could send now, without sending anything."""

    def close(self) -> None:
        """Close connections."""
