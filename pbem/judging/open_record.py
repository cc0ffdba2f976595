"""What of a record may leave this machine in other forms: all of a finished game, the open part of another.

A file on somebody's disk may hold more than everybody may know: a hand in a move, a diary in an annotation, a thought
in a comment. As long as the game goes on, none of that goes into rows, books or lines for others.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from engine.game import PUBLIC, Seat
from notation import ANNOTATION, Entry, Record, Remark
from pbem.judging.entries import PROOF, ViewerEntries
from pbem.judging.record_replay import Watcher, replay_record
from pbem.judging.result import ReplayResult

_OF_PROOF: Final = (PROOF, "SeedCommitment", "BlindCommitment")
_PLAYER: Final = "Player."


class OpenRecord(NamedTuple):
    """A record as `viewer` may have it, and how the whole of it was replayed.

    `hidden` counts the moves in which something is hidden, `remarks` those that were left out; both are 0 where the
    game is over.
    """

    record: Record
    replayed: ReplayResult
    hidden: int = 0
    remarks: int = 0


def open_record(record: Record, viewer: Seat = PUBLIC, *, watch: Watcher | None = None) -> OpenRecord:
    """A record as `viewer` may have it; one that is refused, up to there. `watch` sees every entry as it stands.

    Of a game that goes on, annotations are left out with the headers of its proof, because they seal and tell more than
    the moves; and all remarks are, where a move hides something, because they may tell it.
    """
    seen = ViewerEntries(record, viewer)

    def see(entry: Entry, turn: int, position: object) -> None:
        seen.add(entry, turn, position)
        if watch is not None:
            watch(entry, turn, position)

    replayed = replay_record(record, watch=see)
    if replayed.finished and replayed.refusal is None:
        return OpenRecord(record, replayed)
    told = zip(record.entries, seen.entries, strict=False)
    hidden = sum(one != other for entry, shown in told for one, other in zip(entry.moves, shown.moves, strict=True))
    entries = tuple(_without(entry, everything=hidden > 0) for entry in seen.entries)
    afterword = () if hidden else _comments(record.afterword)
    headers = tuple(
        (name, value) for name, value in record.headers if name not in _OF_PROOF and not name.startswith(_PLAYER)
    )
    left = sum(len(entry.remarks) for entry in record.entries) + len(record.afterword)
    kept = sum(len(entry.remarks) for entry in entries) + len(afterword)
    opened = replace(record, headers=headers, entries=entries, afterword=afterword)
    return OpenRecord(opened, replayed, hidden, left - kept)


def _without(entry: Entry, *, everything: bool) -> Entry:
    return entry._replace(remarks=() if everything else _comments(entry.remarks))


def _comments(remarks: tuple[Remark, ...]) -> tuple[Remark, ...]:
    """The remarks that are no annotations. Variations go with them: what is noted inside may be sealed too."""
    return tuple(remark for remark in remarks if remark.kind != ANNOTATION and "[%" not in str(remark.value))
