"""Letters after they arrived: each is tried a few times and given exactly one outcome (its `fate`)."""

import json
from datetime import datetime
from hashlib import sha256
from typing import Final

from pbem.store.arrivals import ArrivalQueries
from pbem.store.errors import StoreConflictError
from pbem.store.queries import Row, insert_into, reading_row
from pbem.store.rows import FATES, TRIES, Counters, Fate, LetterRow, ReceiptRow, Taken
from pbem.store.timestamps import format_timestamp, parse_timestamp

_LETTERS: Final = """
    SELECT id, raw, received_at, intake, env_from, env_to, state, reason, attempts, game, seat, raw_sha256
    FROM inbox JOIN inbox_bytes ON inbox_id = id"""
_ONE: Final = f"{_LETTERS} WHERE id = :letter"
_IN_STATE: Final = f"{_LETTERS} WHERE state = :wanted ORDER BY id LIMIT :most"
_RECEIVED_AFTER: Final = f"{_LETTERS} WHERE state = 'received' AND id > :after ORDER BY id LIMIT :most"
_WAITING: Final = """
    SELECT id FROM inbox
    WHERE state = 'waiting' AND game = :game AND seat = :seat AND received_at <= :by ORDER BY id"""
_OF_GAME: Final = f"{_LETTERS} WHERE game = :of ORDER BY id"
_TRY: Final = """
    UPDATE inbox SET attempts = attempts + 1
    WHERE id = :letter AND state = 'received' AND attempts < :tries"""
_SET_FATE: Final = """
    UPDATE inbox SET state = :fate, reason = :reason, game = :game, seat = :seat
    WHERE id = :letter AND state IN ('received', 'waiting')"""
_EXHAUSTED: Final = "SELECT id FROM inbox WHERE state = 'quarantined' AND attempts >= :tries ORDER BY id"
_START_OVER: Final = """
    UPDATE inbox SET state = 'received', reason = '', attempts = 0
    WHERE id = :letter AND state = :was"""
_WAS_SEEN: Final = """
    SELECT inbox_id FROM seen
    WHERE player = :player AND message_id = :message_id AND body_sha256 = :body_sha256"""
_ADD_SEEN: Final = insert_into("seen", ("player", "message_id", "body_sha256", "inbox_id"))
_ADD_RECEIPT: Final = insert_into("receipt", ("inbox_id", "number", "text"))
_RECEIPT: Final = "SELECT inbox_id, number, text FROM receipt WHERE inbox_id = :letter"
_RECEIPTS: Final = "SELECT id, raw_sha256, text FROM receipt JOIN inbox ON id = inbox_id ORDER BY id"
_LAST_NUMBER: Final = "SELECT max(number) FROM receipt"
_BY_STATE: Final = "SELECT state, count(*), coalesce(sum(copies), 0) FROM inbox GROUP BY state"
_DIGESTS: Final = "SELECT id, raw_sha256 FROM inbox ORDER BY id"
_ARRIVALS: Final = "SELECT count FROM tally WHERE name = 'received'"


