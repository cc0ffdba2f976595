"""Hear a record: play it through its game from the first entry to the last.

Every ply is judged and none is skipped; the first that is refused ends the hearing. The record's own claims,
turn numbers, state digests, ending and result, are held against what the moves lead to. A record may stop in
the middle of a turn: that is a game in progress.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.game import CHANCE, Ply, Seat
from engine.replay import run
from engine.verdict import Verdict
from notation import Entry, Record
from pbem.referee import rules
from pbem.referee.closing import END, judge_ending, judge_result
from pbem.referee.hearing import Hearing
from pbem.referee.opening import open_table
from pbem.referee.refusal import Refusal
from pbem.referee.sealing import digest, judge_seal, seals

Watcher = Callable[[Entry, Any], None]
"""Called after each entry with the position it led to."""

make_ply: Callable[[tuple[Seat, Any]], Ply] = partial(tuple.__new__, Ply)
"""A Ply of its two parts in half the time that a named tuple takes: every ply of an archive is made here."""


def hear(record: Record, *, until: int | None = None, watch: Watcher | None = None) -> Hearing:
    """Play a record, as far as the end of turn `until` if that is given."""
    opening = open_table(record)
    if isinstance(opening, Refusal):
        return Hearing(record, refusal=opening)
    game, position = opening
    table = run(game, position)
    advance = table.advance
    seats = frozenset(record.seats)
    plies = 0
    for order, entry in enumerate(record.entries):
        number, who, moves, remarks, _ = entry
        now = table.turn
        if until is not None and now > until:
            return Hearing(record, game, table.position(), plies)
        if number != now or who not in seats:
            heard = Hearing(record, game, table.position(), plies)
            verdict = _judge_entry(heard, entry)
            if verdict is not None:
                return _refuse(heard, verdict, entry)
            if who == END:
                return _close(heard, order)
        sealed = seals(remarks) if remarks else None
        for index, move in enumerate(moves):
            verdict = advance(make_ply((who, move)))
            if verdict is None and sealed is not None and index + 1 in sealed:
                verdict = judge_seal(sealed[index + 1], game, table.position())
            if verdict is not None:
                return _refuse(Hearing(record, game, table.position(), plies + index), verdict, entry, move=index)
        plies += len(moves)
        if watch is not None:
            watch(entry, table.position())
    return _check_result(Hearing(record, game, table.position(), plies))


def _judge_entry(heard: Hearing, entry: Entry) -> Verdict | None:
    """What is wrong with an entry before any of its moves is looked at, or None."""
    seats, turn, due = heard.record.seats, heard.turn, ", ".join(heard.due) or "nobody"
    facts = {"who": entry.who, "number": entry.number, "turn": turn, "due": due, "seats": ", ".join(seats)}
    if entry.number not in (turn, None):
        return Verdict(rules.T1, "this entry says turn {number}, but play has come to turn {turn}", facts)
    if entry.who == CHANCE and CHANCE not in heard.due:
        return Verdict(rules.W2, "no roll or draw is due in turn {turn}; {due} is to move", facts)
    if entry.who not in (*seats, CHANCE, END):
        return Verdict(rules.W1, "nobody sits at {who}; the seats are {seats}", facts)
    return None


def _close(heard: Hearing, order: int) -> Hearing:
    """The hearing at an ending, which must be the last entry."""
    entry = heard.record.entries[order]
    (ending,) = entry.moves
    verdict = judge_ending(ending, heard)
    if verdict is not None:
        return _refuse(heard, verdict, entry, move=0)
    heard = heard._replace(ending=ending)
    more = heard.record.entries[order + 1 :]
    if more:
        facts = {"ending": ending.kind, "turn": heard.turn}
        return _refuse(heard, Verdict(rules.E1, "the record was closed in turn {turn}: {ending}", facts), more[0])
    return _check_result(heard)


def _check_result(heard: Hearing) -> Hearing:
    verdict = judge_result(heard)
    return heard if verdict is None else heard._replace(refusal=Refusal(verdict, header="Result"))


def _refuse(heard: Hearing, verdict: Verdict, entry: Entry, *, move: int | None = None) -> Hearing:
    state = digest(heard.table, heard.position)
    return heard._replace(refusal=Refusal(verdict, entry, move, turn=heard.turn, digest=state))
