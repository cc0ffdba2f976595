"""The desk of letters: taken in once each, tried a few times, and given exactly one fate."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, func, insert, or_, select, update

from pbem.store.errors import StoreConflictError
from pbem.store.rows import FATES, TRIES, Arrival, Counters, Fate, LetterRow, ReceiptRow, Received, Taken, read_moment
from pbem.store.schema import INBOX, INBOX_BYTES, RECEIPT, SEEN, TALLY
from pbem.store.queries import Found, Queries, adding_to

_ID: Final[BindParameter[Any]] = bindparam("letter")

_FIND_COPY: Final = select(INBOX.c.id).where(INBOX.c.raw_sha256 == bindparam("sha"))
_ADD: Final = insert(INBOX)
_ADD_BYTES: Final = adding_to(INBOX_BYTES)
_COUNT_COPY: Final = update(INBOX).where(INBOX.c.id == _ID).values(copies=INBOX.c.copies + 1)
_COUNT_ARRIVALS: Final = update(TALLY).where(TALLY.c.name == "received").values(count=TALLY.c.count + bindparam("more"))
_LETTER: Final = select(
    *(INBOX.c.id, INBOX_BYTES.c.raw, INBOX.c.received_at, INBOX.c.intake, INBOX.c.env_from, INBOX.c.env_to),
    *(INBOX.c.state, INBOX.c.reason, INBOX.c.attempts, INBOX.c.game, INBOX.c.seat, INBOX.c.raw_sha256),
).join_from(INBOX, INBOX_BYTES)
_ONE: Final = _LETTER.where(INBOX.c.id == _ID)
_IN_STATE: Final = _LETTER.where(INBOX.c.state == bindparam("wanted")).order_by(INBOX.c.id).limit(bindparam("most"))
_OF_GAME: Final = _LETTER.where(INBOX.c.game == bindparam("of")).order_by(INBOX.c.id)
_TRY: Final = (
    update(INBOX)
    .where(INBOX.c.id == _ID, INBOX.c.state == "received", INBOX.c.attempts < TRIES)
    .values(attempts=INBOX.c.attempts + 1)
)
_SETTLE: Final = (
    update(INBOX)
    .where(INBOX.c.id == _ID, or_(INBOX.c.state == "received", INBOX.c.state == "waiting"))
    .values(state=bindparam("fate"), reason=bindparam("why"), game=bindparam("at_game"), seat=bindparam("at_seat"))
)
_POISON: Final = (
    select(INBOX.c.id).where(INBOX.c.state == "quarantined", INBOX.c.attempts >= TRIES).order_by(INBOX.c.id)
)
_START_OVER: Final = (
    update(INBOX)
    .where(INBOX.c.id == _ID, INBOX.c.state == bindparam("was"))
    .values(state="received", reason="", attempts=0)
)
_WAS_SEEN: Final = select(SEEN.c.inbox_id).where(
    SEEN.c.player == bindparam("who"),
    SEEN.c.message_id == bindparam("message"),
    SEEN.c.body_sha256 == bindparam("body"),
)
_REMEMBER: Final = adding_to(SEEN)
_ADD_RECEIPT: Final = adding_to(RECEIPT)
_RECEIPT: Final = select(RECEIPT.c.inbox_id, RECEIPT.c.number, RECEIPT.c.text).where(RECEIPT.c.inbox_id == _ID)
_LAST_NUMBER: Final = select(func.max(RECEIPT.c.number))
_BY_STATE: Final = select(INBOX.c.state, func.count(), func.coalesce(func.sum(INBOX.c.copies), 0)).group_by(
    INBOX.c.state
)
_DIGESTS: Final = select(INBOX.c.id, INBOX.c.raw_sha256).order_by(INBOX.c.id)
_ARRIVALS: Final = select(TALLY.c.count).where(TALLY.c.name == "received")


class InboxQueries(Queries):
    """Verbs about letters."""

    __slots__ = ()

    def receive(self, arrival: Arrival) -> Received:
        """Keep a letter. An exact copy of an earlier one is counted, not kept."""
        return self.receive_all([arrival])[0]

    def receive_all(self, arrivals: Sequence[Arrival]) -> list[Received]:
        """Keep several letters."""
        found = [self._keep(arrival) for arrival in arrivals]
        self._change(_COUNT_ARRIVALS, {"more": len(found)})
        return found

    def _keep(self, arrival: Arrival) -> Received:
        digest = sha256(arrival.raw).hexdigest()
        if (there := self._value(_FIND_COPY, {"sha": digest})) is not None:
            self._change(_COUNT_COPY, {"letter": there})
            return Received(there, duplicate=True)
        values = {
            "raw_sha256": digest,
            "copies": 0,
            "received_at": self._stamp(),
            "intake": arrival.intake,
            "env_from": arrival.env_from,
            "env_to": json.dumps(arrival.env_to),
            "state": "received",
            "reason": "",
            "attempts": 0,
        }
        letter = self._add(_ADD, values)
        self._change(_ADD_BYTES, {"inbox_id": letter, "raw": arrival.raw})
        return Received(letter, duplicate=False)

    def next_received(self) -> LetterRow | None:
        """The oldest letter that has no fate yet."""
        found = self._row(_IN_STATE, {"wanted": "received", "most": 1})
        return None if found is None else _read_letter(found)

    def attempt(self, letter: int) -> bool:
        """Count a try at a letter, before it is made. False if it was tried too often: it lies in quarantine now."""
        if self._change(_TRY, {"letter": letter}):
            return True
        self.set_fate(letter, "quarantined", f"tried {TRIES} times without an end")
        return False

    def take_next(self) -> Taken | None:
        """The next letter to work on, its try counted.

        To be called at the end of one letter's transaction for the letter after it, so that each letter costs one
        flush: by the time the next is worked on, its try is on the disk.
        """
        letter = self.next_received()
        return None if letter is None else Taken(letter, poison=not self.attempt(letter.id))

    def set_fate(
        self, letter: int, fate: Fate, reason: str, *, game: str | None = None, seat: str | None = None
    ) -> None:
        """What became of a letter, once for all, or until it no longer waits."""
        values = {"letter": letter, "fate": fate, "why": reason, "at_game": game, "at_seat": seat}
        if not self._change(_SETTLE, values):
            raise StoreConflictError(f"letter {letter} has its fate already, or was never received")

    def find_letter(self, letter: int) -> LetterRow | None:
        """A letter by its number."""
        found = self._row(_ONE, {"letter": letter})
        return None if found is None else _read_letter(found)

    def letters_in(self, fate: Fate, most: int = 100) -> list[LetterRow]:
        """The oldest letters of one fate: those in quarantine, those that wait."""
        return [_read_letter(row) for row in self._rows(_IN_STATE, {"wanted": fate, "most": most})]

    def letters_of(self, game: str) -> list[LetterRow]:
        """Every letter that was written for a game, whatever became of it, oldest first."""
        return [_read_letter(row) for row in self._rows(_OF_GAME, {"of": game})]

    def letter_digests(self) -> dict[int, str]:
        """The digest of every letter, as it was taken at the door."""
        return {int(number): str(digest) for number, digest in self._rows(_DIGESTS)}

    def altered_letters(self) -> list[int]:
        """The letters whose bytes no longer have the digest that was taken at the door. Reads all of them."""
        return [number for number, digest in self.letter_digests().items() if self._digest_of(number) != digest]

    def _digest_of(self, letter: int) -> str:
        found = self.find_letter(letter)
        return "" if found is None else sha256(found.raw).hexdigest()

    def poison(self) -> list[int]:
        """The letters in quarantine that were tried too often, oldest first."""
        return [int(letter) for (letter,) in self._rows(_POISON)]

    def redrive(self, letter: int) -> bool:
        """Take a letter out of quarantine, to be tried anew; False if it does not lie there."""
        return bool(self._change(_START_OVER, {"letter": letter, "was": "quarantined"}))

    def wake(self, letter: int) -> bool:
        """Let a letter that waits be tried anew; False if it does not wait."""
        return bool(self._change(_START_OVER, {"letter": letter, "was": "waiting"}))

    def was_seen(self, player: str, message_id: str, body_sha256: str) -> int | None:
        """The letter by which this player said the same under the same Message-ID before; ask after authentication."""
        found = self._value(_WAS_SEEN, {"who": player.lower(), "message": message_id, "body": body_sha256})
        return None if found is None else int(found)

    def remember_seen(self, player: str, message_id: str, body_sha256: str, *, inbox_id: int) -> None:
        """From now on, the same again is a duplicate."""
        values = {"player": player.lower(), "message_id": message_id, "body_sha256": body_sha256, "inbox_id": inbox_id}
        self._change(_REMEMBER, values)

    def next_receipt_number(self) -> int:
        """One more than the last."""
        return int(self._value(_LAST_NUMBER) or 0) + 1

    def add_receipt(self, inbox_id: int, number: int, text: str) -> None:
        """Keep what the sender of a letter is told; each letter has one receipt at most."""
        self._change(_ADD_RECEIPT, {"inbox_id": inbox_id, "number": number, "text": text})

    def find_receipt(self, inbox_id: int) -> ReceiptRow | None:
        """What the sender of a letter was told."""
        found = self._row(_RECEIPT, {"letter": inbox_id})
        return None if found is None else ReceiptRow(*found)

    def counters(self) -> Counters:
        """How many letters came and what became of them. Exact copies are duplicates, whatever the first one's fate."""
        rows = [(str(state), int(letters), int(copies)) for state, letters, copies in self._rows(_BY_STATE)]
        fates = dict.fromkeys(("received", *FATES), 0) | {state: letters for state, letters, _ in rows}
        fates["duplicate"] += sum(copies for *_, copies in rows)
        unread = fates.pop("received")
        return Counters(received=int(self._value(_ARRIVALS)), unread=unread, **fates)


def _read_letter(row: Found) -> LetterRow:
    number, raw, received_at, intake, env_from, env_to, *rest = row
    return LetterRow(number, raw, read_moment(received_at), intake, env_from, tuple(json.loads(env_to)), *rest)
