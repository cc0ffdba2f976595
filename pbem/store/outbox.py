"""Outgoing mails: queued with the events that caused them, claimed one by one, sent as they were written.

A claim is a lease. If the sender dies, the lease runs out and the same bytes are sent again: at least once, never
rendered again. Nothing is ever sent from inside a transaction.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from isal import isal_zlib

from pbem.store.packs import PackQueries, read_picture, read_text
from pbem.store.pictures import SharedPart, take_apart
from pbem.store.queries import Row, insert_into, reading_row
from pbem.store.rows import MailRow, MailState, NewMail
from pbem.store.timestamps import format_timestamp, parse_timestamp

LEASE: Final = timedelta(minutes=10)
"""How long a claimed mail is reserved for the sender that claimed it."""

COMPRESSION: Final = 0
"""How hard mails are compressed: the least. It makes them a third as long in less time than writing them would take."""

ANSWERS: Final = ("receipt", "refusal", "question", "answer", "stands")
"""The kinds of mail that answer a player's own letter; their number is limited."""

_PACKED: Final = """
    CASE WHEN {0}.pack IS NOT NULL
        THEN coalesce((SELECT packed FROM pack WHERE number = {0}.pack), substr({0}.{1}, 1, 0)) END,
    {0}.pack_at, {0}.pack_length"""
"""What a row has in a pack: all of the pack, and where it is in there. A pack that is gone cannot be unpacked."""
_TEXT: Final = f"outbox_bytes.raw, {_PACKED.format('outbox_bytes', 'raw')}"
_PICTURE: Final = f"outbox_shared.sha256, head, content, encoded, {_PACKED.format('outbox_shared', 'content')}"
_FIELDS: Final = """
    outbox.id, outbox.message_id, recipient, kind, game, seat, state, attempts, not_before, last_error, created_at"""
_MAILS: Final = f"""
    SELECT {_FIELDS}, {_TEXT}, shared_at, {_PICTURE}
    FROM outbox LEFT JOIN outbox_bytes ON outbox.message_id = outbox_bytes.message_id
        LEFT JOIN outbox_shared ON outbox_shared.sha256 = shared"""  # noqa: S608 - our own names
_ADD: Final = insert_into(
    "outbox",
    (
        *("message_id", "recipient", "kind", "game", "seat", "state"),
        *("attempts", "not_before", "last_error", "created_at", "told"),
        *("sha256", "length", "head_seq"),
    ),
)
_ADD_BYTES: Final = insert_into("outbox_bytes", ("message_id", "raw", "shared", "shared_at"))
_FIND_SHARED: Final = "SELECT sha256 FROM outbox_shared WHERE sha256 = :digest"
_ADD_SHARED: Final = insert_into("outbox_shared", ("sha256", "head", "content", "encoded"))
_DUE: Final = f"""{_MAILS}
    WHERE (state = 'queued' OR state = 'sending') AND not_before <= :now ORDER BY id LIMIT :most"""
_CLAIM: Final = """
    UPDATE outbox SET state = 'sending', attempts = attempts + 1, not_before = :lease_ends WHERE id = :mail"""
_FINISH: Final = "UPDATE outbox SET state = :state, last_error = :error, sent_at = :sent_at WHERE id = :mail"
_RETRY: Final = "UPDATE outbox SET state = 'queued', not_before = :not_before, last_error = :error WHERE id = :mail"
_PUT_BACK: Final = """
    UPDATE outbox SET state = 'queued', attempts = attempts - 1, not_before = :not_before, last_error = :error
    WHERE id = :mail AND state = 'sending'"""
_PUT_ALL_BACK: Final = "UPDATE outbox SET state = 'queued', not_before = :not_before WHERE state = 'sending'"
_RELEASE_FUTURE: Final = """
    UPDATE outbox SET not_before = :now
    WHERE (state = 'queued' AND not_before > :now) OR (state = 'sending' AND not_before > :lease_ends)"""
_ONE: Final = f"{_MAILS} WHERE id = :mail"
_BY_MESSAGE_ID: Final = f"{_MAILS} WHERE outbox.message_id = :message_id"
_ONE_TEXT: Final = f"""
    SELECT {_FIELDS}, {_TEXT} FROM outbox LEFT JOIN outbox_bytes ON outbox.message_id = outbox_bytes.message_id
    WHERE outbox.message_id = :message_id"""  # noqa: S608 - our own names
