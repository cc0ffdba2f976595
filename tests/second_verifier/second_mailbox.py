"""What a player's mails say of a game, held against its record: heads, promises, opened values, receipts, own letters.

And against the log of all games: every checkpoint must be one of its own. Who signs is known by the key that the
record names.
"""

import email
import re
import unicodedata
from collections.abc import Iterator
from email import policy
from typing import Any, NamedTuple

from tests.second_verifier.second_shapes import TURNS
from tests.second_verifier.second_secrets import commitment, opened_moves
from tests.second_verifier.second_signing import base64_bytes, checkpoint_holds, receipt_holds, short_name, tree_root
from tests.second_verifier.second_writing import hexed, sha

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


def receipts(mail: Any) -> Any:
    """The receipts in a mail, each as a list of lines."""
    found = []
    for line in mail.lines:
        if line == "pbm-receipt-1":
            found.append([line])
        elif found and not found[-1][-1].startswith("signature "):
            found[-1].append(line)
    return found


def contradictions(game: Any, events: Any, raws: Any) -> Iterator[Any]:
    """All that the mails of a mailbox say otherwise than the record of a game."""
    mails, hashes = [read_mail(raw) for raw in raws], {event.seq: event.hash for event in events}
    key = bytes.fromhex(events[0].data["proof"].get("key", ""))
    for mail in mails:
        name, *head = header(mail, "X-Caravan-Head", HEAD) or [""]
        if name == game and not stands(head, hashes) and not is_refuted(head, mail, key):
            yield f"the head {' '.join(head)} is not in the record, unless the header was changed"
        checkpoint = header(mail, "X-Caravan-Checkpoint", CHECKPOINT)
        if checkpoint and is_about(game, mail) and not checkpoint_holds(checkpoint, key):
            yield "a checkpoint is not signed by the post"
        for line in mail.lines:
            yield from contradicted_line(game, events, line)
        for receipt in receipts(mail):
            said = dict(line.partition(" ")[::2] for line in receipt)
            if said.get("game") == game:
                yield from contradicted_receipt(events, hashes, receipt, said, key)
    yield from contradicted_letters(events, mails)


def is_refuted(head: Any, mail: Any, key: Any) -> Any:
    """Whether a signed receipt in the mail itself knows another event of the number that its header names."""
    lines = [line.split(" ") for receipt in receipts(mail) if receipt_holds(receipt, key) for line in receipt]
    known = {parts[2] for parts in lines if parts[0] in ("before", "after") and parts[1] == head[0]}
    return bool(known) and head[1] not in known


def header(mail: Any, name: Any, form: Any) -> Any:
    """The parts of a header; none if it is not there, or not in its form."""
    parts = str(mail.headers.get(name, "")).split()
    return parts if form.match(" ".join(parts)) else []


def is_about(game: Any, mail: Any) -> Any:
    """Whether this is a mail of the post about a game."""
    head = header(mail, "X-Caravan-Head", HEAD)
    if head[:1] == [game] or any(
        dict(line.partition(" ")[::2] for line in each).get("game") == game for each in receipts(mail)
    ):
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


def stands(said: Any, hashes: Any) -> Any:
    """Whether a number and a hash are those of an event of the record."""
    return len(said) == 2 and said[0].isdecimal() and hashes.get(int(said[0])) == said[1]


def contradicted_line(game: Any, events: Any, line: Any) -> Iterator[Any]:
    """A promise or an opened value that is another in the record; any other line is words."""
    proof = events[0].data["proof"]
    promised, opened = PROMISED.match(line), OPENED.match(line)
    if promised and promised[1] == game and proof[promised[2]] != promised[3]:
        yield f"another {promised[2]} was promised"
    if opened and opened[1] == game:
        seq, field = int(opened[2]), opened[3]
        made = commitment(bytes.fromhex(opened[4]), game, seq, field, opened[5]).hex()
        if not any(event.seq == seq and (field, made) in {seal[:2] for seal in event.seals} for event in events):
            yield f"field {field} of event {seq} was opened as something else"


def contradicted_receipt(events: Any, hashes: Any, receipt: Any, said: Any, key: Any) -> Iterator[Any]:
    """A receipt that is forged, or that the record does not keep."""
    if said.get("key") != short_name(said.get("post", ""), key).hex() or not receipt_holds(receipt, key):
        yield f"receipt {said.get('number')} is not signed by the post"
        return
    for name in ("before", "after"):
        if not stands(said.get(name, "").split(" "), hashes):
            yield f"receipt {said['number']} knows an event that the record does not have"
    turns = [event for event in events if event.kind in TURNS and event.data["letter"] == said["letter"]]
    played = [line.removeprefix("played ") for line in receipt if line.startswith("played ")]
    if said["outcome"] == "refused" and turns:
        yield f"receipt {said['number']} refuses a letter that was played"
    turns = [event for event in turns if event.seq <= int(said["after"].split(" ")[0])]
    if said["outcome"] == "applied" and len(turns) != len(played):
        yield f"receipt {said['number']} names {len(played)} turns, and the record {len(turns)}"
    for event, phrase in zip(turns, played, strict=False):
        shown = {event.data["phrase"], opened_moves(event)}
        if event.data["seat"] != said["seat"] or (phrase not in shown and not is_closed(event)):
            yield f"receipt {said['number']} names a turn that is not there: {phrase}"


def is_closed(event: Any) -> Any:
    """Whether something of a turn is sealed in this record, so that whoever played it knows more of it."""
    return any(seal.value is None for seal in event.seals)


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
    """Checkpoints in mails that the log of all games does not bear out."""
    leaves = [line.encode() for line in lines]
    for raw in raws:
        checkpoint = header(read_mail(raw), "X-Caravan-Checkpoint", CHECKPOINT)
        if checkpoint and not is_root(leaves, checkpoint[1], base64_bytes(checkpoint[2])):
            yield f"the checkpoint of {checkpoint[1]} lines is not of this log"


def is_root(leaves: Any, size: Any, root: Any) -> Any:
    """Whether the first so many lines of the log have this root."""
    return size.isdecimal() and int(size) <= len(leaves) and tree_root(leaves[: int(size)]) == root
