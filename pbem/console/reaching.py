"""Reaching a position: the one that a command line names by file, game and turn."""

from typing import TYPE_CHECKING

from pbem.console.docket import pick, tell_refusal
from pbem.referee.listening import hear

if TYPE_CHECKING:
    from pbem.console.report import Report
    from pbem.referee.hearing import Hearing


def reach(file: str, report: "Report", *, game: int, at: int | None) -> "Hearing":
    """Hear the record as far as turn `at`, or end the command when there is no such position."""
    picked = pick(file, game, report)
    if picked is None:
        report.end()
    case, record = picked
    heard = hear(record, until=at)
    if heard.refusal is not None:
        report.add(tell_refusal(case, heard, report))
        report.end()
    if at is not None and at > heard.turns:
        report.problem(f"{case.source.title}: turn {at} was not played; the record has {heard.turns}")
        report.end()
    return heard
