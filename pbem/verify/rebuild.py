"""The record made again from its events alone, to be compared with the text to the last byte.

What no event vouches for, a header, a word, a comment, a blank, is found here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine import registry
from notation import (
    END,
    PAUSE,
    RESIGN,
    RESUME,
    SUBSTITUTE,
    UNDO,
    UNFINISHED,
    Ending,
    Entry,
    Fault,
    Left,
    Paused,
    Record,
    Resumed,
    Seated,
    Undone,
    read_moves,
)
from pbem.events.annotations import MOVES, write_proof
from pbem.events.chain import Event
from pbem.events.to_record import make_record
from pbem.proof.draws import Opening
from pbem.tables.redraw import Pick
from pbem.verify.read_proof import RecordProof, Told


class UntoldError(Exception):
    """An event that makes no entry: the line it stands in, and why."""


def rebuild(proof: RecordProof, states: Sequence[str], drawn: Mapping[int, tuple[Pick, ...]]) -> Record:
    """The record that the events make, with its proof. Only the turn of a word of the table is taken on trust."""
    first = proof.told[0]
    opened = first.event.data
    game = registry.find_game(opened["game"], opened["rules"])
    if game is None:
        raise UntoldError(first.line, f"there is no game {opened['game']} in edition {opened['rules']} here")
    options, result = opened["options"], UNFINISHED
    entries = []
    for told in proof.told:
        if told.event.kind == "started":
            options = told.event.data["options"]
        elif told.event.kind == "ended":
            result = told.event.data["result"]
        if told.entry is not None:
            entries.append(_entry(proof, told, told.entry))
    bare = make_record(
        game,
        table=first.event.game,
        names=[(seat, opened["names"].get(seat, seat)) for seat in opened["seats"]],
        options=[(each.name, options[each.name]) for each in game.options if each.name in options],
        headers=opened["headers"].items(),
        entries=tuple(entries),
        result=result,
    )
    shown = {told.event.seq: told.openings for told in proof.told}

    def openings(event: Event) -> Sequence[Opening]:
        return tuple(shown[event.seq].values())

    events = [told.event for told in proof.told]
    return write_proof(bare, events, proof.closing, openings=openings, states=states, drawn=drawn)


def _entry(proof: RecordProof, told: Told, entry: Entry) -> Entry:
    data, kind = told.event.data, told.event.kind
    if kind in MOVES:
        game = proof.record.game
        if game is None:
            raise UntoldError(told.line, "the record names no game that is known here")
        sealed = told.event.sealed
        whole = sealed is not None and told.is_whole
        moves = read_moves(game, sealed.phrase if sealed is not None and whole else data["phrase"])
        if isinstance(moves, Fault):
            raise UntoldError(told.line, f"the moves of event {told.event.seq} cannot be read")
        return Entry(data["turn"], data["seat"], moves)
    return Entry(entry.number, *_WORDS[kind](data))


_WORDS: Final[Mapping[str, Callable[[Mapping[str, Any]], tuple[str, tuple[Any, ...]]]]] = {
    "undone": lambda data: (UNDO, (Undone(data["turn"]),)),
    "paused": lambda data: (PAUSE, (Paused(data["reason"]),)),
    "resumed": lambda data: (RESUME, (Resumed(data["reason"]),)),
    "resigned": lambda data: (RESIGN, (Left(data["seat"]),)),
    "substituted": lambda data: (SUBSTITUTE, (Seated(data["seat"], data["name"]),)),
    "ended": lambda data: (END, (Ending(data["kind"], tuple(data["seats"]), data["reason"]),)),
}
"""The words of the table that events become."""
