"""A mail as it leaves: bytes, and what the outbox needs to know about them."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail. Its bytes come in three pieces, because the picture is the same in all mails of a position.

    Whoever keeps many mails may keep the middle piece once; `raw` is what is sent.
    """

    to: str
    kind: str
    seat: str
    message_id: str
    before: bytes = field(repr=False)
    picture: bytes = field(repr=False, default=b"")
    after: bytes = field(repr=False, default=b"")

    @property
    def raw(self) -> bytes:
        """All of it."""
        return b"".join((self.before, self.picture, self.after))
