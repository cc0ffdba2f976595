"""Checkpoints: how long the log of all games is and what is in it, signed, in the form of C2SP.

Every mail carries the last one. Two that contradict each other, in the mailboxes of two players, convict the post.
"""

import base64
import binascii
import re
from typing import Final, NamedTuple

from pbem.proof.signing import Signer, is_signed, key_id
from pbem.proof.tree import Tree, show_root

_DASH: Final = "\N{EM DASH}"
_LINE: Final = re.compile(r"(\S+) (0|[1-9][0-9]{0,17}) ([A-Za-z0-9+/]{43}=) ([A-Za-z0-9+/]{91}=)")


class Checkpoint(NamedTuple):
    """The log of a post at one length. `root` and `signature` are base64, `signature` with the key's hash before it."""

    origin: str
    size: int
    root: str
    signature: str

    @property
    def body(self) -> bytes:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{self.root}\n".encode()

    @property
    def key_id(self) -> str:
        """The short name of the key that it says it is signed with."""
        return base64.b64decode(self.signature)[:4].hex()

    @property
    def note(self) -> str:
        """The checkpoint as a signed note."""
        return f"{self.body.decode()}\n{_DASH} {self.origin} {self.signature}\n"

    @property
    def line(self) -> str:
        """The checkpoint on one line, as mails carry it."""
        return " ".join((self.origin, str(self.size), self.root, self.signature))

    def is_signed_by(self, public: bytes) -> bool:
        """Whether the key's owner signed it."""
        try:
            raw = base64.b64decode(self.signature, validate=True)
        except binascii.Error:
            return False
        return raw[:4].hex() == key_id(self.origin, public) and is_signed(public, self.body, raw[4:])


def sign_tree(tree: Tree, signer: Signer) -> Checkpoint:
    """A checkpoint of the log as it is."""
    unsigned = Checkpoint(signer.name, tree.size, show_root(tree.root), "")
    raw = bytes.fromhex(signer.key_id) + signer.sign(unsigned.body)
    return unsigned._replace(signature=base64.b64encode(raw).decode("ascii"))


def read_checkpoint(line: str) -> Checkpoint | None:
    """A checkpoint from one line, however mail has folded it; None if it is none."""
    found = _LINE.fullmatch(" ".join(line.split()))
    return Checkpoint(found[1], int(found[2]), found[3], found[4]) if found is not None else None