_UNREPORTED: Final = f"{_MAILS} WHERE state = 'failed' AND NOT told ORDER BY id LIMIT 100"
_MARK_REPORTED: Final = "UPDATE outbox SET told = :told WHERE id = :mail"
_CHANGE_STATE: Final = "UPDATE outbox SET state = :state WHERE game = :game AND seat = :seat AND state = :was"
_LAST_TO_SEATS: Final = f"{_MAILS} WHERE seat IS NOT NULL ORDER BY id DESC LIMIT 20"
_TEXTS: Final = f"""
    SELECT id, {_TEXT} FROM outbox JOIN outbox_bytes ON outbox.message_id = outbox_bytes.message_id
    WHERE id > :after ORDER BY id LIMIT :most"""  # noqa: S608 - our own names
_BY_STATE: Final = (
    "SELECT state, count(*) FROM outbox WHERE state IN ('queued', 'sending', 'held', 'failed') GROUP BY state"
)
_ALL: Final = "SELECT count(*) FROM outbox"
_LAST_ERROR: Final = """
    SELECT last_error FROM outbox
    WHERE (state = 'queued' OR state = 'sending') AND last_error <> '' ORDER BY not_before DESC, id DESC LIMIT 1"""
_SINCE: Final = "SELECT count(*) FROM outbox WHERE created_at >= :since"
_TO_SINCE: Final = f"{_SINCE} AND recipient = :recipient"
_ANSWERS_TO_SINCE: Final = f"""{_SINCE} AND kind IN {ANSWERS}
    AND recipient IN (SELECT address FROM seat WHERE player = :player UNION SELECT :recipient)"""  # noqa: S608 - our own names
_WRITTEN_TO: Final = "SELECT count(*) FROM outbox WHERE recipient = :recipient"
_WRITTEN_ABOUT: Final = f"{_WRITTEN_TO} AND game = :game"
_NUMBERS: Final = """
    SELECT id FROM outbox LEFT JOIN outbox_bytes ON outbox.message_id = outbox_bytes.message_id
    ORDER BY outbox_bytes.pack, id"""
_SHARED: Final = f"SELECT {_PICTURE} FROM outbox_shared ORDER BY outbox_shared.pack"  # noqa: S608 - our own names
_OLD: Final = """
    SELECT outbox.message_id FROM outbox_bytes JOIN outbox ON outbox.message_id = outbox_bytes.message_id
    WHERE state = 'sent' AND sent_at < :before
        AND (game IS NULL OR game NOT IN (SELECT value FROM json_each(:held)))
    ORDER BY outbox_bytes.pack, outbox.id LIMIT :most"""


