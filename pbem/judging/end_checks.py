"""Whether the ending and the result of a record fit the position that the moves lead to."""

from collections.abc import Sequence

from engine.score import Score
from engine.verdict import Verdict
from notation import ADJUDICATED, LOSING, NORMAL, UNFINISHED, Ending, Fault, Standing, read_result, write_result
from pbem.judging import record_rules
from pbem.judging.result import ReplayResult


def judge_ending(ending: Ending, replayed: ReplayResult) -> Verdict | None:
    """Why an ending does not fit, or None."""
    seats, due = replayed.record.seats, replayed.due
    facts = {"kind": ending.kind, "due": ", ".join(due), "seats": ", ".join(seats), "turn": replayed.turns}
    if ending.kind == NORMAL and due:
        return Verdict(record_rules.E2, "the game is not over: {due} is to move", facts)
    if ending.kind != NORMAL and not due:
        return Verdict(record_rules.E3, "the game was over after turn {turn}; its ending is normal, not {kind}", facts)
    for index, seat in enumerate(ending.seats):
        if seat not in seats or seat in ending.seats[:index]:
            return Verdict(
                record_rules.E4, "it names {seat}; the seats, each once, are {seats}", {**facts, "seat": seat}
            )
    if ending.kind == ADJUDICATED and not ending.reason.strip():
        return Verdict(record_rules.E5, "the referee gave no reason; write it after {kind}, in quotation marks", facts)
    return None


def judge_result(replayed: ReplayResult) -> Verdict | None:
    """Why the record's result does not fit, or None."""
    seats, ending = replayed.record.seats, replayed.ending
    given = replayed.record.header("Result") or UNFINISHED
    if given == UNFINISHED:
        return Verdict(record_rules.R1, "the game has ended, but its result says *") if ending is not None else None
    if replayed.finished:
        score = replayed.score
        if score.untold:
            says = "the points of {seats} rest on what this copy of the record hides"
            return Verdict(record_rules.R3, says, {"seats": ", ".join(score.untold)})
        if given == write_result(standings(score)):
            return None  # as most are; reading it would take longer
    result = read_result(given, replayed.record.header("Game"))
    if isinstance(result, Fault):
        return Verdict(result.rule, "{message}", {"message": result.message})
    if not replayed.finished:
        return Verdict(
            record_rules.R2, "the game goes on, {due} is to move; its result is *", {"due": ", ".join(replayed.due)}
        )
    named = tuple(standing.seat for standing in result)
    if named != seats:
        facts = {"named": ", ".join(named), "seats": ", ".join(seats)}
        return Verdict(record_rules.R3, "the result lists {named}; the seats in their order are {seats}", facts)
    if ending is not None and ending.kind == ADJUDICATED:
        return None
    return _judge_points(result, score) or _judge_winners(result, score, replayed)


def standings(score: Score) -> tuple[Standing, ...]:
    """What a Result header says of a score."""
    return tuple(Standing(tally.seat, tally.total, tally.seat in score.winners) for tally in score.tallies)


def _judge_points(result: Sequence[Standing], score: Score) -> Verdict | None:
    for standing in result:
        points = score.total(standing.seat)
        if standing.points is not None and standing.points != points:
            facts = {"seat": standing.seat, "given": standing.points, "points": points}
            return Verdict(record_rules.R3, "{seat} has {points} points, not {given}", facts)
    return None


def _judge_winners(result: Sequence[Standing], score: Score, replayed: ReplayResult) -> Verdict | None:
    marked = tuple(standing.seat for standing in result if standing.won)
    ending = replayed.ending
    if score.winners and marked != score.winners:
        facts = {"marked": ", ".join(marked) or "nobody", "winners": ", ".join(score.winners)}
        return Verdict(record_rules.R3, "the result lets {marked} win; by the rules it is {winners}", facts)
    if ending is not None and ending.kind in LOSING:
        for seat in ending.seats:
            if seat in marked:
                return Verdict(record_rules.R3, "{seat} cannot have won: {kind}", {"seat": seat, "kind": ending.kind})
    return None
