"""The desk of mails: queued with the events that caused them, claimed one by one, sent as they were written.

A claim is a lease. If the sender dies, the lease runs out and the same bytes are sent again: at least once, never
re-rendered. Nothing is ever sent from inside a transaction.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from isal import isal_zlib
from sqlalchemy import BindParameter, bindparam, delete, func, insert, or_, select, update

from pbem.store.rows import MailRow, MailState, NewMail, read_moment, write_moment
from pbem.store.schema import OUTBOX, OUTBOX_BYTES, OUTBOX_SHARED
from pbem.store.queries import Found, Queries, adding_to

LEASE: Final = timedelta(minutes=10)
"""How long a claimed mail is left to the one who claimed it."""

QUICK: Final = 0
"""How hard mails are packed: the least, which makes them a third as long in less time than writing them would take."""

ANSWERS: Final = ("receipt", "refusal", "question", "answer", "stands", "doubt")
"""The kinds of mail that answer a letter; there is a limit to them."""

_ID: Final[BindParameter[Any]] = bindparam("mail")
_NOW: Final[BindParameter[Any]] = bindparam("by")

_MAILS: Final = (
    select(
        *(OUTBOX.c.id, OUTBOX.c.message_id, OUTBOX.c.recipient, OUTBOX.c.kind, OUTBOX.c.game, OUTBOX.c.seat),
        *(OUTBOX.c.state, OUTBOX.c.attempts, OUTBOX.c.not_before, OUTBOX.c.last_error, OUTBOX.c.created_at),
        *(OUTBOX_BYTES.c.raw, OUTBOX_SHARED.c.content, OUTBOX_BYTES.c.shared_at),
    )
    .join_from(OUTBOX, OUTBOX_BYTES, isouter=True)
    .join_from(OUTBOX_BYTES, OUTBOX_SHARED, isouter=True)
)
_ADD: Final = insert(OUTBOX).values(
    {column.name: bindparam(column.name) for column in OUTBOX.c if column.name not in ("id", "sent_at")}
)
_ADD_BYTES: Final = adding_to(OUTBOX_BYTES)
_FIND_SHARED: Final = select(OUTBOX_SHARED.c.sha256).where(OUTBOX_SHARED.c.sha256 == bindparam("sha"))
_ADD_SHARED: Final = adding_to(OUTBOX_SHARED)
_DUE: Final = (
    _MAILS.where(or_(OUTBOX.c.state == "queued", OUTBOX.c.state == "sending"), OUTBOX.c.not_before <= _NOW)
    .order_by(OUTBOX.c.id)
    .limit(bindparam("most"))
)
_CLAIM: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id == _ID)
    .values(state="sending", attempts=OUTBOX.c.attempts + 1, not_before=bindparam("lease_ends"))
)
_FINISH: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id == _ID)
    .values(state=bindparam("reached"), last_error=bindparam("error"), sent_at=bindparam("sent"))
)
_RETRY: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id == _ID)
    .values(state="queued", not_before=bindparam("earliest"), last_error=bindparam("error"))
)
_PUT_BACK: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.id == _ID, OUTBOX.c.state == "sending")
    .values(
        state="queued",
        attempts=OUTBOX.c.attempts - 1,
        not_before=bindparam("earliest"),
        last_error=bindparam("error"),
    )
)
_PUT_ALL_BACK: Final = (
    update(OUTBOX).where(OUTBOX.c.state == "sending").values(state="queued", not_before=bindparam("earliest"))
)
_ONE: Final = _MAILS.where(OUTBOX.c.id == _ID)
_BY_MESSAGE_ID: Final = _MAILS.where(OUTBOX.c.message_id == bindparam("message"))
_UNTOLD: Final = _MAILS.where(OUTBOX.c.state == "failed", OUTBOX.c.told.is_(False)).order_by(OUTBOX.c.id).limit(100)
_TELL: Final = update(OUTBOX).where(OUTBOX.c.id == _ID).values(told=True)
_CHANGE_STATE: Final = (
    update(OUTBOX)
    .where(OUTBOX.c.game == bindparam("of"), OUTBOX.c.seat == bindparam("who"), OUTBOX.c.state == bindparam("was"))
    .values(state=bindparam("reached"))
)
_LAST_TO_SEATS: Final = _MAILS.where(OUTBOX.c.seat.is_not(None)).order_by(OUTBOX.c.id.desc()).limit(20)
_BY_STATE: Final = select(OUTBOX.c.state, func.count()).group_by(OUTBOX.c.state)
_LAST_ERROR: Final = (
    select(OUTBOX.c.last_error)
    .where(or_(OUTBOX.c.state == "queued", OUTBOX.c.state == "sending"), OUTBOX.c.last_error != "")
    .order_by(OUTBOX.c.not_before.desc(), OUTBOX.c.id.desc())
    .limit(1)
)
_SINCE: Final = select(func.count()).where(OUTBOX.c.created_at >= bindparam("since"))
_TO_SINCE: Final = _SINCE.where(OUTBOX.c.recipient == bindparam("whom"))
_ANSWERS_TO_SINCE: Final = _TO_SINCE.where(or_(*(OUTBOX.c.kind == kind for kind in ANSWERS)))
_WRITTEN_TO: Final = select(func.count()).where(OUTBOX.c.recipient == bindparam("whom"))
_FORGET: Final = delete(OUTBOX_BYTES).where(
    OUTBOX_BYTES.c.message_id.in_(
        select(OUTBOX.c.message_id).where(OUTBOX.c.state == "sent", OUTBOX.c.sent_at < bindparam("before"))
    )
)
_FORGET_SHARED: Final = delete(OUTBOX_SHARED).where(
    OUTBOX_SHARED.c.sha256.not_in(select(OUTBOX_BYTES.c.shared).where(OUTBOX_BYTES.c.shared.is_not(None)))
)


class OutboxQueries(Queries):
    """Verbs about outgoing mails."""

    __slots__ = ()

    def enqueue(self, mails: Sequence[NewMail], *, held: bool = False) -> None:
        """Queue mails to be sent once this transaction is on the disk; held ones wait until they are released."""
        at, state = self._stamp(), "held" if held else "queued"
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
                }
                for mail in mails
            ],
        )
        self._change_all(_ADD_BYTES, list(self._keep_bytes(mails)))

    def _keep_bytes(self, mails: Iterable[NewMail]) -> Iterator[dict[str, Any]]:
        """The bytes of mails as they are kept; what they share is there once they are."""
        shared, digest = b"", None
        for mail in mails:
            if mail.shared is not shared:
                shared, digest = mail.shared, self._keep_shared(mail.shared)
            raw = isal_zlib.compress(mail.raw, QUICK)
            yield {"message_id": mail.message_id, "raw": raw, "shared": digest, "shared_at": mail.shared_at}

    def _keep_shared(self, content: bytes) -> str | None:
        """Keep what many mails share, unless it is there; the name under which it is found."""
        if not content:
            return None
        digest = sha256(content).hexdigest()
        if self._value(_FIND_SHARED, {"sha": digest}) is None:
            self._change(_ADD_SHARED, {"sha256": digest, "content": content})
        return digest

    def claim_due(self, now: datetime, limit: int) -> list[MailRow]:
        """Mails to send now, oldest first. Until their lease ends nobody else gets them."""
        rows = self._rows(_DUE, {"by": write_moment(now), "most": limit})
        lease = write_moment(now + LEASE)
        self._change_all(_CLAIM, [{"mail": row[0], "lease_ends": lease} for row in rows])
        return [_read_mail(row, claimed=True) for row in rows]

    def mark_sent(self, mail: int) -> None:
        """The mail has left the house."""
        self._change(_FINISH, {"mail": mail, "reached": "sent", "error": "", "sent": self._stamp()})

    def mark_retry(self, mail: int, *, not_before: datetime, error: str) -> None:
        """The mail could not be sent now; the same bytes again later."""
        self._change(_RETRY, {"mail": mail, "earliest": write_moment(not_before), "error": error})

    def mark_failed(self, mail: int, error: str) -> None:
        """The mail will never be sent. Somebody must be told: see `untold_failures`."""
        self._change(_FINISH, {"mail": mail, "reached": "failed", "error": error, "sent": None})

    def put_back(self, mails: Iterable[int], *, not_before: datetime, error: str = "") -> None:
        """Claimed mails that were not tried: as if they had not been claimed, but not before a moment."""
        earliest = write_moment(not_before)
        self._change_all(_PUT_BACK, [{"mail": mail, "earliest": earliest, "error": error} for mail in mails])

    def put_all_back(self) -> int:
        """Claimed mails whose sender is known to have died: to be tried again at once. How many."""
        return self._change(_PUT_ALL_BACK, {"earliest": self._stamp()})

    def find_mail(self, mail: int) -> MailRow | None:
        """A mail by its number."""
        found = self._row(_ONE, {"mail": mail})
        return None if found is None else _read_mail(found)

    def find_message(self, message_id: str) -> MailRow | None:
        """A mail by its Message-ID."""
        found = self._row(_BY_MESSAGE_ID, {"message": message_id})
        return None if found is None else _read_mail(found)

    def untold_failures(self) -> list[MailRow]:
        """Mails that failed and that the referee has not been told about."""
        return [_read_mail(row) for row in self._rows(_UNTOLD)]

    def mark_told(self, mails: Iterable[int]) -> None:
        """The referee knows about these."""
        self._change_all(_TELL, [{"mail": mail} for mail in mails])

    def hold_mails(self, game: str, seat: str) -> int:
        """Keep back what is queued for a seat whose mails come back; how many."""
        return self._change(_CHANGE_STATE, {"of": game, "who": seat, "was": "queued", "reached": "held"})

    def release_mails(self, game: str, seat: str) -> int:
        """Let go what was held for a seat; how many."""
        return self._change(_CHANGE_STATE, {"of": game, "who": seat, "was": "held", "reached": "queued"})

    def mails_since(self, moment: datetime, recipient: str | None = None) -> int:
        """How many mails were written since then, to everyone or to one address."""
        since = {"since": write_moment(moment)}
        if recipient is None:
            return int(self._value(_SINCE, since))
        return int(self._value(_TO_SINCE, since | {"whom": recipient}))

    def answers_since(self, moment: datetime, recipient: str) -> int:
        """How many answers to letters were written to an address since then."""
        return int(self._value(_ANSWERS_TO_SINCE, {"since": write_moment(moment), "whom": recipient}))

    def next_mail_number(self, recipient: str) -> int:
        """One more than the mails ever written to an address."""
        return int(self._value(_WRITTEN_TO, {"whom": recipient})) + 1

    def mails_by_state(self) -> dict[MailState, int]:
        """How many mails are queued, sent, held and so on."""
        return {state: int(count) for state, count in self._rows(_BY_STATE)}

    def last_mails_to_seats(self) -> list[MailRow]:
        """A few mails to players, the newest first."""
        return [_read_mail(row) for row in self._rows(_LAST_TO_SEATS)]

    def last_error(self) -> str:
        """Why a mail that waits could not leave when it was tried last; nothing, if none was."""
        return str(self._value(_LAST_ERROR) or "")

    def forget_sent(self, before: datetime) -> int:
        """Drop the text of mails sent before then; that they were sent, and when, stays."""
        dropped = self._change(_FORGET, {"before": write_moment(before)})
        if dropped:
            self._change(_FORGET_SHARED, {})
        return dropped


def _read_mail(row: Found, *, claimed: bool = False) -> MailRow:
    number, message_id, recipient, kind, game, seat, state, attempts, not_before, last_error, created_at, *kept = row
    return MailRow(
        number,
        message_id,
        recipient,
        kind,
        _join(*kept),
        game,
        seat,
        state="sending" if claimed else state,
        attempts=attempts + claimed,
        not_before=read_moment(not_before),
        last_error=last_error,
        created_at=read_moment(created_at),
    )


def _join(packed: bytes | None, shared: bytes | None, begin: int | None) -> bytes:
    """The bytes of a mail; none, if they have been forgotten."""
    if packed is None:
        return b""
    raw: bytes = isal_zlib.decompress(packed)
    return raw if shared is None else raw[:begin] + shared + raw[begin:]
