"""Letters after they arrived: each is tried a few times and given exactly one outcome (its `fate`).

Before work on a letter begins, that is written down. A letter whose work began and neither ended nor failed was in hand
when the process was killed. Both are counted apart, and for this letter only.

Whoever takes a letter up gets the number of that claim. If somebody else takes it up later, nothing is written under
the earlier number any more: a worker that was thought dead and wakes up changes nothing.
"""

import json
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Final

from pbem.store.arrivals import ArrivalQueries
from pbem.store.errors import StoreConflictError, StoreOvertakenError
from pbem.store.queries import Row, insert_into, reading_row
from pbem.store.rows import FATES, KILLS, TRIES, Counters, Fate, LetterRow, ReceiptRow, SeenLetter, Taken
from pbem.store.timestamps import format_timestamp, parse_timestamp

_LETTERS: Final = """
    SELECT id, raw, received_at, intake, env_from, env_to, state, reason, attempts, game, seat, raw_sha256, begun,
        claims, lane
    FROM inbox JOIN inbox_bytes ON inbox_id = coalesce(bytes_of, id)"""
_ONE: Final = f"{_LETTERS} WHERE id = :letter"
_IN_STATE: Final = f"{_LETTERS} WHERE state = :wanted ORDER BY id LIMIT :most"
_NOT_LOOKED_AT: Final = "SELECT id FROM inbox WHERE state = 'received' AND writer IS NULL ORDER BY id LIMIT :most"
_NOTE_WRITER: Final = "UPDATE inbox SET writer = :writer, lane = :lane WHERE id = :letter AND state = 'received'"
_GENUINE: Final = f"{_LETTERS} WHERE state = 'received' AND writer <> '' ORDER BY id LIMIT 1"
_MAY_BE_GENUINE: Final = """
    SELECT id FROM inbox WHERE state = 'received' AND writer <> ''
    UNION ALL SELECT id FROM inbox WHERE state = 'received' AND writer IS NULL LIMIT 1"""
_MAY_BE_OF: Final = """
    SELECT id FROM inbox WHERE state = 'received' AND writer <> '' AND writer = :writer AND received_at <= :by
    UNION ALL SELECT id FROM inbox WHERE state = 'received' AND writer IS NULL AND received_at <= :by LIMIT 1"""
_WAITING: Final = """
    SELECT id FROM inbox
    WHERE state = 'waiting' AND game = :game AND seat = :seat AND received_at <= :by ORDER BY id"""
_OF_GAME: Final = f"{_LETTERS} WHERE game = :of ORDER BY id"
_CLAIM: Final = """
    UPDATE inbox SET begun = begun + :more, claims = claims + 1 WHERE id = :letter AND state = 'received'
    RETURNING claims"""
_CLAIMS: Final = "SELECT claims FROM inbox WHERE id = :letter"
_FAIL: Final = """
    UPDATE inbox SET attempts = attempts + 1
    WHERE id = :letter AND state = 'received' AND claims = coalesce(:claim, claims)"""
_PUT_DOWN: Final = """
    UPDATE inbox SET begun = begun - 1
    WHERE id = :letter AND state = 'received' AND begun > attempts AND claims = coalesce(:claim, claims)"""
_SET_FATE: Final = """
    UPDATE inbox SET state = :fate, reason = :reason, game = :game, seat = :seat, lane = NULL
    WHERE id = :letter AND state IN ('received', 'waiting') AND claims = coalesce(:claim, claims)"""
_ASSIGN: Final = "UPDATE inbox SET game = :game, seat = :seat WHERE id = :letter AND state = 'quarantined'"
_TO_REPORT: Final = """
    SELECT id FROM inbox
    WHERE state = 'quarantined' AND (reason IN (:failed, :killed) OR seat IS NOT NULL) ORDER BY id"""
_START_OVER: Final = """
    UPDATE inbox SET state = 'received', reason = '', attempts = 0, begun = 0, writer = NULL, lane = NULL
    WHERE id = :letter AND state = :was"""
_WAS_SEEN: Final = """
    SELECT inbox_id FROM seen
    WHERE player = :player AND message_id = :message_id AND body_sha256 = :body_sha256
    AND game = :game AND seat = :seat"""