class InboxQueries(ArrivalQueries):
    """Queries about letters."""

    __slots__ = ()

    def next_received(self) -> LetterRow | None:
        """The oldest letter that has no outcome yet."""
        found = self._row(_IN_STATE, {"wanted": "received", "most": 1})
        return None if found is None else _read_letter(found)

    def attempt(self, letter: int) -> bool:
        """Count a try at a letter before it begins. False if it was tried too often: then it is in quarantine now."""
        if self._change(_TRY, {"letter": letter, "tries": TRIES}):
            return True
        self.set_fate(letter, "quarantined", f"tried {TRIES} times without an end")
        return False

    def take_next(self, chosen: LetterRow | None = None) -> Taken | None:
        """The next letter to work on, its try counted: the chosen one, or the oldest.

        Call this at the end of one letter's transaction for the letter after it, so that each letter costs one
        flush: when work on the next one begins, its try is on the disk.
        """
        letter = chosen or self.next_received()
        return None if letter is None else Taken(letter, exhausted=not self.attempt(letter.id))

    def set_fate(
        self, letter: int, fate: Fate, reason: str, *, game: str | None = None, seat: str | None = None
    ) -> None:
        """Give a letter its outcome. It is final, except that a waiting letter gets another one later."""
        values = {"letter": letter, "fate": fate, "reason": reason, "game": game, "seat": seat}
        if not self._change(_SET_FATE, values):
            raise StoreConflictError(f"letter {letter} has an outcome already, or was never received")

    def find_letter(self, letter: int) -> LetterRow | None:
        """A letter by its number."""
        found = self._row(_ONE, {"letter": letter})
        return None if found is None else _read_letter(found)

    def letters_in(self, fate: Fate, most: int = 100) -> list[LetterRow]:
        """The oldest letters with one outcome, such as those in quarantine."""
        return [_read_letter(row) for row in self._rows(_IN_STATE, {"wanted": fate, "most": most})]

    def received_after(self, letter: int, most: int) -> list[LetterRow]:
        """Letters that have no outcome yet, after the one with a number."""
        return [_read_letter(row) for row in self._rows(_RECEIVED_AFTER, {"after": letter, "most": most})]

    def waiting_letters(self, game: str, seat: str, *, received_by: datetime) -> list[int]:
        """The letters for a seat that wait and were received by a moment."""
        values = {"game": game, "seat": seat, "by": format_timestamp(received_by)}
        return [int(letter) for (letter,) in self._rows(_WAITING, values)]

    def letters_of(self, game: str) -> list[LetterRow]:
        """Every letter for a game, with any outcome, oldest first."""
        return [_read_letter(row) for row in self._rows(_OF_GAME, {"of": game})]

    def letter_digests(self) -> dict[int, str]:
        """The digest of every letter, taken when it arrived."""
        return {int(number): str(digest) for number, digest in self._rows(_DIGESTS)}

    def altered_letters(self) -> list[int]:
        """The letters whose bytes no longer have the digest taken when they arrived. Reads all of them."""
        return [number for number, digest in self.letter_digests().items() if self._digest_of(number) != digest]

    def _digest_of(self, letter: int) -> str:
        found = self.find_letter(letter)
        return "" if found is None else sha256(found.raw).hexdigest()

    def exhausted_letters(self) -> list[int]:
        """The letters in quarantine that were tried too often, oldest first."""
        return [int(letter) for (letter,) in self._rows(_EXHAUSTED, {"tries": TRIES})]

    def redrive(self, letter: int) -> bool:
        """Take a letter out of quarantine to be tried again; False if it is not there."""
        return bool(self._change(_START_OVER, {"letter": letter, "was": "quarantined"}))

    def retry_waiting(self, letter: int) -> bool:
        """Let a waiting letter be tried again; False if it does not wait."""
        return bool(self._change(_START_OVER, {"letter": letter, "was": "waiting"}))

    def was_seen(self, player: str, message_id: str, body_sha256: str) -> int | None:
        """The earlier letter with the same player, Message-ID and body. Ask only after the sender is authenticated."""
        found = self._value(_WAS_SEEN, {"player": player.lower(), "message_id": message_id, "body_sha256": body_sha256})
        return None if found is None else int(found)

    def remember_seen(self, player: str, message_id: str, body_sha256: str, *, inbox_id: int) -> None:
        """From now on the same again is a duplicate."""
        values = {"player": player.lower(), "message_id": message_id, "body_sha256": body_sha256, "inbox_id": inbox_id}
        self._change(_ADD_SEEN, values)

    def next_receipt_number(self) -> int:
        """One more than the last number given."""
        return int(self._value(_LAST_NUMBER) or 0) + 1

    def add_receipt(self, inbox_id: int, number: int, text: str) -> None:
        """Store what the sender of a letter is told; a letter has one receipt at most."""
        self._change(_ADD_RECEIPT, {"inbox_id": inbox_id, "number": number, "text": text})

    def find_receipt(self, inbox_id: int) -> ReceiptRow | None:
        """What the sender of a letter was told."""
        found = self._row(_RECEIPT, {"letter": inbox_id})
        return None if found is None else ReceiptRow(*found)

    def receipt_texts(self) -> list[tuple[int, str, str]]:
        """What the senders of letters were told: the number of each letter, its digest and the receipt."""
        return [(int(letter), str(digest), str(text)) for letter, digest, text in self._rows(_RECEIPTS)]

    @reading_row("inbox")
    def counters(self) -> Counters:
        """How many letters arrived, and their outcomes. Exact copies count as duplicates."""
        rows = [(str(state), int(letters), int(copies)) for state, letters, copies in self._rows(_BY_STATE)]
        fates = dict.fromkeys(("received", *FATES), 0) | {state: letters for state, letters, _ in rows}
        fates["duplicate"] += sum(copies for *_, copies in rows)
        unread = fates.pop("received")
        return Counters(received=int(self._value(_ARRIVALS)), unread=unread, **fates)


@reading_row("inbox")
def _read_letter(row: Row) -> LetterRow:
    number, raw, received_at, intake, env_from, env_to, *rest = row
    return LetterRow(number, raw, parse_timestamp(received_at), intake, env_from, tuple(json.loads(env_to)), *rest)