class OutboxQueries(PackQueries):
    """Queries about outgoing mails."""

    __slots__ = ()

    def enqueue(self, mails: Sequence[NewMail], *, held: bool = False) -> None:
        """Queue mails to be sent once this transaction is on the disk; held ones wait until they are released."""
        at, state = self._timestamp(), "held" if held else "queued"
        self._change_all(
            _ADD,
            [
                {
                    "message_id": mail.message_id,
                    "recipient": mail.recipient,
                    "kind": mail.kind,
                    "game": mail.game,
                    "seat": mail.seat,
                    "state": state,
                    "attempts": 0,
                    "not_before": at,
                    "last_error": "",
                    "created_at": at,
                    "told": False,
                    "sha256": _digest(mail),
                    "length": len(mail.raw) + len(mail.shared),
                    "head_seq": mail.head_seq,
                }
                for mail in mails
            ],
        )
        self._change_all(_ADD_BYTES, list(self._store_bytes(mails)))

    def _store_bytes(self, mails: Iterable[NewMail]) -> Iterator[dict[str, object]]:
        """The rows with the bytes of mails; the part that they share is stored first."""
        shared, digest = b"", None
        for mail in mails:
            if mail.shared is not shared:
                shared, digest = mail.shared, self._store_shared(mail.shared)
            raw = isal_zlib.compress(mail.raw, COMPRESSION)
            yield {"message_id": mail.message_id, "raw": raw, "shared": digest, "shared_at": mail.shared_at}

    def _store_shared(self, content: bytes) -> str | None:
        """Store the part that many mails share, unless it is there; its digest, by which it is found."""
        if not content:
            return None
        digest = sha256(content).hexdigest()
        if self._value(_FIND_SHARED, {"digest": digest}) is None:
            self._change(_ADD_SHARED, {"sha256": digest, **take_apart(content)._asdict()})
        return digest

    def claim_due(self, now: datetime, limit: int) -> list[MailRow]:
        """Mails to send now, oldest first. No other sender gets them until their lease ends."""
        rows = self._rows(_DUE, {"now": format_timestamp(now), "most": limit})
        lease = format_timestamp(now + LEASE)
        self._change_all(_CLAIM, [{"mail": row[0], "lease_ends": lease} for row in rows])
        return [_read_mail(row, claimed=True) for row in rows]

    def mark_sent(self, mail: int) -> None:
        """The mail was sent."""
        self._change(_FINISH, {"mail": mail, "state": "sent", "error": "", "sent_at": self._timestamp()})

    def mark_retry(self, mail: int, *, not_before: datetime, error: str) -> None:
        """The mail could not be sent now; the same bytes again later."""
        self._change(_RETRY, {"mail": mail, "not_before": format_timestamp(not_before), "error": error})

    def mark_failed(self, mail: int, error: str) -> None:
        """The mail will never be sent. The referee must be told: see `unreported_failures`."""
        self._change(_FINISH, {"mail": mail, "state": "failed", "error": error, "sent_at": None})

    def put_back(self, mails: Iterable[int], *, not_before: datetime, error: str = "") -> None:
        """Claimed mails that were not tried: as if they had not been claimed, but not to be sent before a moment."""
        earliest = format_timestamp(not_before)
        self._change_all(_PUT_BACK, [{"mail": mail, "not_before": earliest, "error": error} for mail in mails])

    def put_all_back(self) -> int:
        """Claimed mails whose sender is known to have died, to be tried again at once; how many."""
        return self._change(_PUT_ALL_BACK, {"not_before": self._timestamp()})

    def release_future(self, now: datetime) -> int:
        """Let mails go now that wait for a later time, because the clock was wrong when it was set; how many."""
        times = {"now": format_timestamp(now), "lease_ends": format_timestamp(now + LEASE)}
        return self._change(_RELEASE_FUTURE, times)

    def find_mail(self, mail: int) -> MailRow | None:
        """A mail by its number."""
        found = self._row(_ONE, {"mail": mail})
        return None if found is None else _read_mail(found)

    def mail_numbers(self) -> list[int]:
        """The numbers of all mails; those in one pack follow one another, so that each is unpacked once."""
        return [int(mail) for (mail,) in self._rows(_NUMBERS)]

    def altered_pictures(self) -> list[str]:
        """What mails share and no longer has the digest by which it is found."""
        return [str(digest) for digest, *kept in self._connection.execute(_SHARED) if _is_altered(digest, kept)]

    def find_message(self, message_id: str) -> MailRow | None:
        """A mail by its Message-ID."""
        found = self._row(_BY_MESSAGE_ID, {"message_id": message_id})
        return None if found is None else _read_mail(found)

    def find_text(self, message_id: str) -> MailRow | None:
        """A mail by its Message-ID, without its picture, which takes longer to read than everything else."""
        found = self._row(_ONE_TEXT, {"message_id": message_id})
        return None if found is None else _read_mail(found)

    def unreported_failures(self) -> list[MailRow]:
        """Mails that failed and were not reported to the referee."""
        return [_read_mail(row) for row in self._rows(_UNREPORTED)]

    def mark_reported(self, mails: Iterable[int]) -> None:
        """The referee was told about these."""
        self._change_all(_MARK_REPORTED, [{"mail": mail, "told": True} for mail in mails])

    def hold_mails(self, game: str, seat: str) -> int:
        """Hold what is queued for a seat whose mails bounce; how many."""
        return self._change(_CHANGE_STATE, {"game": game, "seat": seat, "was": "queued", "state": "held"})

    def release_mails(self, game: str, seat: str) -> int:
        """Queue again what was held for a seat; how many."""
        return self._change(_CHANGE_STATE, {"game": game, "seat": seat, "was": "held", "state": "queued"})

    def mails_since(self, moment: datetime, recipient: str | None = None) -> int:
        """How many mails were written since then, to everyone or to one address."""
        since = {"since": format_timestamp(moment)}
        if recipient is None:
            return int(self._value(_SINCE, since))
        return int(self._value(_TO_SINCE, since | {"recipient": recipient}))

    def answers_since(self, moment: datetime, recipient: str) -> int:
        """How many answers to letters were written to an address since then, at all its tables and in any case."""
        whose = {"recipient": recipient, "player": recipient.lower()}
        return int(self._value(_ANSWERS_TO_SINCE, {"since": format_timestamp(moment), **whose}))

    def mails_written(self, recipient: str, game: str | None = None) -> int:
        """How many mails were ever written to an address, about all games or one."""
        statement = _WRITTEN_TO if game is None else _WRITTEN_ABOUT
        return int(self._value(statement, {"recipient": recipient, "game": game}))

    def mails_by_state(self) -> dict[MailState, int]:
        """How many mails are queued, sent, held and so on."""
        # Nearly all are sent: counting the others and everything is quicker than counting them by their state.
        others: dict[MailState, int] = {state: int(count) for state, count in self._rows(_BY_STATE)}
        sent = int(self._value(_ALL)) - sum(others.values())
        return others | {"sent": sent} if sent else others

    def last_mails_to_seats(self) -> list[MailRow]:
        """A few mails to players, the newest first."""
        return [_read_mail(row) for row in self._rows(_LAST_TO_SEATS)]

    @reading_row("outbox")
    def mail_texts(self, after: int, most: int) -> list[tuple[int, bytes]]:
        """The numbers and bytes of mails after one, without pictures, as far as their text is still there."""
        found = self._rows(_TEXTS, {"after": after, "most": most})
        in_packs = sorted(found, key=lambda row: row[2] or b"")  # each is unpacked once
        return sorted((int(mail), read_text(*text)) for mail, *text in in_packs)

    def last_error(self) -> str:
        """Why a waiting mail could not be sent when it was last tried; empty if none was tried."""
        return str(self._value(_LAST_ERROR) or "")

    def forget_sent(self, before: datetime, *, but: Iterable[str] = (), most: int = 1_000) -> int:
        """Delete the bytes of mails sent before then, but those about some games; how many, up to `most` at a time.

        That they were sent, and when, their digest and their length stay.
        """
        values = {"before": format_timestamp(before), "held": json.dumps([*but]), "most": most}
        old = [message_id for (message_id,) in self._rows(_OLD, values)]
        self.drop_mail_bytes(old)
        return len(old)


