"""Folding events into a table.

Events are facts: folding does not judge them again, but reads and plays their moves to know the position. Each kind of
event has one function here that changes the table.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from engine import registry
from engine.game import CHANCE, GameRules, Ply, Seat
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
from pbem.events.chain import Draft, Event, extend_move_chain, opens_epoch, start_move_chain
from pbem.events.history_mark import add_mark, is_restore
from pbem.events.kinds import (
    AbsenceAnnounced,
    AbsenceCancelled,
    CaseAppealed,
    CaseClosed,
    CaseRuled,
    CaseWarranted,
    ChanceDealt,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    MovesMade,
    PressSent,
    RoundAwaited,
    RoundPublished,
    SeatResigned,
    SeatSubstituted,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    VoteObjected,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import (
    NOTES,
    GameCalledOff,
    GameRestored,
    KeyReplaced,
    MissExcused,
    PlayerInvited,
    TermChanged,
)
from pbem.judging.entries import standing_entries
from pbem.tables.decision import record_space
from pbem.tables.fold_consent import (
    ask_vote,
    change_term,
    count_no,
    count_yes,
    drop_vote,
    excuse_miss,
    votes_without,
    without_vote,
)
from pbem.tables.gathering import accept_seat, call_off, free_seat, invite_to_seat
from pbem.tables.pencils import pencils_after
from pbem.tables.reliability import begin_tally
from pbem.tables.table import (
    OVER,
    PLAYING,
    VOTED,
    Case,
    CaseRuling,
    Table,
    Warrant,
    attribute_entry,
    replace_case,
)
from pbem.tables.take_back import apply_entries, mark_made_for, mark_taken_back

_REFEREE: Final = "referee"
"""The author of the events of a ruling."""


class BrokenHistoryError(Exception):
    """The events of a game contradict each other: a bug or a damaged database, never a player's mistake."""


def fold(events: Iterable[Event]) -> Table:
    """The table after some events, from the first on."""
    stream = iter(events)
    first = next(stream, None)
    if first is None:
        raise BrokenHistoryError("a game without events")
    try:
        table = _opened(first)
    except Exception as problem:
        raise _damage(first, problem) from problem
    for event in stream:
        table = apply_event(table, event)
    return table


def apply_event(table: Table, event: Event) -> Table:
    """The table after one more event."""
    try:
        return _change(table, event, event.at, seq=event.seq, head=event.hash)
    except Exception as problem:
        raise _damage(event, problem) from problem


def _damage(event: Event, problem: Exception) -> BrokenHistoryError:
    """Events are facts: if one cannot be applied, it is not the event that was stored."""
    if isinstance(problem, BrokenHistoryError):
        return problem
    return BrokenHistoryError(
        f"event {event.seq} of {event.game} does not follow from those before it: {type(problem).__name__}"
    )


def apply_drafts(table: Table, drafts: Iterable[Draft]) -> Table:
    """The table as it would be after some drafts; its place in the chain stays."""
    for draft in drafts:
        table = _change(table, draft, "")
    return table


def _change(table: Table, event: Draft | Event, at: str, **place: Any) -> Table:
    """The table after an event or a draft; `place` holds the event's number and hash, if it has them."""
    # Whole histories are folded, so only one new Table is made for each event where possible.
    payload = event.payload
    place["moves"] = extend_move_chain(table.moves, payload)
    place["written"] = table.written + record_space(event)
    if table.awaits_rounds:
        place["rounds"] = table.rounds.after(payload, at)
    place |= {"pencils": pencils_after(table.pencils, payload), "stand_ins": table.stand_ins.after(payload)}
    if is_restore(payload):
        place["restores"] = table.restores + 1
    if "head" in place:
        epoch, restores = table.epoch + opens_epoch(payload), place.get("restores", table.restores)
        place["marks"] = add_mark(table.marks, payload, place["head"], restores=restores, epoch=epoch)
    if at and table.is_second_form:
        place["tally"] = table.tally.after(payload, place["seq"], at)
    if isinstance(payload, MovesMade):
        changed = _play(table, payload, event.phrase, **place)
    else:
        changed = _CHANGES[type(payload)](replace(table, **place), payload, at)
    if table.is_second_form:
        changed = _count_asked(table, changed, payload, place.get("seq", table.seq + 1))
    return _attribute(changed, event) if changed.cases else changed


