"""From events to a table.

Events are facts: folding never judges them again, except that moves are read and played to know the position.
An event of an unknown kind stops the game rather than being passed over.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from engine import registry
from engine.game import CHANCE, Game, Ply, Seat
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
from pbem.events.chain import Draft, Event, after, first_link
from pbem.judging.entries import standing_entries
from pbem.tables.decision import room_for
from pbem.tables.table import (
    AWAITED,
    CALLED_OFF,
    OVER,
    PLAYING,
    PULSE,
    VOTED,
    Case,
    Decree,
    Table,
    Vote,
    Warrant,
    attribute,
    change,
)

_PLAYED: Final = ("played", "dealt")
_REFEREE: Final = "referee"
"""Who has done what the events of a ruling tell."""


class BrokenHistoryError(Exception):
    """The events of a game do not make a game: a bug or a damaged database, never a player's doing."""


def fold(events: Iterable[Event]) -> Table:
    """The table that some events, from the first on, have made."""
    stream = iter(events)
    first = next(stream, None)
    if first is None:
        raise BrokenHistoryError("a game without events")
    try:
        table = _opened(first)
    except Exception as problem:
        raise _damage(first, problem) from problem
    for event in stream:
        table = step(table, event)
    return table


def step(table: Table, event: Event) -> Table:
    """The table after one more event."""
    if event.kind not in _CHANGES and event.kind not in _PLAYED:
        raise BrokenHistoryError(f"event {event.seq} of {event.game} is of the unknown kind {event.kind}")
    try:
        return _change(table, event, event.at, seq=event.seq, head=event.hash)
    except Exception as problem:
        raise _damage(event, problem) from problem


def _damage(event: Event, problem: Exception) -> BrokenHistoryError:
    """Events are facts: whatever goes wrong with one, it is not the one that was written down."""
    if isinstance(problem, BrokenHistoryError):
        return problem
    return BrokenHistoryError(
        f"event {event.seq} of {event.game} does not follow from those before it: {type(problem).__name__}"
    )


def foresee(table: Table, drafts: Iterable[Draft]) -> Table:
    """The table as it would be if some drafts happened; it has no new place in the chain."""
    for draft in drafts:
        table = _change(table, draft, "")
    return table


def _change(table: Table, event: Draft | Event, at: str, **place: Any) -> Table:
    """The table after an event, or what would be one; `place` is its own in the chain, once it has one."""
    # Whole histories are folded, so a table is made once for each event, as far as that goes.
    place["moves"] = after(table.moves, event.kind, event.data)
    place["written"] = table.written + room_for(event)
    if table.awaits_rounds:
        place["bound"] = table.bound.after(event.kind, event.data, at)
    if event.kind in _PLAYED:
        changed = _play(table, event.data, event.phrase, **place)
    else:
        changed = _CHANGES[event.kind](replace(table, **place), event.data, at)
    return _attribute(changed, event) if changed.cases else changed


def _attribute(table: Table, event: Draft | Event) -> Table:
    """The table with an entry noted as the doing of a ruling, if the referee made it or it followed by itself."""
    ruled = event.data.get("by") == _REFEREE and event.kind in ("undone", "played", "substituted")
    if not ruled and event.kind not in ("dealt", "ended"):
        return table
    return replace(table, cases=attribute(table.cases, len(table.entries)))


def _opened(event: Event) -> Table:
    data = event.data
    game = registry.find_game(data["game"], data["rules"]) if event.kind == "opened" else None
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
        proof=data.get("proof", {}),
        moves=first_link(event.game),
        seq=event.seq,
        head=event.hash,
    )


