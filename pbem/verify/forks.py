"""Where two histories of a game part because the post went back to an older copy of its database.

Whoever holds a mail of the lost history has heads, receipts and opened values that the record does not know. That is no
lie where the record has a `restored` at or before them: it is told, and a referee decides what it is worth.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from pbem.events.post_kinds import GameRestored
from pbem.verify.read_proof import RecordProof


class Fork(NamedTuple):
    """The place where a lost history parts from the record: the number and the moment of the `restored`."""

    seq: int
    at: str

    def __str__(self) -> str:
        return f"event {self.seq}, the restore of {self.at}"


def find_forks(proof: RecordProof) -> list[Fork]:
    """Every restore that a record tells of, in order."""
    return [
        Fork(recorded.event.seq, recorded.event.at)
        for recorded in proof.recorded
        if isinstance(recorded.event.payload, GameRestored)
    ]


def fork_before(proof: RecordProof, seq: int, head: str, date: str = "") -> Fork | None:
    """Where the history of a head parts from the record; None if the record has it, or no restore accounts for it.

    With several restores the date of a mail tells which one lost it: the first that came after the mail.
    """
    if 1 <= seq <= len(proof.recorded) and proof.recorded[seq - 1].event.hash == head:
        return None
    possible = [fork for fork in find_forks(proof) if fork.seq <= seq]
    moment = _moment(date)
    later = [fork for fork in possible if moment is not None and datetime.fromisoformat(fork.at) >= moment]
    return later[0] if later else possible[-1] if possible else None


def _moment(date: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def compare_records(proof: RecordProof, others: Iterable[RecordProof]) -> Iterator[str]:
    """What is to be told of a record and others of the same game: where they part because of a restore."""
    for other in others:
        pairs = zip(proof.recorded, other.recorded, strict=False)
        parting = next((pair for pair in pairs if pair[0].event.hash != pair[1].event.hash), None)
        for ours in parting or ():
            if isinstance(ours.event.payload, GameRestored):
                yield (
                    f"this record and another of {ours.event.game} part at event {ours.event.seq}, "
                    f"the restore of {ours.event.at}: one of them is the history that was lost"
                )
                break