def _is_altered(digest: str, kept: Sequence[Any]) -> bool:
    try:
        return sha256(_read_shared(digest, *kept)).hexdigest() != digest
    except ValueError:
        return True


@reading_row("outbox")
def _read_mail(row: Row, *, claimed: bool = False) -> MailRow:
    number, message_id, recipient, kind, game, seat, state, attempts, not_before, last_error, created_at, *stored = row
    return MailRow(
        number,
        message_id,
        recipient,
        kind,
        _join(*stored),
        game,
        seat,
        state="sending" if claimed else state,
        attempts=attempts + claimed,
        not_before=parse_timestamp(not_before),
        last_error=last_error,
        created_at=parse_timestamp(created_at),
    )


def _join(
    raw: bytes | None,
    packed: bytes | None,
    at: int,
    length: int,
    begin: int = 0,
    digest: str | None = None,
    *shared: Any,
) -> bytes:
    """The bytes of a mail; empty if they were deleted."""
    if raw is None:
        return b""
    text = read_text(raw, packed, at, length)
    return text if digest is None else text[:begin] + _read_shared(digest, *shared) + text[begin:]


def _read_shared(digest: str, head: str, content: bytes, encoded: bool, *packed: Any) -> bytes:
    return read_picture(digest, SharedPart(head, content, encoded), *packed)


def _digest(mail: NewMail) -> str:
    digest = sha256(mail.raw[: mail.shared_at])
    digest.update(mail.shared)
    digest.update(mail.raw[mail.shared_at :])
    return digest.hexdigest()