def _in_order(game: Game[Any], options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The headers of a game as it lists them: an event's data keep no order."""
    return tuple((each.name, options[each.name]) for each in game.options if each.name in options)


def _accepted(table: Table, data: Mapping[str, Any], at: str) -> Table:
    stirred = {**table.stirred, data["seat"]: data["entropy_sha256"]}
    return replace(table, accepted=table.accepted | {data["seat"]}, stirred=stirred)


def _declined(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return replace(table, stage=CALLED_OFF)


def _started(table: Table, data: Mapping[str, Any], at: str) -> Table:
    begun = replace(table, stage=PLAYING, options=_in_order(table.game, data["options"]))
    begun = replace(begun, position=_start(begun))
    return replace(begun, asked_in=dict.fromkeys(begun.due, begun.turn))


def _start(table: Table) -> Any:
    position = table.game.start(table.setup)
    if isinstance(position, Verdict):
        raise BrokenHistoryError(f"{table.id} cannot start: {position}")
    return position


def _play(table: Table, data: Mapping[str, Any], phrase: str, **place: Any) -> Table:
    game, position, mover = table.game, table.position, data["seat"]
    moves = read_moves(game, phrase)
    if isinstance(moves, Fault):
        raise BrokenHistoryError(f"turn {data['turn']} of {table.id} cannot be read: {phrase}")
    for move in moves:
        position = game.apply(position, Ply(mover, move))
    due = game.to_act(position) if table.stage == PLAYING else ()
    return replace(
        table,
        position=position,
        entries=(*table.entries, Entry(table.turn, mover, moves)),
        asked_in=_asked_in(table.asked_in, mover, due, game.turn(position)),
        # An undo that was asked for before this move can no longer be meant.
        votes=_votes_without(table, UNDO),
        **place,
    )


def _asked_in(before: Mapping[Seat, int], mover: Seat, due: tuple[Seat, ...], now: int) -> Mapping[Seat, int]:
    """Since which turn each seat has been asked; whoever moved is asked something new, and chance asks nobody."""
    others = {seat: turn for seat, turn in before.items() if seat != mover}
    return others if due == (CHANCE,) else {seat: others.get(seat, now) for seat in due}


def _undone(table: Table, data: Mapping[str, Any], at: str) -> Table:
    back = _note(_without(table, UNDO), UNDO, Undone(data["turn"]))
    position = _start(back)
    for entry in standing_entries(back.entries):
        for move in entry.moves:
            position = table.game.apply(position, Ply(entry.who, move))
    undone = replace(back, position=position, epoch=table.epoch + 1)
    return replace(undone, asked_in=dict.fromkeys(undone.due, undone.turn))


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
    # Days away are a person's: whoever left takes them along, those that are over too.
    absences = {other: days for other, days in table.absences.items() if other != seat}
    noted = _note(table, SUBSTITUTE, Seated(seat, name))
    return replace(noted, names={**table.names, seat: name}, resigned=resigned, absences=absences)


def _ended(table: Table, data: Mapping[str, Any], at: str) -> Table:
    ending = Ending(data["kind"], tuple(data["seats"]), data["reason"])
    cases = tuple(replace(case, is_open=False) for case in table.cases)
    over = replace(_note(table, END, ending), stage=OVER, ending=ending, result=data["result"])
    return replace(over, votes={}, cases=cases)


def _appealed(table: Table, data: Mapping[str, Any], at: str) -> Table:
    case = Case(data["case"], data["by"], data["turn"], data["words"], at, table.seq)
    return replace(table, cases=(*table.cases, case))


def _case(table: Table, data: Mapping[str, Any]) -> Case:
    found = next((case for case in table.cases if case.number == data["case"]), None)
    if found is None:
        raise BrokenHistoryError(f"{table.id} has no case {data['case']}")
    return found


def _ruled(table: Table, data: Mapping[str, Any], at: str) -> Table:
    case, so_far = _case(table, data), len(table.entries)
    decree = Decree(data["ruling"], data["reason"], at, so_far, so_far)
    return replace(table, cases=change(table.cases, replace(case, decrees=(*case.decrees, decree))))


def _warranted(table: Table, data: Mapping[str, Any], at: str) -> Table:
    case = _case(table, data)
    warrant = Warrant(data["seat"], data["reason"], at)
    return replace(table, cases=change(table.cases, replace(case, warrants=(*case.warrants, warrant))))


def _closed(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return replace(table, cases=change(table.cases, replace(_case(table, data), is_open=False)))


def _absent(table: Table, data: Mapping[str, Any], at: str) -> Table:
    first, last = date.fromisoformat(data["first"]), date.fromisoformat(data["last"])
    days = frozenset(first + timedelta(days=day) for day in range((last - first).days + 1))
    return replace(
        table, absences={**table.absences, data["seat"]: table.absences.get(data["seat"], frozenset()) | days}
    )


def _returned(table: Table, data: Mapping[str, Any], at: str) -> Table:
    first = date.fromisoformat(data["first"])
    kept = frozenset(day for day in table.absences.get(data["seat"], ()) if day < first)
    return replace(table, absences={**table.absences, data["seat"]: kept})


def _said(table: Table, data: Mapping[str, Any], at: str) -> Table:
    return table


def _note(table: Table, word: str, said: Any) -> Table:
    """The table with one more word of its own in the record."""
    return replace(table, entries=(*table.entries, Entry(table.turn, word, (said,))))


def _without(table: Table, what: str) -> Table:
    """The table where nobody asks for something any more."""
    votes = _votes_without(table, what)
    return table if votes is table.votes else replace(table, votes=votes)


def _votes_without(table: Table, what: str) -> Mapping[str, Vote]:
    votes = table.votes
    return {name: vote for name, vote in votes.items() if name != what} if what in votes else votes


_CHANGES: Final[Mapping[str, Callable[[Table, Mapping[str, Any], str], Table]]] = {
    "accepted": _accepted,
    "declined": _declined,
    "started": _started,
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
    "appealed": _appealed,
    "ruled": _ruled,
    "warranted": _warranted,
    "closed": _closed,
    "absence": _absent,
    "returned": _returned,
    "press": _said,
    "extended": _said,
    AWAITED: _said,
    PULSE: _said,
}
"""What each kind of event does. Words, time that is given, and rounds that are awaited leave the table as it is."""
