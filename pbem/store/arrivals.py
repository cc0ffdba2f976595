"""Storing letters as they arrive: everything `pbem deliver` needs of the store, and nothing more.

An exact copy of an earlier letter is counted and not stored again. `Store` does the same by inheriting from here.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from pbem.store.database import WRITE, Database
from pbem.store.queries import Queries, insert_into

_FIND_COPY: Final = "SELECT id FROM inbox WHERE raw_sha256 = :digest"
_ADD: Final = insert_into(
    "inbox",
    ("raw_sha256", "copies", "received_at", "intake", "env_from", "env_to", "state", "reason", "attempts"),
)
_ADD_BYTES: Final = insert_into("inbox_bytes", ("inbox_id", "raw"))
_COUNT_COPY: Final = "UPDATE inbox SET copies = copies + 1 WHERE id = :letter"
_COUNT_ARRIVALS: Final = "UPDATE tally SET count = count + :more WHERE name = 'received'"


class Arrival(NamedTuple):
    """A letter as it arrives: its bytes, the intake that took it, and the envelope, if there was one."""

    raw: bytes
    intake: str
    env_from: str | None = None
    env_to: tuple[str, ...] = ()


class Received(NamedTuple):
    """A letter that is on the disk now; a duplicate has the same bytes as one that was there before."""

    id: int
    duplicate: bool


class ArrivalQueries(Queries):
    """Adds letters."""

    __slots__ = ()

    def receive(self, arrival: Arrival) -> Received:
        """Store a letter. An exact copy of an earlier one is counted, not stored."""
        return self.receive_all([arrival])[0]

    def receive_all(self, arrivals: Sequence[Arrival]) -> list[Received]:
        """Store several letters."""
        found = [self._store(arrival) for arrival in arrivals]
        self._change(_COUNT_ARRIVALS, {"more": len(found)})
        return found

    def _store(self, arrival: Arrival) -> Received:
        digest = sha256(arrival.raw).hexdigest()
        if (there := self._value(_FIND_COPY, {"digest": digest})) is not None:
            self._change(_COUNT_COPY, {"letter": there})
            return Received(there, duplicate=True)
        values = {
            "raw_sha256": digest,
            "copies": 0,
            "received_at": self._timestamp(),
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


class ArrivalStore(Database):
    """An open database that takes letters. Each method is one transaction, on the disk when it returns."""

    def receive(self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()) -> Received:
        """Store a letter. It may be acknowledged when this returns; if this raises, it must not be."""
        with self._begin(WRITE) as connection:
            return ArrivalQueries(connection, self._now).receive(Arrival(raw, intake, env_from, tuple(env_to)))

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> list[Received]:
        """Store several letters that came without envelopes, with one flush."""
        with self._begin(WRITE) as connection:
            return ArrivalQueries(connection, self._now).receive_all([Arrival(raw, intake) for raw in raws])
