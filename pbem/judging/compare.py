"""The first difference of two records.

Two records are the same game if the same seats make the same moves from the same set-up to the same ending and
result. Remarks, names of players, and headers that play does not depend on do not count.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final, NamedTuple

from engine.verdict import Verdict
from notation import END, Entry, Fault, Record, read_result, write_entry
from notation.record import POSE

MOVE: Final = "move"
SEAT: Final = "seat"
ENDING: Final = "ending"
LENGTH: Final = "length"


class PlayedPly(NamedTuple):
    """One ply, or the ending, and the entry it is in."""

    entry: Entry
    move: object


class Difference(NamedTuple):
    """The first difference: `kind` is MOVE, SEAT, ENDING, LENGTH or the name of a header.

    `left` and `right` are what each record says there, None where it says nothing more. `ply` counts the plies of
    the game from 1; it and `turn` are None when the records differ before the first move.
    """

    kind: str
    left: str | None
    right: str | None
    turn: int | None = None
    ply: int | None = None
    lines: tuple[int | None, int | None] = (None, None)


def compare_records(a: Record, b: Record) -> Difference | None:
    """The first difference of two records, or None if they are the same game."""
    options = dict([*a.setup.options, *b.setup.options])
    for name, left, right in _headers(a, b):
        if left != right and not (name in options and _begin_alike(a, b)):
            return Difference(name, left, right)
    for ply, (ours, theirs) in enumerate(zip_longest(_steps(a), _steps(b)), start=1):
        if ours is None or theirs is None or (ours.entry.who, ours.move) != (theirs.entry.who, theirs.move):
            return Difference(
                _kind(ours, theirs),
                _say(a, ours),
                _say(b, theirs),
                turn=next((step.entry.number for step in (ours, theirs) if step is not None), None),
                ply=ply,
                lines=(ours.entry.line if ours else None, theirs.entry.line if theirs else None),
            )
    if _result(a) != _result(b):
        return Difference("Result", a.header("Result"), b.header("Result"))
    return None


def _result(record: Record) -> object:
    """The result that the record claims, if the game has ended; without remarks and blanks."""
    said = record.header("Result")
    ends = [entry for entry in record.entries if entry.who == END]
    if said is None or not ends:
        return None
    result = read_result(said)
    return said if isinstance(result, Fault) else result


def _headers(a: Record, b: Record) -> Iterator[tuple[str, str | None, str | None]]:
    """The headers that play depends on, as both records have them."""
    for name in ("Game", "Rules"):
        yield name, a.header(name), b.header(name)
    yield "Seat", " ".join(a.seats), " ".join(b.seats)
    for name in dict([*a.setup.options, *b.setup.options]):
        yield name, a.header(name), b.header(name)
    for seat in dict([*a.setup.pose, *b.setup.pose]):
        name = f"{POSE}.{seat}" if seat else POSE
        yield name, a.header(name), b.header(name)


def _begin_alike(a: Record, b: Record) -> bool:
    """Whether set-ups that are written differently are the same: in another order, or with defaults written out."""
    if a.game is None or b.game is None:
        return False
    ours, theirs = a.game.start(a.setup), b.game.start(b.setup)
    return not isinstance(ours, Verdict) and ours == theirs


def _steps(record: Record) -> Iterator[PlayedPly]:
    for entry in record.entries:
        for move in entry.moves:
            yield PlayedPly(entry, move)


def _kind(ours: PlayedPly | None, theirs: PlayedPly | None) -> str:
    if ours is None or theirs is None:
        return LENGTH
    if END in (ours.entry.who, theirs.entry.who):
        return ENDING
    return MOVE if ours.entry.who == theirs.entry.who else SEAT


def _say(record: Record, step: PlayedPly | None) -> str | None:
    if step is None:
        return None
    return write_entry(Entry(None, step.entry.who, (step.move,)), record.game)
