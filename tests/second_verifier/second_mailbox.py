"""What a player's mails say of a game, held against its record: heads, promises, opened values, receipts, own letters.

And against the log of all games: every checkpoint must be one of its own. Who signs is known by the key that the
record names.
"""

import email
import json
import re
import unicodedata
from collections.abc import Iterator
from email import policy
from typing import Any, NamedTuple

from tests.second_verifier.second_receipts import (
    Finding,
    contradicted_receipt,
    is_signed,
    parting,
    receipts,
    said_in,
    stands,
)
from tests.second_verifier.second_secrets import commitment
from tests.second_verifier.second_signing import base64_bytes, checkpoint_holds, keys_of, rekeyed_by, tree_root
from tests.second_verifier.second_writing import canon, hexed, sha

ACCEPT = re.compile(r"\s*accept\b[ \t]*(.*?)\s*\Z", re.IGNORECASE)
CHECKPOINT = re.compile(r"\S+ (0|[1-9][0-9]*) [A-Za-z0-9+/]{43}= [A-Za-z0-9+/]{91}=\Z")
HEAD = re.compile(r"(\S+) [0-9]{1,7} [0-9a-f]{64}\Z")
PROMISED = re.compile(r"promised (\S+) (seed|blind) ([0-9a-f]{64})\Z")
OPENED = re.compile(r"opened (\S+) ([0-9]+) (\S+) ([0-9a-f]{64}) (.+)\Z")


class Mail(NamedTuple):
    """A mail as it came or went: its bytes, its headers, and what stands behind bars in its text, line by line."""

    raw: bytes
    headers: object
    lines: list[Any]
    text: str


def read_mail(raw: Any) -> Any:
    """Take a mail apart."""
    message = email.message_from_bytes(raw, policy=policy.default)
    body = message.get_body(("plain",))
    text = body.get_content() if body else ""
    return Mail(raw, message, barred(text), text)


def barred(text: Any) -> Any:
    """The lines behind bars, each with what goes on below it."""
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith("|   ") and found and found[-1]:
            found[-1] += " " + line[4:]
        elif line.startswith("| "):
            found.append(line[2:])
        else:
            found.append("")
    return [line for line in found if line]


def contradictions(game: Any, events: Any, raws: Any) -> Iterator[Any]:
    """All that the mails of a mailbox say otherwise than the record of a game, and that no restored copy explains."""
    return (finding.reason for finding in findings(game, events, raws) if not finding.is_fork)


def forks(game: Any, events: Any, raws: Any) -> Iterator[Any]:
    """All that the mails of a mailbox know of a history that was lost when an older copy was put back."""
    return (finding.reason for finding in findings(game, events, raws) if finding.is_fork)


def findings(game: Any, events: Any, raws: Any) -> Iterator[Any]:
    """All that the mails of a mailbox say otherwise than the record of a game."""
    mails, hashes = [read_mail(raw) for raw in raws], {event.seq: event.hash for event in events}
    keys = [bytes.fromhex(key) for _, key in keys_of(events)]
    for mail in mails:
        name, *head = header(mail, "X-Caravan-Head", HEAD) or [""]
        lost = None
        if name == game and not stands(head, hashes) and not is_refuted(head, mail, events):
            lost = parting(head, events)
            yield Finding(
                lost is not None,
                f"the head {' '.join(head)} is not in the record, unless the header was changed"
                + (f": the two part at {lost}" if lost else ""),
            )
        checkpoint = header(mail, "X-Caravan-Checkpoint", CHECKPOINT)
        if checkpoint and is_about(game, mail) and not any(checkpoint_holds(checkpoint, key) for key in keys):
            yield Finding(False, "a checkpoint is not signed by the post")
        for line in mail.lines:
            yield from contradicted_line(game, events, line, lost)
        for receipt in receipts(mail):
            if said_in(receipt).get("game") == game:
                yield from contradicted_receipt(events, receipt)
    yield from (Finding(False, reason) for reason in contradicted_letters(events, mails))


def is_refuted(head: Any, mail: Any, events: Any) -> Any:
    """Whether a signed receipt in the mail itself knows another event of the number that its header names."""
    lines = [line.split(" ") for receipt in receipts(mail) if is_signed(receipt, events) for line in receipt]
    known = {parts[2] for parts in lines if parts[0] in ("before", "after") and parts[1] == head[0]}
    return bool(known) and head[1] not in known


def header(mail: Any, name: Any, form: Any) -> Any:
    """The parts of a header; none if it is not there, or not in its form."""
    parts = str(mail.headers.get(name, "")).split()
    return parts if form.match(" ".join(parts)) else []


def is_about(game: Any, mail: Any) -> Any:
    """Whether this is a mail of the post about a game."""
    head = header(mail, "X-Caravan-Head", HEAD)
    if head[:1] == [game] or any(said_in(each).get("game") == game for each in receipts(mail)):
        return True
    if any(found[1] == game for line in mail.lines for found in (PROMISED.match(line), OPENED.match(line)) if found):
        return True
    return not head and f"<{game}." in str(mail.headers.get("List-Id", ""))


