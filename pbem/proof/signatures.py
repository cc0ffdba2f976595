"""Ed25519 signatures and signed notes.

The library is imported only when something is signed or checked, because most commands do neither.

A note is a few lines of a name and a value, the last of them the signature under the others. Mail may fold its lines at
blanks; the reader joins them again. The signature is cut in two, because a whole one is too long for a line of mail.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.digest import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


LENGTH: Final = 32
"""Bytes in a private or public key."""

_ED25519: Final = b"\x01"
"""The kind of signature, as C2SP signed notes number them."""


class Signer:
    """The post's signing key, named by the post's address; the private part is never given out."""

    def __init__(self, name: str, private: bytes) -> None:
        self.name = name
        self._private = private

    @cached_property
    def public(self) -> bytes:
        """What anybody needs to check a signature."""
        return self._key.public_key().public_bytes_raw()

    @property
    def key_id(self) -> str:
        """The short name of the key: eight hexadecimal digits."""
        return key_id(self.name, self.public)

    def sign(self, message: bytes) -> bytes:
        """The signature under a message: 64 bytes, the same every time."""
        return self._key.sign(message)

    @cached_property
    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._private)


def key_id(name: str, public: bytes) -> str:
    """The short name of a key, which C2SP signed notes call its hash."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public).hexdigest()[:8]


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature under a message was made with a key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_key_message(post: str, game: str, seq: int, key: str) -> bytes:
    """What the old key signs when another takes its place: in event `seq` of a game, or in the log, with "" and 0."""
    return canonical(["pbm-rekeyed-1", post, game, seq, key])


_SIGNATURE: Final = "signature"
_HALF: Final = 44
"""Characters of a signature on one line."""


class SignedNote(NamedTuple):
    """A note that was read: the signed lines, of which the first names its form, and the signature."""

    lines: tuple[str, ...]
    signature: bytes

    @property
    def values(self) -> dict[str, str]:
        """What its lines say; of lines with the same name, the last."""
        return {name: value for name, _, value in (line.partition(" ") for line in self.lines[1:])}

    def is_signed_by(self, public: bytes) -> bool:
        """Whether the key's owner signed it."""
        return is_signed(public, _message(self.lines), self.signature)


def sign_note(lines: Sequence[str], signer: Signer) -> tuple[str, ...]:
    """The lines of a note with its signature."""
    signature = base64.b64encode(signer.sign(_message(lines))).decode("ascii")
    return (*lines, f"{_SIGNATURE} {signature[:_HALF]} {signature[_HALF:]}")


def read_notes(lines: Iterable[str], *forms: str) -> Iterator[SignedNote | None]:
    """The notes of some forms among lines, unfolded and without bars; None for one without a readable signature."""
    gathered: list[str] = []
    for line in lines:
        if line in forms:
            gathered = [line]
        elif gathered:
            if line.startswith(f"{_SIGNATURE} "):
                yield _close(gathered, line)
                gathered = []
            else:
                gathered.append(line)


def _close(lines: list[str], last: str) -> SignedNote | None:
    try:
        return SignedNote(tuple(lines), base64.b64decode("".join(last.split()[1:]), validate=True))
    except (ValueError, binascii.Error):
        return None


def _message(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_event(text: str) -> tuple[int, str]:
    """The number and the hash of an event; ValueError if the text is something else."""
    seq, head = text.split(" ")
    return int(seq), head
