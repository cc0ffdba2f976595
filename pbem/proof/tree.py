"""The log of all games as a Merkle tree (RFC 6962), of which only the right edge is kept.

Nobody can take a line out of the log, or put one in before others, without its root giving it away.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple


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
        """The tree as text, to be kept."""
        return " ".join([str(self.size), *(peak.hex() for peak in self.peaks)])


def read_tree(text: str) -> Tree:
    """What `write` wrote; nothing is an empty tree."""
    size, *peaks = text.split() or ["0"]
    return Tree(int(size), tuple(map(bytes.fromhex, peaks)))


def roots(lines: Iterable[bytes]) -> Sequence[bytes]:
    """The roots of a log as it grew: of no line, of one, of two, and so on."""
    tree = Tree()
    found = [tree.root]
    for line in lines:
        tree = tree.grow(line)
        found.append(tree.root)
    return found


def show_root(root: bytes) -> str:
    """A root as checkpoints write it."""
    return base64.b64encode(root).decode("ascii")
