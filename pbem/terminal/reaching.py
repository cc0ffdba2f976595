"""Reaching a position: the one that a command line names by file, game and turn."""

from typing import TYPE_CHECKING

from engine.game import CHANCE
from pbem.judging.replay_record import hear
from pbem.terminal.inputs import pick, tell_refusal

if TYPE_CHECKING:
    from engine.game import Seat
    from pbem.judging.result import Hearing
    from pbem.terminal.inputs import Case
    from pbem.terminal.report import Report


def reach(file: str, report: "Report", *, game: int | None, at: int | None = None, thrown: bool = False) -> "Hearing":
    """Hear the record as far as turn `at`, or to its end, or end the command when there is no such position.

    `thrown` adds what chance brought next, such as the dice with which the following turn begins.
    """
    picked = pick(file, game, report)
    if picked is None:
        report.end()
    case, record = picked
    heard = hear(record, until=at, thrown=thrown)
    if heard.refusal is not None:
        report.add(tell_refusal(case, heard, report))
        report.end()
    if not has_reached(heard, at, case, report):
        report.end()
    return heard


def has_reached(heard: "Hearing", at: int | None, case: "Case", report: "Report") -> bool:
    """Whether the record goes as far as turn `at`; that it does not is reported."""
    if at is None or at <= heard.turns:
        return True
    report.problem(f"{case.source.title}: turn {at} was not played; the record has {heard.turns}")
    return False


def players_due(heard: "Hearing") -> list["Seat"]:
    """The seats that can play now: nobody after the end, whatever ended it, and not chance."""
    return [] if heard.finished else [seat for seat in heard.due if seat != CHANCE]


def explain_rest(heard: "Hearing") -> str:
    """That nobody has anything to do, and why: the game is finished, or chance goes first."""
    why = "the game is finished" if heard.finished else "the dice or cards that come next are not in the record"
    return f"nothing can be played: {why}"
