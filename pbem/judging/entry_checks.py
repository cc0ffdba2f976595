"""What is checked of an entry besides its moves: its place, what the table's own words say, undo, state digests.

Moves are for the game to judge. A state digest, ``[%state 5f0c…]`` after a move, claims which position the moves lead
to.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.game import CHANCE, GameRules, Ply, Seat
from engine.replay import Run, run
from engine.verdict import Verdict
from notation import ANNOTATION, PAUSE, RESIGN, RESUME, SUBSTITUTE, UNDO, WORDS, Entry, Record, Remark
from pbem.judging import record_rules
from pbem.judging.result import ReplayResult

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class SeatsInPlay:
    """Who has left the table, and for which reasons the game is paused; entries change both."""

    gone: set[Seat] = field(default_factory=set)
    pauses: set[str] = field(default_factory=set)


def judge_entry(replayed: ReplayResult, entry: Entry, in_play: SeatsInPlay) -> Verdict | None:
    """What is wrong with an entry before any of its moves is looked at, or None; one that stands changes `company`."""
    seats, turn, due = replayed.record.seats, replayed.turn, ", ".join(replayed.due) or "nobody"
    facts = {"who": entry.who, "number": entry.number, "turn": turn, "due": due, "seats": ", ".join(seats)}
    if entry.number not in (turn, None):
        says = "this entry says turn {number}, but play has come to turn {turn}"
        return _judge_short_turn(replayed, entry) or Verdict(record_rules.T1, says, facts)
    if entry.who == CHANCE and CHANCE not in replayed.due:
        return Verdict(record_rules.W2, "no roll or draw is due in turn {turn}; {due} is to move", facts)
    if entry.who not in (*seats, CHANCE, *WORDS):
        return Verdict(record_rules.W1, "nobody sits at {who}; the seats are {seats}", facts)
    if entry.who in (PAUSE, RESUME):
        return _judge_pause(entry, in_play.pauses)
    if entry.who in (SUBSTITUTE, RESIGN):
        facts["who"] = seat = entry.moves[0].seat
        if seat not in seats:
            return Verdict(record_rules.W1, "nobody sits at {who}; the seats are {seats}", facts)
        if entry.who == SUBSTITUTE:
            in_play.gone.discard(seat)
        else:
            return _judge_leaving(seat, seats, in_play.gone)
    return None


def _judge_leaving(seat: Seat, seats: tuple[Seat, ...], gone: set[Seat]) -> Verdict | None:
    """A seat can be left once, until somebody takes it; and two must stay, or the game is over."""
    facts = {"seat": seat, "all": " ".join(each for each in seats if each in gone or each == seat)}
    if seat in gone:
        return Verdict(record_rules.L1, "{seat} has given up before, and nobody has taken the seat since", facts)
    if len(seats) - len(gone) <= 2:
        return Verdict(record_rules.L2, "without {seat} too few are left to play on; write end: resigned {all}", facts)
    gone.add(seat)
    return None


def _judge_short_turn(replayed: ReplayResult, entry: Entry) -> Verdict | None:
    """What the game says if the next turn begins before the last one is complete."""
    left_short = replayed.last is not None and replayed.last.number == replayed.turn == (entry.number or 0) - 1
    if not left_short or entry.who in replayed.due or entry.who not in replayed.record.seats:
        return None
    return replayed.table.judge(replayed.position, Ply(entry.who, entry.moves[0]))


def _judge_pause(entry: Entry, pauses: set[str]) -> Verdict | None:
    """A pause begins once for each reason, and ends once."""
    reason = entry.moves[0].reason
    if entry.who == PAUSE and reason in pauses:
        return Verdict(record_rules.Q1, "the game is paused for that reason already: {reason}", {"reason": reason})
    if entry.who != PAUSE and reason not in pauses:
        facts = {"reason": reason, "reasons": ", ".join(sorted(pauses)) or "none"}
        return Verdict(record_rules.Q1, "the game is not paused for that reason: {reason}; there is {reasons}", facts)
    pauses ^= {reason}
    return None


class TurnStarts:
    """The positions of every turn, at its beginning and after each of its entries, for records with ``undo``.

    Few records have one, so nothing is kept before the first undo, which is entry number `order`: then the play so
    far, which has been judged, is repeated once.
    """

    def __init__(self, game: GameRules, start: object, record: Record, order: int) -> None:
        self._game = game
        table = run(game, start)
        self._turns: dict[int, list[object]] = {table.turn: [table.position()]}
        for entry in record.entries[:order]:
            if entry.who not in WORDS:
                turn = table.turn
                for move in entry.moves:
                    table.advance(Ply(entry.who, move))
                self.keep(turn, table)

    def keep(self, turn: int, table: Run[object]) -> None:
        """Keep the position after an entry of a turn; another turn may begin with it."""
        position = table.position()
        self._turns[turn].append(position)
        self._turns.setdefault(table.turn, [position])

    def reaches(self, turn: int, kept: int, table: Run[object]) -> bool:
        """True if play can go back to a place in a turn, be it the beginning of the turn at hand, as after a restore.

        Where entries of the turn are kept, there is one after them.
        """
        return turn <= table.turn and turn in self._turns and (kept == 0 or 0 < kept < len(self._turns[turn]) - 1)

    def go_back(self, turn: int, kept: int) -> Run[object]:
        """Play from a place in a turn; what came later is forgotten."""
        while next(reversed(self._turns)) != turn:
            self._turns.popitem()
        del self._turns[turn][kept + 1 :]
        return run(self._game, self._turns[turn][kept])


def last_undo(record: Record, turn: int) -> int:
    """The index of the last entry that goes back to `turn` or further, -1 when there is none."""
    return max(
        (index for index, entry in enumerate(record.entries) if entry.who == UNDO and entry.moves[0].turn <= turn),
        default=-1,
    )


STATE = "state"


def add_digest(entry: Entry, game: GameRules, position: object) -> Entry:
    """The entry with the digest of the position after it."""
    mark = Remark(len(entry.moves), ANNOTATION, f"{STATE} {digest(game, position)}")
    return entry._replace(remarks=(*entry.remarks, mark))


def digests_in(remarks: "Iterable[Remark]") -> dict[int, list[str]]:
    """The digests among some remarks, by the number of moves before them."""
    found: dict[int, list[str]] = {}
    for remark in remarks:
        if remark.kind == ANNOTATION:
            name, _, value = remark.value.partition(" ")
            if name == STATE:
                found.setdefault(remark.at, []).append(value.strip())
    return found


def judge_digests(digests: "Iterable[str]", game: GameRules, position: object) -> Verdict | None:
    """Why one of these digests is not that of the position, or None."""
    found = digest(game, position)
    wrong = next((each for each in digests if each.lower() != found), None)
    if wrong is None:
        return None
    facts = {"sealed": wrong, "found": found}
    return Verdict(record_rules.S1, "the record says state {sealed}, but the moves lead to {found}", facts)


def digest(game: GameRules, position: object) -> str:
    """The digest of what everybody may know of a position."""
    from engine.digest import digest as take  # JSON, which a record without digests does not need

    return take(game, position)
