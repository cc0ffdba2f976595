"""Mailboxes as evidence: the heads, checkpoints, receipts, promises and opened values in a player's mails.

A mailbox is an mbox file, a mail saved as a file, a Maildir, or a folder of these; other files in a folder are skipped.
A mailbox without any mail is an error, because silence would look like agreement. Mails are read with the standard
library alone, and only for the lines that the post itself writes.
"""

import mailbox
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import parsedate_to_datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.mail.format import (
    BAR,
    CHECKPOINT_HEADER,
    GAME_HEADER,
    HEAD_HEADER,
    parse_head,
    parse_list_id,
    parse_opened,
    parse_promise,
)
from pbem.mail.reply_address import find_seat
from pbem.proof.draws import Opening
from pbem.proof.public_log import Checkpoint, read_checkpoint
from pbem.proof.receipts import FoundReceipt, read_receipts

if TYPE_CHECKING:
    from email.message import Message


LONGEST: Final = 5_000_000
"""The largest mail that is read, in bytes."""
_DEPTH: Final = 2
"""How deep below a folder mails are looked for: a folder of Maildirs needs two levels."""
_UNDELIVERED: Final = "tmp"
_MBOX: Final = b"From "
_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some programs write before UTF-8."""
_PACKED: Final = (b"PK\x03\x04", b"\x1f\x8b")
_HEADERS: Final = re.compile(
    rb"(?:" + _MARK + rb")?(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n)*)*?"
    rb"(?:From|To|Date|Subject|Message-ID|Received|Return-Path|Delivered-To|MIME-Version):",
    re.IGNORECASE,
)
"""How a mail begins: with headers, among them one that every mail has."""
_BEGINNING: Final = 65_536
"""Bytes within which a file must look like a mail."""
_FORMS: Final = "an mbox file, a mail saved as a file, a Maildir, or a folder of these"


class NoMailboxError(Exception):
    """A path holds no mailbox; the message says why, and what would be one."""


def read_mails(path: Path) -> Iterator[bytes | None]:
    """Every mail in a mailbox; None for one that is too long. Raises NoMailboxError at the end if none was read."""
    found = read = 0
    try:
        for raw in chain.from_iterable(map(_read, _files(path, _DEPTH) if path.is_dir() else [path])):
            found += 1
            read += raw is not None
            yield raw
        if not read:
            why = f"only mails of more than {LONGEST:,} bytes" if found else f"no mail; {_advise(path)}"
            raise NoMailboxError(f"{path}: holds {why}")
    except OSError as problem:
        why = (problem.strerror or str(problem)).lower()
        raise NoMailboxError(f"{path}: cannot be read as a mailbox; {why}") from None


def _files(folder: Path, depth: int) -> Iterator[Path]:
    """The files in a folder and down to a depth below it, sorted."""
    for each in sorted(folder.iterdir()):
        if each.is_file():
            yield each
        elif each.is_dir() and depth and each.name != _UNDELIVERED:
            yield from _files(each, depth - 1)


def _read(path: Path) -> Iterator[bytes | None]:
    """The mails in a file; none if it is something else."""
    with path.open("rb") as opened:
        begins = opened.read(_BEGINNING)
    if begins.startswith(_MBOX):
        with closing(mailbox.mbox(path, create=False)) as box:
            for key in box.keys():  # noqa: SIM118 - a mailbox is not a mapping
                raw = box.get_bytes(key)
                if _HEADERS.match(raw):
                    yield raw if len(raw) <= LONGEST else None
    elif _HEADERS.match(begins):
        yield path.read_bytes().removeprefix(_MARK) if path.stat().st_size <= LONGEST else None


def _advise(path: Path) -> str:
    """What to give instead of a path without mails."""
    if path.is_file():
        with path.open("rb") as opened:
            if opened.read(4).startswith(_PACKED):
                return f"it is packed: unpack it, and give what was in it, {_FORMS}"
    return f"give {_FORMS}"


class MailClaim(NamedTuple):
    """Something that a mail says about a game, and the mail's date."""

    date: str
    game: str
    what: tuple[str, ...]
    arrived: datetime | None = None
    """When the owner's mail server received it, by its own header."""
    beside: tuple[FoundReceipt, ...] = ()
    """The receipts in the same mail."""


class MailOpening(NamedTuple):
    """A hidden value that a mail opens, and the last event that the mail's header names, if it has one."""

    game: str
    opening: Opening
    head: tuple[int, str] | None


class SentMail(NamedTuple):
    """A letter from the mailbox's owner to the post, with the game and the seat it was written for."""

    message_id: str
    game: str
    seat: str
    raw: bytes


