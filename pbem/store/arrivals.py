"""Storing letters as they arrive: everything `pbem deliver` needs of the store, and nothing more.

A mail to several seats is a letter for each of them, with its bytes stored once. The bytes and the reply address
together decide what is the same letter: an exact copy of an earlier one is counted and not stored again. `Store` does
the same by inheriting from here.
"""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from pbem.store.database import Database
from pbem.store.envelopes import Addressed, find_sender, split_by_seat
from pbem.store.queries import Queries, insert_into
from pbem.store.timestamps import format_timestamp

_FIND_BYTES: Final = "SELECT coalesce(bytes_of, id) FROM inbox WHERE raw_sha256 = :digest ORDER BY id LIMIT 1"
_COLUMNS: Final = (
    *("raw_sha256", "recipient", "bytes_of", "sender", "size", "vouched", "copies", "received_at", "intake"),
    *("env_from", "env_to", "state", "reason", "attempts", "begun"),
)
_ADD: Final = f"""{insert_into("inbox", _COLUMNS)}
    ON CONFLICT (raw_sha256, recipient) DO UPDATE SET copies = inbox.copies + 1 RETURNING id, copies"""
"""Two that come at the same moment are told apart by the database: one is added, the other is counted."""
_ADD_BYTES: Final = insert_into("inbox_bytes", ("inbox_id", "raw"))
_COUNT_ARRIVALS: Final = "UPDATE tally SET count = count + :more WHERE name = 'received'"
_WEIGHTS: Final = """
    SELECT coalesce(sum(CASE WHEN sender = :sender THEN weight END), 0), coalesce(sum(weight), 0) FROM (
        SELECT sender, size + 1024 AS weight FROM inbox WHERE vouched = :vouched AND state = 'received'
        UNION ALL
        SELECT sender, size + 1024 FROM inbox WHERE vouched = :vouched AND received_at > :since
            AND state IN ('refused', 'duplicate', 'automatic', 'quarantined', 'waiting')) AS lying"""
"""What lies unhandled, or came lately and changed nothing: of one sender, and of all of them."""
_LATELY: Final = timedelta(days=1)


class Arrival(NamedTuple):
    """A letter as it arrives: its bytes, the intake that took it, and the envelope, if there was one."""

    raw: bytes
    intake: str
    env_from: str | None = None
    env_to: tuple[str, ...] = ()
    vouched: bool = False
    """Whether it is known to be from a player: then it is counted apart from what strangers send."""


class Received(NamedTuple):
    """A letter that is on the disk now; a duplicate has the bytes and the recipient of one that was there before.

    If a mail became several letters, this is the first of them, and it is a duplicate if all are.
    """

    id: int
    duplicate: bool


class ArrivalQueries(Queries):
    """Adds letters."""

    __slots__ = ()

    def receive(self, arrival: Arrival) -> Received:
        """Store a mail. An exact copy of an earlier letter is counted, not stored."""
        return self.receive_all([arrival])[0]

    def receive_all(self, arrivals: Sequence[Arrival]) -> list[Received]:
        """Store several mails."""
        return [self._store_mail(arrival) for arrival in arrivals]

    def weights(self, arrival: Arrival) -> tuple[int, int]:
        """How many bytes lie here from the sender of a letter, and from all senders who are known like this one."""
        since = format_timestamp(self._now() - _LATELY)
        sender = find_sender(arrival.raw, arrival.env_from)
        own, every = self._row(_WEIGHTS, {"sender": sender, "vouched": arrival.vouched, "since": since}) or (0, 0)
        return int(own), int(every)

    def _store_mail(self, arrival: Arrival) -> Received:
        digest = sha256(arrival.raw).hexdigest()
        letters = split_by_seat(arrival.raw, arrival.env_to)
        found = [self._store(arrival, digest, letter) for letter in letters]
        self._change(_COUNT_ARRIVALS, {"more": len(found)})
        return Received(found[0].id, duplicate=all(each.duplicate for each in found))

    def _store(self, arrival: Arrival, digest: str, letter: Addressed) -> Received:
        bytes_of = self._value(_FIND_BYTES, {"digest": digest})
        values = {
            "raw_sha256": digest,
            "recipient": letter.recipient,
            "bytes_of": bytes_of,
            "sender": find_sender(arrival.raw, arrival.env_from),
            "size": len(arrival.raw) if bytes_of is None else 0,
            "vouched": arrival.vouched,
            "copies": 0,
            "received_at": self._timestamp(),
            "intake": arrival.intake,
            "env_from": arrival.env_from,
            "env_to": json.dumps(letter.env_to),
            "state": "received",
            "reason": "",
            "attempts": 0,
            "begun": 0,
        }
        number, copies = self._row(_ADD, values) or ()
        if copies:
            return Received(number, duplicate=True)
        if bytes_of is None:
            self._change(_ADD_BYTES, {"inbox_id": number, "raw": arrival.raw})
        return Received(number, duplicate=False)


class ArrivalStore(Database):
    """An open database that takes letters. Each method is one transaction, on the disk when it returns."""

    def receive(self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()) -> Received:
        """Store a letter. It may be acknowledged when this returns; if this raises, it must not be."""
        with self._begin("write") as connection:
            return ArrivalQueries(connection, self._now).receive(Arrival(raw, intake, env_from, tuple(env_to)))

    def receive_some(
        self, arrivals: Sequence[Arrival], fits: Callable[[Arrival, int, int], bool]
    ) -> list[Received | None]:
        """Store those letters that `fits` allows, given what lies here of their sender and of all, with one flush."""
        with self._begin("write") as connection:
            queries = ArrivalQueries(connection, self._now)
            return [queries.receive(each) if fits(each, *queries.weights(each)) else None for each in arrivals]

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> list[Received]:
        """Store several letters that came without envelopes, with one flush."""
        with self._begin("write") as connection:
            return ArrivalQueries(connection, self._now).receive_all([Arrival(raw, intake) for raw in raws])