def _count_asked(before: Table, table: Table, payload: Payload, seq: int) -> Table:
    """The table with the number of the event since which each seat is due; whoever moved is asked anew."""
    mover = payload.seat if isinstance(payload, MovesMade) else None
    kept = before.asked_by
    asked = {seat: kept[seat] if seat in kept and seat != mover else seq for seat in table.due if seat != CHANCE}
    return table if asked == kept else replace(table, asked_by=asked)


def _attribute(table: Table, event: Draft | Event) -> Table:
    """The table with an entry attributed to a ruling, if the referee made it or it followed by itself."""
    payload = event.payload
    ruled = isinstance(payload, TurnUndone | TurnPlayed | SeatSubstituted) and payload.by == _REFEREE
    if not ruled and not isinstance(payload, ChanceDealt | GameEnded):
        return table
    return replace(table, cases=attribute_entry(table.cases, len(table.entries)))


def _opened(event: Event) -> Table:
    first = event.payload
    game = registry.find_game(first.game, first.rules) if isinstance(first, GameOpened) else None
    if game is None or not isinstance(first, GameOpened):
        raise BrokenHistoryError(f"event {event.seq} of {event.game} opens no table that is known here")
    return Table(
        id=event.game,
        game=game,
        seats=first.seats,
        founders=first.names,
        names=first.names,
        options=_in_order(game, first.options),
        terms=first.terms,
        headers=first.headers,
        proof=first.promised,
        key=str(first.promised.get("key", "")),
        tally=begin_tally(first),
        moves=start_move_chain(event.game),
        marks=add_mark((), first, event.hash, restores=0, epoch=0),
        seq=event.seq,
        head=event.hash,
    )


