"""Whether an entry is in its place: its number, whose it is, and what the table's own words may say there.

Turns in the right place do not come here; their moves are for the game to judge.
"""

from dataclasses import dataclass, field

from engine.game import CHANCE, Ply, Seat
from engine.verdict import Verdict
from notation import PAUSE, RESIGN, RESUME, SUBSTITUTE, WORDS, Entry
from pbem.judging import record_rules
from pbem.judging.result import Hearing


@dataclass(slots=True)
class Company:
    """Who has left the table, and for which reasons it is at rest; an entry may change either."""

    gone: set[Seat] = field(default_factory=set)
    pauses: set[str] = field(default_factory=set)


def judge_entry(heard: Hearing, entry: Entry, company: Company) -> Verdict | None:
    """What is wrong with an entry before any of its moves is looked at, or None; one that stands changes `company`."""
    seats, turn, due = heard.record.seats, heard.turn, ", ".join(heard.due) or "nobody"
    facts = {"who": entry.who, "number": entry.number, "turn": turn, "due": due, "seats": ", ".join(seats)}
    if entry.number not in (turn, None):
        says = "this entry says turn {number}, but play has come to turn {turn}"
        return _judge_short_turn(heard, entry) or Verdict(record_rules.T1, says, facts)
    if entry.who == CHANCE and CHANCE not in heard.due:
        return Verdict(record_rules.W2, "no roll or draw is due in turn {turn}; {due} is to move", facts)
    if entry.who not in (*seats, CHANCE, *WORDS):
        return Verdict(record_rules.W1, "nobody sits at {who}; the seats are {seats}", facts)
    if entry.who in (PAUSE, RESUME):
        return _judge_pause(entry, company.pauses)
    if entry.who in (SUBSTITUTE, RESIGN):
        facts["who"] = seat = entry.moves[0].seat
        if seat not in seats:
            return Verdict(record_rules.W1, "nobody sits at {who}; the seats are {seats}", facts)
        if entry.who == SUBSTITUTE:
            company.gone.discard(seat)
        else:
            return _judge_leaving(seat, seats, company.gone)
    return None


def _judge_leaving(seat: Seat, seats: tuple[Seat, ...], gone: set[Seat]) -> Verdict | None:
    """A seat is left once, until somebody takes it; and two must stay, or the game is over."""
    facts = {"seat": seat, "all": " ".join(each for each in seats if each in gone or each == seat)}
    if seat in gone:
        return Verdict(record_rules.L1, "{seat} has given up before, and nobody has taken the seat since", facts)
    if len(seats) - len(gone) <= 2:
        return Verdict(record_rules.L2, "without {seat} too few are left to play on; write end: resigned {all}", facts)
    gone.add(seat)
    return None


def _judge_short_turn(heard: Hearing, entry: Entry) -> Verdict | None:
    """What the game says of a turn that was left short, when the next one begins before it is complete."""
    left_short = heard.last is not None and heard.last.number == heard.turn == (entry.number or 0) - 1
    if not left_short or entry.who in heard.due or entry.who not in heard.record.seats:
        return None
    return heard.table.judge(heard.position, Ply(entry.who, entry.moves[0]))


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
