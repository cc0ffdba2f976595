"""The mails of a mailbox, in whatever form a player's program keeps or saves them.

An mbox file, one mail that was saved as a file, a Maildir, or a folder with any of these in it. Whatever else lies in a
folder is passed over; a mailbox without a single mail is refused, since silence would pass for consent.
"""

import mailbox
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

LONGEST: Final = 5_000_000
"""Bytes that a mail may have to be read."""
_DEPTH: Final = 2
"""How deep below a folder mails are looked for: a folder of Maildirs has them in two folders more."""
_UNDELIVERED: Final = "tmp"
_MBOX: Final = b"From "
_MARK: Final = b"\xef\xbb\xbf"
"""What some programs write before a text, to say that it is in UTF-8."""
_PACKED: Final = (b"PK\x03\x04", b"\x1f\x8b")
_HEADERS: Final = re.compile(
    rb"(?:" + _MARK + rb")?(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n)*)*?"
    rb"(?:From|To|Date|Subject|Message-ID|Received|Return-Path|Delivered-To|MIME-Version):",
    re.IGNORECASE,
)
"""How a mail begins: with headers, one of which every mail has."""
_BEGINNING: Final = 65_536
"""Bytes in which a mail must have shown that it is one."""
_FORMS: Final = "an mbox file, a mail saved as a file, a Maildir, or a folder of these"


class NoMailboxError(Exception):
    """There is nothing to be read as a mailbox: which, why, and what would do."""


def read_mails(path: Path) -> Iterator[bytes | None]:
    """Every mail in a mailbox; None for one that is too long to be read. NoMailboxError in the end if none was read."""
    found = read = 0
    try:
        for raw in chain.from_iterable(map(_read, _files(path, _DEPTH) if path.is_dir() else [path])):
            found += 1
            read += raw is not None
            yield raw
        if not read:
            why = f"only mails of more than {LONGEST:,} bytes" if found else f"no mail; {_say_what(path)}"
            raise NoMailboxError(f"{path}: holds {why}")
    except OSError as problem:
        why = (problem.strerror or str(problem)).lower()
        raise NoMailboxError(f"{path}: cannot be read as a mailbox; {why}") from None


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """The files in a folder and not too far below it, always in the same order."""
    for each in sorted(folder.iterdir()):
        if each.is_file():
            yield each
        elif each.is_dir() and depth and each.name != _UNDELIVERED:
            yield from _files(each, depth - 1)


def _read(path: Path) -> Iterator[bytes | None]:
    """The mails in a file; none, if it is something else."""
    with path.open("rb") as opened:
        begins = opened.read(_BEGINNING)
    if begins.startswith(_MBOX):
        with closing(mailbox.mbox(path, create=False)) as box:
            for key in box.keys():  # noqa: SIM118 - a mailbox is no mapping
                raw = box.get_bytes(key)
                if _HEADERS.match(raw):
                    yield raw if len(raw) <= LONGEST else None
    elif _HEADERS.match(begins):
        yield path.read_bytes().removeprefix(_MARK) if path.stat().st_size <= LONGEST else None


def _say_what(path: Path) -> str:
    """What to do about something that holds no mail."""
    if path.is_file():
        with path.open("rb") as opened:
            if opened.read(4).startswith(_PACKED):
                return f"it is packed: unpack it, and give what was in it, {_FORMS}"
    return f"give {_FORMS}"
