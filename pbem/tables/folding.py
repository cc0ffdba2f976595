"""From events to a table.

Events are facts: folding never judges them again, except that moves are read and played to know the position.
An event of an unknown kind stops the game rather than being passed over.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine import registry
from engine.game import Ply
from engine.verdict import Verdict
from notation import (
    END,
    PAUSE,
    RESUME,
    SUBSTITUTE,
    UNDO,
    Ending,
    Entry,
    Fault,
    Paused,
    Resumed,
    Seated,
    Undone,
    read_moves,
)
from pbem.ledger.event import Event
from pbem.referee.standing import standing_entries
from pbem.tables.table import CALLED_OFF, OVER, PLAYING, Table, Vote


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
    change = _CHANGES.get(event.kind)
    if change is None:
        raise BrokenHistoryError(f"event {event.seq} of {event.game} is of the unknown kind {event.kind}")
    return replace(change(table, event.data, event), seq=event.seq, head=event.hash)


def _opened(event: Event) -> Table:
    data = event.data
    game = registry.find(data["game"], data["rules"])
    if event.kind != "opened" or game is None:
        raise BrokenHistoryError(f"event {event.seq} of {event.game} opens no table that is known here")
    return Table(
        id=event.game,
        game=game,
        seats=tuple(data["seats"]),
        names=dict(data["names"]),
        options=tuple(data["options"].items()),
        terms=data["terms"],
        seq=event.seq,
        head=event.hash,
    )


def _accepted(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    return replace(table, accepted=table.accepted | {data["seat"]})


def _declined(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    return replace(table, stage=CALLED_OFF)


def _started(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    begun = replace(table, stage=PLAYING, options=tuple(data["options"].items()), began=event.at)
    position = begun.game.start(begun.setup)
    if isinstance(position, Verdict):
        raise BrokenHistoryError(f"{event.game} cannot start: {position}")
    return replace(begun, position=position)


def _played(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    moves = read_moves(table.game, data["phrase"])
    if isinstance(moves, Fault):
        raise BrokenHistoryError(f"event {event.seq} of {event.game} cannot be read: {data['phrase']}")
    position = table.position
    for move in moves:
        position = table.game.apply(position, Ply(data["seat"], move))
    entry = Entry(data["turn"], data["seat"], moves)
    # What was asked is about the table as it was; an undo asked for before this move can no longer be meant.
    votes = {what: vote for what, vote in table.votes.items() if what != UNDO}
    return replace(table, position=position, entries=(*table.entries, entry), votes=votes)


def _undone(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    entries = (*table.entries, Entry(table.turn, UNDO, (Undone(data["turn"]),)))
    position = table.game.start(table.setup)
    for entry in standing_entries(entries):
        for move in entry.moves:
            position = table.game.apply(position, Ply(entry.who, move))
    votes = {what: vote for what, vote in table.votes.items() if what != UNDO}
    return replace(table, position=position, entries=entries, epoch=table.epoch + 1, votes=votes)


def _asked(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    vote = Vote(data["what"], data["by"], frozenset({data["by"]}), data["turn"])
    return replace(table, votes={**table.votes, vote.what: vote})


def _agreed(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    vote = table.votes[data["what"]]
    return replace(table, votes={**table.votes, vote.what: replace(vote, agreed=vote.agreed | {data["by"]})})


def _dropped(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    return replace(table, votes={what: vote for what, vote in table.votes.items() if what != data["what"]})


def _paused(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    entries = (*table.entries, Entry(table.turn, PAUSE, (Paused(data["reason"]),)))
    return replace(table, pauses=table.pauses | {data["reason"]}, entries=entries)


def _resumed(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    entries = (*table.entries, Entry(table.turn, RESUME, (Resumed(data["reason"]),)))
    return replace(table, pauses=table.pauses - {data["reason"]}, entries=entries)


def _resigned(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    return replace(table, resigned=(*table.resigned, data["seat"]))


def _substituted(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    resigned = tuple(seat for seat in table.resigned if seat != data["seat"])
    entries = (*table.entries, Entry(table.turn, SUBSTITUTE, (Seated(data["seat"], data["name"]),)))
    names = {**table.names, data["seat"]: data["name"]}
    return replace(table, names=names, resigned=resigned, entries=entries)


def _ended(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    ending = Ending(data["kind"], tuple(data["seats"]), data["reason"])
    entry = Entry(table.turn, END, (ending,))
    return replace(table, stage=OVER, ending=ending, entries=(*table.entries, entry), votes={})


def _said(table: Table, data: Mapping[str, Any], event: Event) -> Table:
    return table


_CHANGES: Final[Mapping[str, Callable[[Table, Mapping[str, Any], Event], Table]]] = {
    "accepted": _accepted,
    "declined": _declined,
    "started": _started,
    "played": _played,
    "dealt": _played,
    "undone": _undone,
    "asked": _asked,
    "agreed": _agreed,
    "dropped": _dropped,
    "paused": _paused,
    "resumed": _resumed,
    "resigned": _resigned,
    "substituted": _substituted,
    "ended": _ended,
    "press": _said,
    "absence": _said,
    "extended": _said,
}
"""What each kind of event does. Words and times leave the table as it is."""
