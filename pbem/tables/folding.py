"""From events to a table.

Events are facts: folding never judges them again, except that moves are read and played to know the position.
An event of an unknown kind stops the game rather than being passed over.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from engine import registry
from engine.game import Game, Ply
from engine.verdict import Verdict
from notation import (
    END,
    PAUSE,
    RESIGN,
    RESUME,
    SUBSTITUTE,
    UNDO,
    Ending,
    Entry,
    Fault,
    Left,
    Paused,
    Resumed,
    Seated,
    Undone,
    read_moves,
)
from pbem.ledger.event import Draft, Event
from pbem.referee.standing import standing_entries
from pbem.tables.table import CALLED_OFF, OVER, PLAYING, VOTED, Table, Vote


class BrokenHistoryError(Exception):
    """The events of a game do not make a game: a bug or a damaged database, never a player's doing."""


def fold(events: Iterable[Event]) -> Table:
    """The table that some events, from the first on, have made."""
    stream = iter(events)
    first = next(stream, None)
    if first is None:
        raise BrokenHistoryError("a game without events")
    table = _opened(first)
    for event in stream:
        table = step(table, event)
    return table


def step(table: Table, event: Event) -> Table:
    """The table after one more event."""
    if event.kind not in _CHANGES:
        raise BrokenHistoryError(f"event {event.seq} of {event.game} is of the unknown kind {event.kind}")
    changed = _CHANGES[event.kind](table, event.data, event.at)
    return replace(changed, seq=event.seq, head=event.hash)


def foresee(table: Table, drafts: Iterable[Draft]) -> Table:
    """The table as it would be if some drafts happened; it has no new place in the chain."""
    for draft in drafts:
        table = _CHANGES[draft.kind](table, draft.data, "")
    return table


def _opened(event: Event) -> Table:
    data = event.data
    game = registry.find(data["game"], data["rules"]) if event.kind == "opened" else None
    if game is None:
        raise BrokenHistoryError(f"event {event.seq} of {event.game} opens no table that is known here")
    return Table(
        id=event.game,
        game=game,
        seats=tuple(data["seats"]),
        founders=data["names"],
        names=data["names"],
        options=_in_order(game, data["options"]),
        terms=data["terms"],
        headers=data["headers"],
        seq=event.seq,
        head=event.hash,
    )


def _in_order(game: Game[Any], options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The headers of a game as it lists them: an event's data keep no order."""
    return tuple((each.name, options[each.name]) for each in game.options if each.name in options)


def _accepted(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return replace(table, accepted=table.accepted | {data["seat"]})


def _declined(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return replace(table, stage=CALLED_OFF)


def _started(table: Table, data: Mapping[str, Any], at: str) -> Table:
    begun = replace(table, stage=PLAYING, options=_in_order(table.game, data["options"]), began=at)
    return replace(begun, position=_start(begun))


def _start(table: Table) -> Any:
    position = table.game.start(table.setup)
    if isinstance(position, Verdict):
        raise BrokenHistoryError(f"{table.id} cannot start: {position}")
    return position


def _played(table: Table, data: Mapping[str, Any], at: str) -> Table:
    moves = read_moves(table.game, data["phrase"])
    if isinstance(moves, Fault):
        raise BrokenHistoryError(f"turn {data['turn']} of {table.id} cannot be read: {data['phrase']}")
    position = table.position
    for move in moves:
        position = table.game.apply(position, Ply(data["seat"], move))
    entry = Entry(table.turn, data["seat"], moves)
    # An undo that was asked for before this move can no longer be meant.
    return replace(_without(table, UNDO), position=position, entries=(*table.entries, entry))


def _undone(table: Table, data: Mapping[str, Any], at: str) -> Table:
    back = _note(_without(table, UNDO), UNDO, Undone(data["turn"]))
    position = _start(back)
    for entry in standing_entries(back.entries):
        for move in entry.moves:
            position = table.game.apply(position, Ply(entry.who, move))
    return replace(back, position=position, epoch=table.epoch + 1)


def _asked(table: Table, data: Mapping[str, Any], at: str) -> Table:
    vote = Vote(data["what"], data["by"], data["turn"], at, agreed=frozenset({data["by"]}))
    return replace(table, votes={**table.votes, vote.what: vote})


def _agreed(table: Table, data: Mapping[str, Any], at: str) -> Table:
    vote = table.votes[data["what"]]
    changed = replace(vote, agreed=vote.agreed | {data["by"]}, against=vote.against - {data["by"]})
    return replace(table, votes={**table.votes, vote.what: changed})


def _objected(table: Table, data: Mapping[str, Any], at: str) -> Table:
    vote = table.votes[data["what"]]
    changed = replace(vote, against=vote.against | {data["by"]}, agreed=vote.agreed - {data["by"]})
    return replace(table, votes={**table.votes, vote.what: changed})


def _dropped(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return _without(table, data["what"])


def _paused(table: Table, data: Mapping[str, Any], at: str) -> Table:
    reason = data["reason"]
    table = _without(table, PAUSE) if reason == VOTED else table
    return replace(_note(table, PAUSE, Paused(reason)), pauses=table.pauses | {reason})


def _resumed(table: Table, data: Mapping[str, Any], at: str) -> Table:
    reason = data["reason"]
    table = _without(table, RESUME) if reason == VOTED else table
    return replace(_note(table, RESUME, Resumed(reason)), pauses=table.pauses - {reason})


def _resigned(table: Table, data: Mapping[str, Any], at: str) -> Table:
    seat = data["seat"]
    return replace(_note(table, RESIGN, Left(seat)), resigned=(*table.resigned, seat))


def _substituted(table: Table, data: Mapping[str, Any], at: str) -> Table:
    seat, name = data["seat"], data["name"]
    resigned = tuple(other for other in table.resigned if other != seat)
    noted = _note(table, SUBSTITUTE, Seated(seat, name))
    return replace(noted, names={**table.names, seat: name}, resigned=resigned)


def _ended(table: Table, data: Mapping[str, Any], at: str) -> Table:
    ending = Ending(data["kind"], tuple(data["seats"]), data["reason"])
    return replace(_note(table, END, ending), stage=OVER, ending=ending, result=data["result"], votes={})


def _absent(table: Table, data: Mapping[str, Any], at: str) -> Table:
    first, last = date.fromisoformat(data["first"]), date.fromisoformat(data["last"])
    days = frozenset(first + timedelta(days=day) for day in range((last - first).days + 1))
    return replace(
        table, absences={**table.absences, data["seat"]: table.absences.get(data["seat"], frozenset()) | days}
    )


def _said(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return table


def _note(table: Table, word: str, said: Any) -> Table:
    """The table with one more word of its own in the record."""
    return replace(table, entries=(*table.entries, Entry(table.turn, word, (said,))))


def _without(table: Table, what: str) -> Table:
    """The table where nobody asks for something any more."""
    if what not in table.votes:
        return table
    return replace(table, votes={name: vote for name, vote in table.votes.items() if name != what})


_CHANGES: Final[Mapping[str, Callable[[Table, Mapping[str, Any], str], Table]]] = {
    "accepted": _accepted,
    "declined": _declined,
    "started": _started,
    "played": _played,
    "dealt": _played,
    "undone": _undone,
    "asked": _asked,
    "agreed": _agreed,
    "objected": _objected,
    "dropped": _dropped,
    "paused": _paused,
    "resumed": _resumed,
    "resigned": _resigned,
    "substituted": _substituted,
    "ended": _ended,
    "absence": _absent,
    "press": _said,
    "extended": _said,
}
"""What each kind of event does. Words, and time that is given, leave the table as it is."""
