"""What a player's submission has come to, in words and as plain data."""

from typing import TYPE_CHECKING, Any

from notation import Entry, write_moves
from pbem.terminal.notices import describe_verdict, print_fault, print_reasons, underline
from pbem.terminal.prose import count
from pbem.terminal.refusals import quote_phrase

if TYPE_CHECKING:
    from pbem.judging.result import Hearing
    from pbem.judging.submission import Ruling
    from pbem.terminal.report import Report

SUBMISSION = "move"
"""What stands in the place of a file name when a submitted text is quoted."""


def tell_ruling(ruling: "Ruling", hearing: "Hearing", report: "Report") -> None:
    """Print a ruling; a submission that does not stand is refused."""
    ink = report.ink
    if ruling.fault is not None:
        report.refuse()
        report.say(print_fault(ruling.fault, SUBMISSION, ink))
    elif ruling.verdict is not None:
        report.refuse()
        rule = ruling.verdict.rule
        report.say(f"{ink.paint(SUBMISSION, 'bold')}: {ink.paint(rule.code, 'bold', 'red')} {rule.name}")
        if ruling.phrase:
            entry = Entry(ruling.turn, ruling.seat, ruling.moves)
            report.say(*underline(quote_phrase(hearing.table, entry, ruling.refused), ink))
        report.say(*print_reasons(ruling.verdict, hearing.game))
    else:
        report.say(f"{ink.paint('legal', 'green')}: {ruling.turn}. {ruling.seat}: {ruling.phrase}")
        if ruling.later:
            rest = write_moves(hearing.table, ruling.later)
            report.say(f"  Not judged: {rest}. Something new is known first: dice, a card, or somebody's answer.")
        elif not ruling.complete:
            more = f"{count(ruling.still, 'move')} still to make" if ruling.still else "more to do"
            report.say(f"  The turn is not complete: {ruling.seat} has {more}.")
    report.add(describe_ruling(ruling, hearing))


def describe_ruling(ruling: "Ruling", hearing: "Hearing") -> dict[str, Any]:
    """A ruling as plain data."""
    verdict, fault = ruling.verdict, ruling.fault
    return {
        "seat": ruling.seat,
        "turn": ruling.turn,
        "legal": ruling.stands,
        "phrase": ruling.phrase,
        "later": write_moves(hearing.table, ruling.later) if ruling.later else "",
        "complete": ruling.complete,
        "still": ruling.still,
        "move": ruling.refused,
        "fault": dict(fault.as_data()) if fault is not None else None,
        "verdict": describe_verdict(verdict, hearing.game) if verdict is not None else None,
    }
