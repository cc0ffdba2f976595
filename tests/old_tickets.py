"""Reply addresses as posts wrote them before addresses had marks: with the epoch, and a longer code.

Players still have such addresses in their mailboxes, so they must be understood; nothing writes them any more.
"""

import base64
import hashlib
import hmac


def format_old_address(key: bytes, address: str, *, game: str, seat: str, turn: int, epoch: int = 0) -> str:
    """Our address with a ticket of the old form in it."""
    mailbox, _, home = address.rpartition("@")
    return f"{mailbox}+{game}.{seat}.{turn}.{epoch}.{old_code(key, game, seat, turn, epoch)}@{home}"


def format_old_tag(key: bytes, *, game: str, seat: str, turn: int, epoch: int = 0) -> str:
    """The same for a subject."""
    return f"[{game} {seat} {turn}.{epoch} {old_code(key, game, seat, turn, epoch)}]"


def old_code(key: bytes, game: str, seat: str, turn: int, epoch: int) -> str:
    """The code of a ticket of the old form."""
    said = f"caravan-post/ticket\0{game}\0{epoch}\0{turn}\0{seat}".encode()
    return base64.b32encode(hmac.digest(key, said, hashlib.sha256)[:10]).decode("ascii").lower()
