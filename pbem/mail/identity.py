"""Who we are: the post's own address, the server it trusts, and the key of its tickets."""

from dataclasses import dataclass, field

SEPARATORS = ("+", "=", "%2b")
"""What may stand between our mailbox and a ticket: a plus, or what servers and web forms make of one."""


@dataclass(frozen=True, slots=True)
class PostIdentity:
    """The post as its players know it.

    `authserv_id` is the name under which our own mail server writes Authentication-Results; that server must
    remove lines that strangers wrote under its name (RFC 8601, section 5). `domains` are further domains whose
    mail reaches us.
    """

    address: str
    authserv_id: str | None
    ticket_key: bytes = field(repr=False)
    domains: tuple[str, ...] = ()

    @property
    def mailbox(self) -> str:
        """The part of our address before the @, in small letters."""
        return self.address.rpartition("@")[0].lower()

    @property
    def homes(self) -> tuple[str, ...]:
        """All domains that are ours, in small letters."""
        return tuple(home.lower() for home in (self.address.rpartition("@")[2], *self.domains))

    def owns(self, address: str) -> bool:
        """Whether mail to this address comes to us, with or without a ticket in it."""
        mailbox, _, home = address.lower().rpartition("@")
        if home not in self.homes:
            return False
        return mailbox == self.mailbox or mailbox.startswith(tuple(self.mailbox + sign for sign in SEPARATORS))
