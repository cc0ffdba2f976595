"""Events: everything that ever happened at a table, each holding on to the one before.

An event is public data. Its hash covers the hash of the event before it, so that no line can be changed, left
out or moved without every later head giving it away; heads are printed in every mail. Secrets never stand in
an event, addresses neither.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.digest import canonical

ORIGIN: Final = "0" * 64
"""What the first event holds on to."""

_MARK: Final = b"\x01pbm-event-1"


class Draft(NamedTuple):
    """An event that has not happened yet: it has no place in the chain."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: the `seq`-th of a game, from 1, at a moment in UTC to the second."""

    game: str
    seq: int
    kind: str
    data: Mapping[str, Any]
    at: str
    prev: str
    hash: str


def link(previous: str, *, game: str, seq: int, kind: str, data: Mapping[str, Any], at: str) -> str:
    """The hash of an event that follows the head `previous`."""
    body = canonical({"at": at, "data": data, "game": game, "kind": kind, "seq": seq})
    # The last part is where commitments to hidden values go; an event without any has the hash of nothing.
    parts = (_MARK, bytes.fromhex(previous), hashlib.sha256(body).digest(), hashlib.sha256(b"").digest())
    return hashlib.sha256(b"".join(parts)).hexdigest()


def append(game: str, seq: int, head: str, draft: Draft, at: str) -> Event:
    """Let a draft happen, as the event after `seq` whose hash is `head`."""
    following = seq + 1
    digest = link(head, game=game, seq=following, kind=draft.kind, data=draft.data, at=at)
    return Event(game, following, draft.kind, draft.data, at, head, digest)


def append_all(game: str, seq: int, head: str, drafts: Iterable[Draft], at: str) -> tuple[Event, ...]:
    """Let several drafts happen one after the other, at the same moment."""
    events: list[Event] = []
    for draft in drafts:
        event = append(game, seq, head, draft, at)
        seq, head = event.seq, event.hash
        events.append(event)
    return tuple(events)


def first_broken(events: Iterable[Event]) -> int | None:
    """The number of the first event that does not fit the chain, or None if all do.

    A chain whose end was cut off fits; that is what the heads in the players' mails are for.
    """
    head, game = ORIGIN, None
    for seq, event in enumerate(events, start=1):
        game = game or event.game
        expected = link(head, game=game, seq=seq, kind=event.kind, data=event.data, at=event.at)
        if (event.game, event.seq, event.prev, event.hash) != (game, seq, head, expected):
            return seq
        head = event.hash
    return None
