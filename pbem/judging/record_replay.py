"""Replay a record: play it through its game from the first entry to the last.

Every ply is judged; the first one that breaks a rule ends the replay. What the record claims (turn numbers, state
digests, ending, result) is checked against what the moves lead to. A record may stop in the middle of a turn: that is
a game in progress.
"""

from collections.abc import Callable

from engine.game import CHANCE, GameRules
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

Watcher = Callable[[Entry, int, object], None]
"""Called after each legal entry, with the turn it was made in and the position it led to."""


def replay_record(
    record: Record, *, until: int | None = None, thrown: bool = False, watch: Watcher | None = None
) -> ReplayResult:
    """Replay a record, up to the end of turn `until` if that is given.

    `thrown` also plays the dice or cards that came next. `watch` sees every entry.
    """
    opening = start_from_headers(record)
    if isinstance(opening, Refusal):
        return ReplayResult(record, refusal=opening)
    replay = _Replay(record, *opening, watch)
    # A later undo may lead back to turns up to `until`, so nothing before it may be left out.
    must_read = -1 if until is None else last_undo(record, until)
    for order, entry in enumerate(record.entries):
        is_past = until is not None and replay.run.turn > until and order > must_read
        if is_past and not (thrown and entry.who == CHANCE):
            return replay.result()
        ended = replay.take(order, entry)
        if ended is not None:
            return ended
    return _check_result(replay.result())


class _Replay:
    """A record in the middle of being replayed."""

    __slots__ = ("_in_play", "_last", "_players", "_plies", "_record", "_start", "_starts", "_watch", "game", "run")

    def __init__(self, record: Record, game: GameRules, start: object, watch: Watcher | None) -> None:
        self.game = game
        self.run = run(game, start)
        self._record = record
        self._players = frozenset((*record.seats, CHANCE))
        self._start = start
        self._starts: TurnStarts | None = None
        self._in_play = SeatsInPlay()
        self._plies = 0
        self._last: Entry | None = None
        self._watch = watch

    def result(self) -> ReplayResult:
        """How far the replay has come."""
        return ReplayResult(self._record, self.game, self.run.position(), self._plies, self._last)

    def take(self, order: int, entry: Entry) -> ReplayResult | None:
        """Play entry number `order`; the result if the replay ends with it, because it is refused or is an ending."""
        now = self.run.turn
        if entry.number != now or entry.who not in self._players or (entry.who == CHANCE and entry.remarks):
            replayed = self.result()
            verdict = judge_entry(replayed, entry, self._in_play)
            if verdict is not None:
                return _refuse(replayed, verdict, entry)
            if entry.who == END:
                return _close(replayed, order, self._watch)
            if entry.who in WORDS:
                return self._take_table_word(replayed, order, now)
        ended = self._play(entry)
        if ended is None and self._starts is not None:
            self._starts.keep(now, self.run)
        if ended is None and self._watch is not None:
            self._watch(entry, now, self.run.position())
        return ended

    def _take_table_word(self, replayed: ReplayResult, order: int, now: int) -> ReplayResult | None:
        """An entry of the table itself (a pause, a substitute, an undo …), already judged to be in its place."""
        entry = self._record.entries[order]
        if entry.who == UNDO:
            turn, kept = entry.moves[0]
            self._starts = self._starts or TurnStarts(self.game, self._start, self._record, order)
            if not self._starts.reaches(turn, kept, self.run):
                says = "nothing of turn {turn} can be taken back: play has come to turn {now}"
                verdict = Verdict(record_rules.U1, says, {"turn": turn, "now": now})
                return _refuse(replayed, verdict, entry, move=0)
            self.run, self._last = self._starts.go_back(turn, kept), None
        position = self.run.position()
        wrong = _judge_all_digests(replayed, entry.remarks, position)
        if wrong is not None:
            return _refuse(replayed._replace(position=position), wrong, entry)
        if self._watch is not None:
            self._watch(entry, now, position)
        return None

    def _play(self, entry: Entry) -> ReplayResult | None:
        """The moves of an entry, and the state digests beside them."""
        who, digests = entry.who, digests_in(entry.remarks) if entry.remarks else None
        if digests and (early := [each for at, some in digests.items() if at <= 0 for each in some]):
            verdict = judge_digests(early, self.game, self.run.position())
            if verdict is not None:
                return _refuse(self.result(), verdict, entry)
        advance = self.run.advance
        made = 0
        for move in entry.moves:
            verdict = advance((who, move))
            if verdict is None and digests is not None and made + 1 in digests:
                verdict = judge_digests(digests[made + 1], self.game, self.run.position())
            if verdict is not None:
                replayed = self.result()
                if who == CHANCE and not made:  # that nothing is left to chance says more
                    misplaced = judge_entry(replayed, entry, self._in_play)
                    if misplaced is not None:
                        return _refuse(replayed, misplaced, entry)
                return _refuse(replayed._replace(plies=replayed.plies + made), verdict, entry, move=made)
            made += 1
        self._plies += made
        self._last = entry
        return None


def _judge_all_digests(replayed: ReplayResult, remarks: tuple[Remark, ...], position: object) -> Verdict | None:
    """Why a digest that stands beside no move is not that of the position, or None."""
    digests = [each for some in digests_in(remarks).values() for each in some]
    return judge_digests(digests, replayed.table, position) if digests else None


def _close(replayed: ReplayResult, order: int, watch: Watcher | None) -> ReplayResult:
    """The result at an ending, which must be the last entry."""
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
    """The result at the end of the record, after its last remarks and its Result header were checked."""
    record = replayed.record
    remarks = record.afterword
    if replayed.ending is not None and record.entries[-1].remarks:
        remarks = (*record.entries[-1].remarks, *remarks)
    if remarks and record.entries:
        verdict = _judge_all_digests(replayed, remarks, replayed.position)
        if verdict is not None:
            return _refuse(replayed, verdict, record.entries[-1])
    verdict = judge_result(replayed)
    return replayed if verdict is None else replayed._replace(refusal=Refusal(verdict, header="Result"))


def _refuse(replayed: ReplayResult, verdict: Verdict, entry: Entry, *, move: int | None = None) -> ReplayResult:
    state = digest(replayed.table, replayed.position)
    return replayed._replace(refusal=Refusal(verdict, entry, move, turn=replayed.turn, digest=state))