_ADD_SEEN: Final = insert_into("seen", ("player", "message_id", "body_sha256", "game", "seat", "inbox_id"))
_ADD_RECEIPT: Final = insert_into("receipt", ("inbox_id", "number", "text"))
_RECEIPT: Final = "SELECT inbox_id, number, text FROM receipt WHERE inbox_id = :letter"
_RECEIPTS: Final = "SELECT inbox_id, number, text FROM receipt ORDER BY inbox_id"
_RECEIPT_TEXTS: Final = "SELECT id, raw_sha256, text FROM receipt JOIN inbox ON id = inbox_id ORDER BY id"
_LAST_NUMBER: Final = "SELECT max(number) FROM receipt"
_BY_STATE: Final = "SELECT state, count(*), coalesce(sum(copies), 0) FROM inbox GROUP BY state"
_OLDEST: Final = "SELECT min(received_at) FROM inbox WHERE state = 'received'"
_DIGESTS: Final = "SELECT id, raw_sha256 FROM inbox ORDER BY id"
_ARRIVALS: Final = "SELECT count FROM tally WHERE name = 'received'"

GAME_LANE: Final = "game "
STRANGERS_LANE: Final = "from "
"""How the names of lanes begin: that of a game's genuine letters, and that of a sender who is nobody we know."""

FAILED_TOO_OFTEN: Final = f"tried {TRIES} times without an end"
KILLED_TOO_OFTEN: Final = f"the post was killed {KILLS} times while it handled this letter"


