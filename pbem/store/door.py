"""The door of a post: how much a sender may leave here, so that nobody can fill the disk.

Anybody can write under any name. So all letters are weighed as those of strangers, by sender and all together; only
when that is too much, it is looked up whether a letter is a player's own. Those have room of their own. A letter for
which there is no room is not taken: whoever brought it keeps it and tries again.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from pbem.store.arrivals import Arrival, ArrivalStore, Received

_ROW: Final = 1_024
"""Bytes that a letter takes beside its own."""


class Limits(NamedTuple):
    """Bytes of letters that lie unhandled, or came within a day and changed nothing.

    Those of one sender, those of all senders together, and those of one player who is known to have written them.
    """

    stranger: int
    strangers: int
    player: int


class Door:
    """Where intakes bring letters. `vouch` says whether a letter is a player's own; it may take its time."""

    def __init__(self, store: ArrivalStore, limits: Limits, vouch: Callable[[Arrival], bool]) -> None:
        self._store = store
        self._limits = limits
        self._vouch = vouch

    def receive(
        self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()
    ) -> Received | None:
        """Store one letter with its envelope; None if there is no room for it."""
        return self._take([Arrival(raw, intake, env_from, tuple(env_to))])[0]

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> list[Received | None]:
        """Store several letters that came without envelopes; None for each that there is no room for."""
        return self._take([Arrival(raw, intake) for raw in raws])

    def _take(self, arrivals: Sequence[Arrival]) -> list[Received | None]:
        answers = self._store.receive_some(arrivals, self._fits)
        for at, arrival in enumerate(arrivals):
            if answers[at] is None and self._vouch(arrival):
                (answers[at],) = self._store.receive_some([arrival._replace(vouched=True)], self._fits)
        return answers

    def _fits(self, arrival: Arrival, weight: int, all_weights: int) -> bool:
        """Whether there is room for a letter, given what lies there of its sender and of everybody."""
        more = len(arrival.raw) + _ROW
        if arrival.vouched:
            return weight + more <= self._limits.player
        return weight + more <= self._limits.stranger and all_weights + more <= self._limits.strangers
