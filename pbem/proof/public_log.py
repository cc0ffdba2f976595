"""The log of all games as a Merkle tree (RFC 6962), and its signed checkpoints (C2SP).

Only the right edge of the tree is stored. A line that is removed or inserted later changes the root. Every mail carries
the last checkpoint: the signed size and root of the log. Two that contradict each other prove that the post cheated.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pbem.proof.signatures import Signer, is_signed, key_id


def leaf_hash(line: bytes) -> bytes:
    """The hash of one line of the log."""
    return hashlib.sha256(b"\x00" + line).digest()


def _join(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree(NamedTuple):
    """A tree of `size` lines: the roots of its complete parts, the largest first."""

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def grow(self, line: bytes) -> "Tree":
        """The tree with one more line."""
        peaks, grown = list(self.peaks), leaf_hash(line)
        size = self.size
        while size & 1:
            grown = _join(peaks.pop(), grown)
            size >>= 1
        return Tree(self.size + 1, (*peaks, grown))

    @property
    def root(self) -> bytes:
        """The hash of all lines."""
        if not self.peaks:
            return hashlib.sha256(b"").digest()
        *others, root = self.peaks
        for peak in reversed(others):
            root = _join(peak, root)
        return root

    def write(self) -> str:
        """The tree as text, for the store."""
        return " ".join([str(self.size), *(peak.hex() for peak in self.peaks)])


def read_tree(text: str) -> Tree:
    """The tree that `write` wrote; an empty text is an empty tree."""
    size, *peaks = text.split() or ["0"]
    return Tree(int(size), tuple(map(bytes.fromhex, peaks)))


def grown_roots(lines: Iterable[bytes]) -> Sequence[bytes]:
    """The roots of a log as it grew: of no line, of one, of two, and so on."""
    tree = Tree()
    found = [tree.root]
    for line in lines:
        tree = tree.grow(line)
        found.append(tree.root)
    return found


def format_root(root: bytes) -> str:
    """A root as checkpoints write it."""
    return base64.b64encode(root).decode("ascii")


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
        """The checkpoint as a signed note of several lines."""
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
    unsigned = Checkpoint(signer.name, tree.size, format_root(tree.root), "")
    raw = bytes.fromhex(signer.key_id) + signer.sign(unsigned.body)
    return unsigned._replace(signature=base64.b64encode(raw).decode("ascii"))


def read_checkpoint(line: str) -> Checkpoint | None:
    """The checkpoint in one line, even if mail has folded it; None if there is none."""
    found = _LINE.fullmatch(" ".join(line.split()))
    return Checkpoint(found[1], int(found[2]), found[3], found[4]) if found is not None else None
