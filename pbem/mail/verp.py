"""Envelope senders that name the mail they carry, so that a bounce says by its address alone which mail came back.

The name of a mail of ours follows from the post's key: nobody can write such an address who was not sent the mail.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pbem.mail.identity import SEPARATORS, PostIdentity
from pbem.mail.reply_address import LONGEST_MAILBOX

_MARK: Final = "bounce-"
_NAME: Final = "[0-9a-f]{32}"
_MESSAGE_ID: Final = re.compile(rb"^message-id:\s{0,9}<(" + _NAME.encode() + rb")@", re.IGNORECASE | re.MULTILINE)
_IN_ADDRESS: Final = re.compile(_MARK + f"({_NAME})")


def write_verp(address: str, head: bytes) -> str:
    """Our address with the name of a mail in it: `caravan+bounce-<name>@example.org`; plain, where that cannot be."""
    found = _MESSAGE_ID.search(head)
    mailbox, _, home = address.rpartition("@")
    local = f"{mailbox}+{_MARK}{found[1].decode()}" if found else ""
    return f"{local}@{home}" if 0 < len(local) <= LONGEST_MAILBOX else address


def read_verp(post: PostIdentity, recipients: Iterable[str]) -> Iterator[str]:
    """The Message-IDs of the mails that came back, by the addresses that a bounce was sent to."""
    home = post.address.rpartition("@")[2]
    for recipient in recipients:
        local = recipient.strip(" <>").lower().rpartition("@")[0]
        for prefix in (post.mailbox + sign for sign in SEPARATORS if local.startswith(post.mailbox + sign)):
            if found := _IN_ADDRESS.fullmatch(local.removeprefix(prefix)):
                yield f"<{found[1]}@{home}>"
