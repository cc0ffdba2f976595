"""Hear a record: play it through its game from the first entry to the last.

Every ply is judged and none is skipped; the first that is refused ends the hearing. The record's own claims,
turn numbers, state digests, ending and result, are held against what the moves lead to. A record may stop in
the middle of a turn: that is a game in progress.
"""

from collections.abc import Callable
from typing import Any

from engine.game import CHANCE
from engine.replay import run
from engine.verdict import Verdict
from notation import END, UNDO, WORDS, Entry, Record, Remark
from pbem.judging import record_rules
from pbem.judging.end_checks import judge_ending, judge_result
from pbem.judging.entry_checks import (
    SeatsInPlay,
    TurnStarts,
    digest,
    digests_in,
    judge_digests,
    judge_entry,
    last_undo,
)
from pbem.judging.result import Refusal, ReplayResult
from pbem.judging.start_checks import start_from_headers

Watcher = Callable[[Entry, int, Any], None]
"""Called after each entry that stands, with the turn it was made in and the position it led to."""


def replay_record(
    record: Record, *, until: int | None = None, thrown: bool = False, watch: Watcher | None = None
) -> ReplayResult:
    """Play a record, as far as the end of turn `until` if that is given; `thrown` adds what chance brought next."""
    opening = start_from_headers(record)
    if isinstance(opening, Refusal):
        return ReplayResult(record, refusal=opening)
    game, start = opening
    table = run(game, start)
    advance = table.advance
    seats = frozenset(record.seats)
    past: TurnStarts | None = None
    company = SeatsInPlay()
    plies, last = 0, None
    must_hear = -1 if until is None else last_undo(record, until)
    for order, entry in enumerate(record.entries):
        number, who, moves, remarks, _ = entry
        now = table.turn
        if until is not None and now > until and order > must_hear and not (thrown and who == CHANCE):
            return ReplayResult(record, game, table.position(), plies, last)
        if past is not None:
            past.keep(table)
        if number != now or who not in seats:
            replayed = ReplayResult(record, game, table.position(), plies, last)
            verdict = judge_entry(replayed, entry, company)
            if verdict is not None:
                return _refuse(replayed, verdict, entry)
            if who == END:
                return _close(replayed, order, watch)
            if who == UNDO:
                past = past or TurnStarts(game, start, record, order)
                if not past.reaches(moves[0].turn, table):
                    facts = {"turn": moves[0].turn, "now": now}
                    says = "nothing of turn {turn} can be taken back: play has come to turn {now}"
                    return _refuse(replayed, Verdict(record_rules.U1, says, facts), entry, move=0)
                table, last = past.go_back(moves[0].turn), None
                advance = table.advance
            if who in WORDS:
                verdict = _judge_words(replayed, remarks, table.position())
                if verdict is not None:
                    return _refuse(replayed._replace(position=table.position()), verdict, entry)
                if watch is not None:
                    watch(entry, now, table.position())
                continue
        sealed = digests_in(remarks) if remarks else None
        if sealed and (early := [each for at, some in sealed.items() if at <= 0 for each in some]):
            verdict = judge_digests(early, game, table.position())
            if verdict is not None:
                return _refuse(ReplayResult(record, game, table.position(), plies, last), verdict, entry)
        made = 0
        for move in moves:
            verdict = advance((who, move))
            if verdict is None:
                made += 1
                if sealed is None or made not in sealed:
                    continue
                verdict = judge_digests(sealed[made], game, table.position())
                if verdict is None:
                    continue
                made -= 1
            return _refuse(ReplayResult(record, game, table.position(), plies + made, last), verdict, entry, move=made)
        plies += made
        last = entry
        if watch is not None:
            watch(entry, now, table.position())
    return _check_result(ReplayResult(record, game, table.position(), plies, last))


def _judge_words(replayed: ReplayResult, remarks: tuple[Remark, ...], position: Any) -> Verdict | None:
    """Why a digest that stands beside no move is not that of the position, or None."""
    sealed = [each for seen in digests_in(remarks).values() for each in seen]
    return judge_digests(sealed, replayed.table, position) if sealed else None


def _close(replayed: ReplayResult, order: int, watch: Watcher | None) -> ReplayResult:
    """The hearing at an ending, which must be the last entry."""
    entry = replayed.record.entries[order]
    (ending,) = entry.moves
    verdict = judge_ending(ending, replayed)
    if verdict is not None:
        return _refuse(replayed, verdict, entry, move=0)
    replayed = replayed._replace(ending=ending)
    more = replayed.record.entries[order + 1 :]
    if more:
        facts = {"ending": ending.kind, "turn": replayed.turn}
        return _refuse(
            replayed, Verdict(record_rules.E1, "the record was closed in turn {turn}: {ending}", facts), more[0]
        )
    if watch is not None:
        watch(entry, replayed.turn, replayed.position)
    return _check_result(replayed)


def _check_result(replayed: ReplayResult) -> ReplayResult:
    """The hearing at the end of the record, whose last words and result are held against it."""
    record = replayed.record
    said = record.afterword
    if replayed.ending is not None and record.entries[-1].remarks:
        said = (*record.entries[-1].remarks, *said)
    if said and record.entries:
        verdict = _judge_words(replayed, said, replayed.position)
        if verdict is not None:
            return _refuse(replayed, verdict, record.entries[-1])
    verdict = judge_result(replayed)
    return replayed if verdict is None else replayed._replace(refusal=Refusal(verdict, header="Result"))


def _refuse(replayed: ReplayResult, verdict: Verdict, entry: Entry, *, move: int | None = None) -> ReplayResult:
    state = digest(replayed.table, replayed.position)
    return replayed._replace(refusal=Refusal(verdict, entry, move, turn=replayed.turn, digest=state))