def silences(game: Any, raws: Any) -> Any:
    """The headers that mails of the post about a game lack, or have not in their form, with the dates of the mails."""
    forms = {"X-Caravan-Head": HEAD, "X-Caravan-Checkpoint": CHECKPOINT}
    mails = [mail for mail in map(read_mail, raws) if is_about(game, mail)]
    return [
        (name, str(mail.headers.get("Date", "")))
        for mail in mails
        for name in forms
        if not header(mail, name, forms[name])
    ]


def contradicted_line(game: Any, events: Any, line: Any, lost: Any) -> Iterator[Any]:
    """A promise or an opened value that is another in the record; any other line is words.

    What a mail of a lost history opens after the place where that parted, the record cannot know.
    """
    proof = events[0].data["proof"]
    promised, opened = PROMISED.match(line), OPENED.match(line)
    if promised and promised[1] == game and proof[promised[2]] != promised[3]:
        yield Finding(False, f"another {promised[2]} was promised")
    if opened and opened[1] == game:
        seq, field = int(opened[2]), opened[3]
        made = commitment(bytes.fromhex(opened[4]), game, seq, field, opened[5]).hex()
        if not any(event.seq == seq and (field, made) in {seal[:2] for seal in event.seals} for event in events):
            parted = lost is not None and lost <= seq
            reason = f"field {field} of event {seq} was opened as something else"
            yield Finding(parted, f"{reason}: the two part at {lost}" if parted else reason)


def contradicted_letters(events: Any, mails: Any) -> Iterator[Any]:
    """An acceptance that stirred in something else than its letter says."""
    letters = {sha(mail.raw).hex(): mail for mail in mails}
    for event in events:
        mail = letters.get(event.data["letter"]) if event.kind == "accepted" else None
        said = ACCEPT.match(next(iter(mail.text.splitlines()), "")) if mail else None
        if mail and said and stirred(said[1], mail.headers.get("Message-ID", "")) != event.data["entropy_sha256"]:
            yield f"{event.data['seat']} stirred in something else"


def stirred(words: Any, message_id: Any) -> Any:
    """X of a seat, from the words after `accept` or, without any, from the name of the letter."""
    return sha(unicodedata.normalize("NFC", words).encode()).hex() if words else hexed(["pbm-letter-1", message_id])


def contradicted_log(lines: Any, raws: Any) -> Iterator[Any]:
    """Checkpoints in mails that the log of all games does not bear out, and that no restored copy explains."""
    return (finding.reason for finding in log_findings(lines, raws) if not finding.is_fork)


def log_findings(lines: Any, raws: Any) -> Iterator[Any]:
    """Checkpoints in mails that are not of this log; they show where it parts if a copy was put back before."""
    leaves = [line.encode() for line in lines]
    restored = [place for place, line in enumerate(lines, 1) if json.loads(line)["kind"] == "restored"]
    for raw in raws:
        checkpoint = header(read_mail(raw), "X-Caravan-Checkpoint", CHECKPOINT)
        if checkpoint and not is_root(leaves, checkpoint[1], base64_bytes(checkpoint[2])):
            parts = [place for place in restored if place <= int(checkpoint[1])]
            yield Finding(
                bool(parts),
                f"the checkpoint of {checkpoint[1]} lines is not of this log"
                + (f": the two part at {parts[-1]}" if parts else ""),
            )


def contradicted_lines(post: Any, game: Any, events: Any, lines: Any) -> Iterator[Any]:
    """Lines of the log that are not written as they must be, or that say something else than the record of a game.

    A key is vouched for by one that the record or the log knows before, or by none.
    """
    keys = [bytes.fromhex(key) for _, key in keys_of(events)]
    for line in lines:
        said = json.loads(line)
        names = {"key": {"key", "signature"}, "restored": {"game", "seq", "head"}}.get(said["kind"])
        if canon(said).decode() != line or (names and said.keys() != {"at", "kind", *names}):
            yield f"this is no line of a log: {line}"
        elif said["kind"] == "key":
            vouched = [rekeyed_by(key, post, "", 0, said["key"], said["signature"]) for key in keys]
            if said["signature"] and not any(vouched):
                yield f"no key of the post vouches for {said['key']}"
            keys.append(bytes.fromhex(said["key"]))
        elif said["kind"] == "restored" and said["game"] == game and said["seq"] <= len(events):
            event = events[said["seq"] - 1]
            if (event.kind, event.hash) != ("restored", said["head"]):
                yield f"the record has another event {event.seq}"


def is_root(leaves: Any, size: Any, root: Any) -> Any:
    """Whether the first so many lines of the log have this root."""
    return size.isdecimal() and int(size) <= len(leaves) and tree_root(leaves[: int(size)]) == root
