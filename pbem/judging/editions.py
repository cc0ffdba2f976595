"""What a newer edition of the rules would change in a record.

Nothing is rewritten: a record keeps its edition for ever.
"""

from typing import Final, NamedTuple

from engine import registry
from engine.game import PUBLIC, View
from notation import Entry, Record, write_entry
from pbem.judging.record_replay import replay_record
from pbem.judging.result import Refusal, ReplayResult

VERDICT: Final = "verdict"
STATE: Final = "state"
POINTS: Final = "points"
_RESULT: Final = "Result"
"""The header that claims points, which may be others under another edition."""


class Change(NamedTuple):
    """The first thing that another edition would change: a verdict, the state after an entry, or the points."""

    kind: str
    turn: int | None
    entry: str
    says: str


class Upgrade(NamedTuple):
    """A record under its own edition and under the newest one."""

    edition: str
    newest: str
    refusal: Refusal | None = None
    """Set if the record is not even legal under its own edition."""
    change: Change | None = None

    @property
    def is_newest(self) -> bool:
        """Whether there is nothing newer."""
        return self.edition == self.newest


class _Step(NamedTuple):
    """An entry, and the public view after it. State digests cannot be compared: they depend on the edition."""

    entry: Entry
    turn: int
    view: View


def check_upgrade(record: Record) -> Upgrade | None:
    """What the newest edition would change; None if the game is not known here."""
    editions = registry.list_editions(record.header("Game") or "")
    if not editions or record.game is None:
        return None
    edition, newest = record.game.edition, editions[-1].edition
    ours, our_steps = _replay_steps(record)
    if ours.refusal is not None:
        return Upgrade(edition, newest, refusal=ours.refusal)
    if edition == newest:
        return Upgrade(edition, newest)
    theirs, their_steps = _replay_steps(_under(record, newest))
    return Upgrade(edition, newest, change=_compare(record, (ours, our_steps), (theirs, their_steps)))


def _compare(
    record: Record, ours: tuple[ReplayResult, list[_Step]], theirs: tuple[ReplayResult, list[_Step]]
) -> Change | None:
    for mine, other in zip(ours[1], theirs[1], strict=False):
        if mine.view != other.view:
            names = [name for name in {**mine.view, **other.view} if mine.view.get(name) != other.view.get(name)]
            return Change(STATE, mine.turn, write_entry(mine.entry, record.game), f"differs in {', '.join(names)}")
    refusal = theirs[0].refusal
    if refusal is not None and refusal.header != _RESULT:
        entry = write_entry(refusal.entry, record.game) if refusal.entry is not None else ""
        return Change(VERDICT, refusal.turn, entry, f"{refusal.code} {refusal.verdict.detail}")
    before, after = (_points(replayed) for replayed, _ in (ours, theirs))
    return Change(POINTS, None, "", f"{before} -> {after}") if before != after else None


def _points(replayed: ReplayResult) -> str:
    if replayed.game is None:
        return ""
    score = replayed.score
    return ", ".join(
        f"{tally.seat} {tally.total}{' won' if tally.seat in score.winners else ''}" for tally in score.tallies
    )


def _replay_steps(record: Record) -> tuple[ReplayResult, list[_Step]]:
    steps: list[_Step] = []
    game = record.game

    def watch(entry: Entry, turn: int, position: object) -> None:
        if game is not None:
            steps.append(_Step(entry, turn, game.view(position, PUBLIC)))

    return replay_record(record, watch=watch), steps


def _under(record: Record, edition: str) -> Record:
    """The record under another edition, without what it says about states: those are what may change."""
    headers = [(name, edition if name == "Rules" else value) for name, value in record.headers]
    if record.header("Rules") is None:
        headers.append(("Rules", edition))
    return Record(tuple(headers), tuple(entry._replace(remarks=()) for entry in record.entries))
