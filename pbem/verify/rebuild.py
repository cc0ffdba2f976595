"""Rebuilds a record from its events alone, to be compared with the text to the last byte.

That finds headers, words, comments and blanks that no event accounts for.
"""

from collections.abc import Mapping, Sequence

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
from pbem.events.annotations import write_proof
from pbem.events.chain import Event
from pbem.events.kinds import (
    GameEnded,
    GamePaused,
    GameResumed,
    GameStarted,
    MovesMade,
    SeatResigned,
    SeatSubstituted,
    TurnUndone,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import PlayerInvited
from pbem.events.record_conversion import make_record
from pbem.proof.draws import Opening
from pbem.tables.replay_draws import Pick
from pbem.verify.read_proof import RecordedEvent, RecordProof


class NoEntryError(Exception):
    """An event cannot become an entry; the arguments are its line and the reason."""


def rebuild(proof: RecordProof, states: Sequence[str], drawn: Mapping[int, tuple[Pick, ...]]) -> Record:
    """The record that the events make, with its proof. Only the numbers of entries that are not turns are copied."""
    first = proof.recorded[0]
    opened = proof.opened
    game = registry.find_game(opened.game, opened.rules)
    if game is None:
        raise NoEntryError(first.line, f"there is no game {opened.game} in edition {opened.rules} here")
    options, result = opened.options, UNFINISHED
    names = dict(opened.names)
    entries = []
    for recorded in proof.recorded:
        payload = recorded.event.payload
        if isinstance(payload, GameStarted):
            options = payload.options
        elif isinstance(payload, GameEnded):
            result = payload.result
        elif isinstance(payload, PlayerInvited):
            names[payload.seat] = payload.name
        if recorded.entry is not None:
            entries.append(_entry(proof, recorded, recorded.entry))
    bare = make_record(
        game,
        table=first.event.game,
        names=[(seat, names.get(seat, seat)) for seat in opened.seats],
        options=[(each.name, options[each.name]) for each in game.options if each.name in options],
        headers=opened.headers.items(),
        entries=tuple(entries),
        result=result,
    )
    shown = {recorded.event.seq: recorded.openings for recorded in proof.recorded}

    def openings(event: Event) -> Sequence[Opening]:
        return tuple(shown[event.seq].values())

    events = [recorded.event for recorded in proof.recorded]
    return write_proof(bare, events, proof.closing, openings=openings, states=states, drawn=drawn)


def _entry(proof: RecordProof, recorded: RecordedEvent, entry: Entry) -> Entry:
    happened = recorded.event.payload
    if isinstance(happened, MovesMade):
        game = proof.record.game
        if game is None:
            raise NoEntryError(recorded.line, "the record names no game that is known here")
        sealed = recorded.event.sealed
        whole = sealed is not None and recorded.is_whole
        moves = read_moves(game, sealed.phrase if sealed is not None and whole else happened.phrase)
        if isinstance(moves, Fault):
            raise NoEntryError(recorded.line, f"the moves of event {recorded.event.seq} cannot be read")
        return Entry(happened.turn, happened.seat, moves)
    return Entry(entry.number, *_table_word(happened))


def _table_word(payload: Payload) -> tuple[str, tuple[object, ...]]:
    """The name and the move of the entry of an event that is not a turn."""
    match payload:
        case TurnUndone(turn=turn, kept=kept):
            return UNDO, (Undone(turn, kept or 0),)
        case GamePaused(reason=reason):
            return PAUSE, (Paused(reason),)
        case GameResumed(reason=reason):
            return RESUME, (Resumed(reason),)
        case SeatResigned(seat=seat):
            return RESIGN, (Left(seat),)
        case SeatSubstituted(seat=seat, name=name):
            return SUBSTITUTE, (Seated(seat, name),)
        case GameEnded(ending=ending, seats=seats, reason=reason):
            return END, (Ending(ending, seats, reason),)
        case _:
            raise TypeError(f"{payload.KIND} is not an entry of a record")
