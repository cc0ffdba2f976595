"""Slips: a few lines of a name and a value each, the last of them the signature under the others.

Mail may fold the lines of a slip at blanks; a reader joins them again. The signature is cut in two, since a whole one
is too long for a mail.
"""

import base64
import binascii
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pbem.proof.signing import Signer, is_signed

_SIGNATURE: Final = "signature"
_HALF: Final = 44
"""Signs of a signature on one line."""


class Slip(NamedTuple):
    """A slip as it was found: the lines that its signature is under, the first of them its form."""

    lines: tuple[str, ...]
    signature: bytes

    @property
    def values(self) -> dict[str, str]:
        """What its lines say; of lines with the same name, the last."""
        return {name: value for name, _, value in (line.partition(" ") for line in self.lines[1:])}

    def is_signed_by(self, public: bytes) -> bool:
        """Whether the key's owner signed it."""
        return is_signed(public, _message(self.lines), self.signature)


def sign_slip(lines: Sequence[str], signer: Signer) -> tuple[str, ...]:
    """The lines of a slip, signature and all."""
    signature = base64.b64encode(signer.sign(_message(lines))).decode("ascii")
    return (*lines, f"{_SIGNATURE} {signature[:_HALF]} {signature[_HALF:]}")


def read_slips(lines: Iterable[str], form: str) -> Iterator[Slip | None]:
    """The slips of a form among some lines, unfolded and without bars; None for one that has no signature in it."""
    gathered: list[str] = []
    for line in lines:
        if line == form:
            gathered = [line]
        elif gathered:
            if line.startswith(f"{_SIGNATURE} "):
                yield _close(gathered, line)
                gathered = []
            else:
                gathered.append(line)


def _close(lines: list[str], last: str) -> Slip | None:
    try:
        return Slip(tuple(lines), base64.b64decode("".join(last.split()[1:]), validate=True))
    except (ValueError, binascii.Error):
        return None


def _message(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_event(text: str) -> tuple[int, str]:
    """The number and the hash of an event; ValueError if there are none."""
    seq, head = text.split(" ")
    return int(seq), head
