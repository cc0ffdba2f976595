"""Signatures: Ed25519, with keys named as signed notes name them.

The library is loaded when something is signed or checked, and not before: most commands do neither.
"""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LENGTH: Final = 32
"""Bytes in a private or public key."""

_ED25519: Final = b"\x01"
"""The kind of signature, as C2SP signed notes number them."""


class Signer:
    """The post's own key. Its name is the post's address, its private part never leaves it."""

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
    """The short name of a key: what the signed notes of C2SP call its hash."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public).hexdigest()[:8]


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is that of a key under a message."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