@dataclass
class MailEvidence:
    """Everything that some mailboxes say."""

    heads: list[MailClaim] = field(default_factory=list)
    """Each a game, the number of an event and its hash."""
    checkpoints: dict[Checkpoint, set[str]] = field(default_factory=dict)
    """Each with the games of the mails that carry it."""
    receipts: list[FoundReceipt] = field(default_factory=list)
    bare: list[MailClaim] = field(default_factory=list)
    """Mails of the post about a game that lack a header or have it malformed: each with the header's name."""
    broken: list[str] = field(default_factory=list)
    """The dates of mails whose receipt cannot be read."""
    promises: list[MailClaim] = field(default_factory=list)
    """Each a game, which of its secrets, and the commitment to it."""
    openings: list[MailOpening] = field(default_factory=list)
    sent: list[SentMail] = field(default_factory=list)
    mails: int = 0
    """How many mails were read."""
    too_long: int = 0
    """How many mails were skipped because they are too long."""
    about: Counter[str] = field(default_factory=Counter)
    """How many mails are about each game, the owner's letters included."""

    def arrivals(self, game: str) -> list[tuple[int, datetime]]:
        """The number of the last event that each mail about a game names, and when it arrived."""
        return [(int(seen.what[0]), seen.arrived) for seen in self.heads if seen.game == game and seen.arrived]

    def read(self, path: Path) -> None:
        """Read another mailbox; NoMailboxError if it is not one."""
        for raw in read_mails(path):
            if raw is None:
                self.too_long += 1
            else:
                self.mails += 1
                self.about.update(self._add(message_from_bytes(raw), raw))

    def _add(self, mail: "Message[str, str]", raw: bytes) -> set[str]:
        """Add what a mail says, and return the games that it is about."""
        date = str(mail.get("Date", ""))
        head = parse_head(_header(mail, HEAD_HEADER))
        if head is None and (found := find_seat(_header(mail, "To"))) is not None:
            game, seat = found
            self.sent.append(SentMail(_header(mail, "Message-ID"), game, seat, raw))
            return {game}
        checkpoint = read_checkpoint(_header(mail, CHECKPOINT_HEADER))
        lines = list(_barred(_text(mail)))
        game_named = head.game if head is not None else parse_list_id(_header(mail, GAME_HEADER))
        about = {game_named} if game_named is not None else set()
        receipts = self._add_receipts(lines, date)
        last = (int(head.seq), head.hash) if head is not None else None
        about |= {signed.receipt.game for signed in receipts} | self._add_values(lines, date, last)
        if head is not None:
            self.heads.append(MailClaim(date, head.game, (head.seq, head.hash), _arrival(mail), receipts))
        if checkpoint is not None:
            self.checkpoints.setdefault(checkpoint, set()).update(about)
        missing = [name for name, found in ((HEAD_HEADER, head), (CHECKPOINT_HEADER, checkpoint)) if found is None]
        self.bare += [MailClaim(date, game, (name,)) for game in sorted(about) for name in missing]
        return about

    def _add_receipts(self, lines: list[str], date: str) -> tuple[FoundReceipt, ...]:
        """Add the receipts of a mail."""
        found = list(read_receipts(lines))
        self.broken += [date for receipt in found if receipt is None]
        good = tuple(receipt for receipt in found if receipt is not None)
        self.receipts += good
        return good

    def _add_values(self, lines: list[str], date: str, head: tuple[int, str] | None) -> set[str]:
        """Add the promises and opened values of a mail, and return their games."""
        games: set[str] = set()
        for line in lines:
            if (promise := parse_promise(line)) is not None:
                self.promises.append(MailClaim(date, promise.game, (promise.secret, promise.commitment)))
                games.add(promise.game)
            elif (opened := parse_opened(line)) is not None:
                opening = Opening(opened.seq, opened.name, opened.value, opened.blinding)
                self.openings.append(MailOpening(opened.game, opening, head))
                games.add(opened.game)
        return games


def read_mailboxes(paths: Iterable[Path]) -> MailEvidence:
    """What some mailboxes say together; NoMailboxError if one of them is not a mailbox."""
    evidence = MailEvidence()
    for path in paths:
        evidence.read(path)
    return evidence


def _header(mail: "Message[str, str]", name: str) -> str:
    """The value of a header, unfolded."""
    return " ".join(str(mail.get(name, "")).split())


def _arrival(mail: "Message[str, str]") -> datetime | None:
    """When the last server received a mail; None if it does not say."""
    try:
        moment = parsedate_to_datetime(_header(mail, "Received").rpartition(";")[2])
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _text(mail: "Message[str, str]") -> str:
    for part in mail.walk():
        if part.get_content_type() == "text/plain" and part.get_filename() is None:
            payload = part.get_payload(decode=True)
            return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return ""


def _barred(text: str) -> Iterator[str]:
    """The lines behind a bar, unfolded."""
    line = ""
    for each in text.splitlines():
        if each.startswith(f"{BAR}  "):
            line += f" {each.removeprefix(BAR).strip()}"
            continue
        if line:
            yield line
        line = each.removeprefix(BAR).strip() if each.startswith(BAR) else ""
    if line:
        yield line