def _in_order(game: GameRules, options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The options in the game's order, which an event's data does not keep."""
    return tuple((each.name, options[each.name]) for each in game.options if each.name in options)


def _restored(table: Table, event: GameRestored, at: str) -> Table:
    return replace(table, epoch=table.epoch + 1)


def _rekeyed(table: Table, event: KeyReplaced, at: str) -> Table:
    return replace(table, key=event.key)


def _started(table: Table, event: GameStarted, at: str) -> Table:
    begun = replace(table, stage=PLAYING, options=_in_order(table.game, event.options))
    begun = replace(begun, position=_start(begun))
    return replace(begun, asked_in=dict.fromkeys(begun.due, begun.turn))


def _start(table: Table) -> Any:
    position = table.game.start(table.setup)
    if isinstance(position, Verdict):
        raise BrokenHistoryError(f"{table.id} cannot start: {position}")
    return position


def _play(table: Table, made: MovesMade, phrase: str, **place: Any) -> Table:
    game, position, mover = table.game, table.position, made.seat
    moves = read_moves(game, phrase)
    if isinstance(moves, Fault):
        raise BrokenHistoryError(f"turn {made.turn} of {table.id} cannot be read: {phrase}")
    for move in moves:
        position = game.apply(position, Ply(mover, move))
    due = game.to_act(position) if table.stage == PLAYING else ()
    return replace(
        table,
        position=position,
        entries=(*table.entries, Entry(table.turn, mover, moves)),
        made_for=mark_made_for(table, made),
        asked_in=_asked_in(table.asked_in, mover, due, game.turn(position)),
        # A move ends a vote about an undo that was asked for before it.
        votes=votes_without(table, UNDO),
        **place,
    )


def _asked_in(before: Mapping[Seat, int], mover: Seat, due: tuple[Seat, ...], now: int) -> Mapping[Seat, int]:
    """Since which turn each seat has been due; a seat that moved is due anew, and chance waits for no seat."""
    others = {seat: turn for seat, turn in before.items() if seat != mover}
    return others if due == (CHANCE,) else {seat: others.get(seat, now) for seat in due}


def _undone(table: Table, event: TurnUndone, at: str) -> Table:
    back = _note(without_vote(table, UNDO), UNDO, Undone(event.turn, event.kept or 0))
    position = apply_entries(table.game, _start(back), standing_entries(back.entries))
    undone = replace(back, position=position, epoch=table.epoch + 1)
    return replace(undone, asked_in=dict.fromkeys(undone.due, undone.turn), taken_back=mark_taken_back(table, event))


def _paused(table: Table, event: GamePaused, at: str) -> Table:
    reason = event.reason
    table = without_vote(table, PAUSE) if reason == VOTED else table
    return replace(_note(table, PAUSE, Paused(reason)), pauses=table.pauses | {reason})


def _resumed(table: Table, event: GameResumed, at: str) -> Table:
    reason = event.reason
    table = without_vote(table, RESUME) if reason == VOTED else table
    return replace(_note(table, RESUME, Resumed(reason)), pauses=table.pauses - {reason})


def _resigned(table: Table, event: SeatResigned, at: str) -> Table:
    seat = event.seat
    return replace(_note(table, RESIGN, Left(seat)), resigned=(*table.resigned, seat))


def _substituted(table: Table, event: SeatSubstituted, at: str) -> Table:
    seat, name = event.seat, event.name
    resigned = tuple(other for other in table.resigned if other != seat)
    # Days away belong to the player who left, not to the seat.
    absences = {other: days for other, days in table.absences.items() if other != seat}
    # So does what that player agreed or objected to: the new one is asked anew.
    votes = {
        what: replace(vote, agreed=vote.agreed - {seat}, against=vote.against - {seat})
        for what, vote in table.votes.items()
    }
    noted = _note(table, SUBSTITUTE, Seated(seat, name))
    return replace(noted, names={**table.names, seat: name}, resigned=resigned, absences=absences, votes=votes)


def _ended(table: Table, event: GameEnded, at: str) -> Table:
    ending = Ending(event.ending, event.seats, event.reason)
    cases = tuple(replace(case, is_open=False) for case in table.cases)
    over = replace(_note(table, END, ending), stage=OVER, ending=ending, result=event.result)
    return replace(over, votes={}, cases=cases)


def _appealed(table: Table, event: CaseAppealed, at: str) -> Table:
    case = Case(event.case, event.by, event.turn, event.words, at, table.seq, played=table.was_played(event.turn))
    return replace(table, cases=(*table.cases, case))


def _case(table: Table, number: int) -> Case:
    found = next((case for case in table.cases if case.number == number), None)
    if found is None:
        raise BrokenHistoryError(f"{table.id} has no case {number}")
    return found


def _ruled(table: Table, event: CaseRuled, at: str) -> Table:
    case, so_far = _case(table, event.case), len(table.entries)
    decree = CaseRuling(event.ruling, event.reason, at, so_far, so_far)
    return replace(table, cases=replace_case(table.cases, replace(case, decrees=(*case.decrees, decree))))


def _warranted(table: Table, event: CaseWarranted, at: str) -> Table:
    case = _case(table, event.case)
    warrant = Warrant(event.seat, event.reason, at)
    return replace(table, cases=replace_case(table.cases, replace(case, warrants=(*case.warrants, warrant))))


def _closed(table: Table, event: CaseClosed, at: str) -> Table:
    return replace(table, cases=replace_case(table.cases, replace(_case(table, event.case), is_open=False)))


def _absent(table: Table, event: AbsenceAnnounced, at: str) -> Table:
    length = (event.last - event.first).days + 1
    days = frozenset(event.first + timedelta(days=day) for day in range(length))
    return replace(table, absences={**table.absences, event.seat: table.absences.get(event.seat, frozenset()) | days})


def _returned(table: Table, event: AbsenceCancelled, at: str) -> Table:
    kept = frozenset(day for day in table.absences.get(event.seat, ()) if day < event.first)
    return replace(table, absences={**table.absences, event.seat: kept})


def _unchanged(table: Table, event: Payload, at: str) -> Table:
    return table


def _note(table: Table, word: str, said: object) -> Table:
    """The table with one more entry that is not a turn."""
    return replace(table, entries=(*table.entries, Entry(table.turn, word, (said,))))


_CHANGES: Final[Mapping[type[Payload], Callable[[Table, Any, str], Table]]] = {
    InvitationAccepted: accept_seat,
    InvitationDeclined: free_seat,
    GameStarted: _started,
    TurnUndone: _undone,
    VoteAsked: ask_vote,
    VoteAgreed: count_yes,
    VoteObjected: count_no,
    VoteDropped: drop_vote,
    GamePaused: _paused,
    GameResumed: _resumed,
    SeatResigned: _resigned,
    SeatSubstituted: _substituted,
    GameEnded: _ended,
    CaseAppealed: _appealed,
    CaseRuled: _ruled,
    CaseWarranted: _warranted,
    CaseClosed: _closed,
    AbsenceAnnounced: _absent,
    AbsenceCancelled: _returned,
    PlayerInvited: invite_to_seat,
    GameCalledOff: call_off,
    GameRestored: _restored,
    KeyReplaced: _rekeyed,
    **dict.fromkeys((PressSent, TimeExtended, RoundAwaited, RoundPublished, *NOTES), _unchanged),
    MissExcused: excuse_miss,
    TermChanged: change_term,
}
"""How each kind of event changes a table; words, extra time, beacon rounds and notes leave it as it is."""