class InboxQueries(ArrivalQueries):
    """Queries about letters."""

    __slots__ = ()

    def next_received(self) -> LetterRow | None:
        """The oldest letter that has no outcome yet."""
        found = self._row(_IN_STATE, {"wanted": "received", "most": 1})
        return None if found is None else _read_letter(found)

    def oldest_unhandled(self) -> datetime | None:
        """When the oldest letter came that has no outcome yet; None if all have one."""
        oldest = self._value(_OLDEST)
        return None if oldest is None else parse_timestamp(oldest)

    def take_next(self, chosen: LetterRow | None = None) -> Taken | None:
        """The next letter to work on, the chosen one or the oldest. It is written down that work on it begins."""
        letter = chosen or self.next_received()
        if letter is None:
            return None
        claims = self._value(_CLAIM, {"letter": letter.id, "more": 0 if letter.exhausted else 1})
        return Taken(replace(letter, claims=int(claims)), letter.exhausted)

    def count_failure(self, letter: int, claim: int | None = None) -> None:
        """Work on a letter has failed: a mistake of ours that may or may not happen again."""
        self._change(_FAIL, {"letter": letter, "claim": claim})

    def put_down(self, letter: int, claim: int | None = None) -> None:
        """Work on a letter has ended early for another reason, and it is as if it had not begun."""
        self._change(_PUT_DOWN, {"letter": letter, "claim": claim})

    def put_aside(self, letter: LetterRow, *, game: str | None = None, seat: str | None = None) -> None:
        """Put an exhausted letter in quarantine."""
        reason = FAILED_TOO_OFTEN if letter.attempts >= TRIES else KILLED_TOO_OFTEN
        self.set_fate(letter.id, "quarantined", reason, game=game, seat=seat, claim=letter.claims)

    def set_fate(
        self,
        letter: int,
        fate: Fate,
        reason: str,
        *,
        game: str | None = None,
        seat: str | None = None,
        claim: int | None = None,
    ) -> None:
        """Give a letter its outcome. It is final, except that a waiting letter gets another one later.

        Who took the letter up names the `claim`; it must be the last one.
        """
        values = {"letter": letter, "fate": fate, "reason": reason, "game": game, "seat": seat, "claim": claim}
        if not self._change(_SET_FATE, values):
            if claim is not None and self._value(_CLAIMS, {"letter": letter}) != claim:
                raise StoreOvertakenError(f"letter {letter} was taken up by somebody else meanwhile")
            raise StoreConflictError(f"letter {letter} has an outcome already, or was never received")

    def assign(self, letter: int, *, game: str, seat: str) -> None:
        """Note for which seat a letter in quarantine is."""
        self._change(_ASSIGN, {"letter": letter, "game": game, "seat": seat})

    def find_letter(self, letter: int) -> LetterRow | None:
        """A letter by its number."""
        found = self._row(_ONE, {"letter": letter})
        return None if found is None else _read_letter(found)

    def letters_in(self, fate: Fate, most: int = 100) -> list[LetterRow]:
        """The oldest letters with one outcome, such as those in quarantine."""
        return [_read_letter(row) for row in self._rows(_IN_STATE, {"wanted": fate, "most": most})]

    def letters_not_looked_at(self, most: int) -> list[int]:
        """The oldest letters without an outcome of which it is not noted who wrote them."""
        return [int(letter) for (letter,) in self._rows(_NOT_LOOKED_AT, {"most": most})]

    def note_writer(self, letter: int, writer: str, lane: str) -> None:
        """Note whose letter it is, in words for a seat, and its lane; the words are empty if it is nobody's."""
        self._change(_NOTE_WRITER, {"letter": letter, "writer": writer, "lane": lane})

    def next_genuine(self) -> LetterRow | None:
        """The oldest letter without an outcome that a player is known to have written."""
        found = self._row(_GENUINE, {})
        return None if found is None else _read_letter(found)

    def may_be_genuine(self) -> bool:
        """Whether a letter without an outcome is a player's, or nobody has looked at it yet."""
        return self._value(_MAY_BE_GENUINE) is not None

    def may_have_written(self, writer: str, *, received_by: datetime) -> bool:
        """Whether a letter without an outcome, received by a moment, is from a writer, or nobody has looked yet."""
        return self._value(_MAY_BE_OF, {"writer": writer, "by": format_timestamp(received_by)}) is not None

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
        return "" if found is None else sha256(found.raw).hexdigest() if found.raw else found.sha256

    def letters_to_report(self) -> list[int]:
        """The letters in quarantine that a person must hear of: those of players, and those tried too often."""
        values = {"failed": FAILED_TOO_OFTEN, "killed": KILLED_TOO_OFTEN}
        return [int(letter) for (letter,) in self._rows(_TO_REPORT, values)]

    def redrive(self, letter: int) -> bool:
        """Take a letter out of quarantine to be tried again; False if it is not there."""
        return bool(self._change(_START_OVER, {"letter": letter, "was": "quarantined"}))

    def retry_waiting(self, letter: int) -> bool:
        """Let a waiting letter be tried again; False if it does not wait."""
        return bool(self._change(_START_OVER, {"letter": letter, "was": "waiting"}))

    def was_seen(self, seen: SeenLetter) -> int | None:
        """The earlier letter with the same content for the same seat. Ask only after the sender is authenticated."""
        found = self._value(_WAS_SEEN, _key_of(seen))
        return None if found is None else int(found)

    def remember_seen(self, seen: SeenLetter, *, inbox_id: int) -> None:
        """From now on the same again is a duplicate."""
        self._change(_ADD_SEEN, {**_key_of(seen), "inbox_id": inbox_id})

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

    def receipts(self) -> list[ReceiptRow]:
        """All receipts, in the order of their letters."""
        return [ReceiptRow(*row) for row in self._rows(_RECEIPTS)]

    def receipt_texts(self) -> list[tuple[int, str, str]]:
        """What the senders of letters were told: the number of each letter, its digest and the receipt."""
        return [(int(letter), str(digest), str(text)) for letter, digest, text in self._rows(_RECEIPT_TEXTS)]

    @reading_row("inbox")
    def counters(self) -> Counters:
        """How many letters arrived, and their outcomes. Exact copies count as duplicates."""
        rows = [(str(state), int(letters), int(copies)) for state, letters, copies in self._rows(_BY_STATE)]
        fates = dict.fromkeys(("received", *FATES), 0) | {state: letters for state, letters, _ in rows}
        fates["duplicate"] += sum(copies for *_, copies in rows)
        unread = fates.pop("received")
        return Counters(received=int(self._value(_ARRIVALS)), unread=unread, **fates)


def _key_of(seen: SeenLetter) -> dict[str, object]:
    return {**seen._asdict(), "player": seen.player.lower()}


@reading_row("inbox")
def _read_letter(row: Row) -> LetterRow:
    number, raw, received_at, intake, env_from, env_to, *rest = row
    return LetterRow(number, raw, parse_timestamp(received_at), intake, env_from, tuple(json.loads(env_to)), *rest)
