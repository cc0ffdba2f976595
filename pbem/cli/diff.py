"""`pbem diff A B`: where two records part, and why."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Annotated

import typer

from notation.faults import printable
from pbem.archive.source import STDIN
from pbem.judging.compare import ENDING, LENGTH, MOVE, SEAT, Difference, compare_records
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import count
from pbem.terminal.inputs import GameInFile, read_all_games, report_faults
from pbem.terminal.report import Report

_WHY = {
    MOVE: "another move",
    SEAT: "another seat moves",
    ENDING: "another ending",
    LENGTH: "one of them goes on",
}


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A record file; - reads standard input.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.", show_default=False)],
    *,
    json: AsJson = False,
) -> None:
    """Find where two records part, and why.

    Only what play depends on counts: the set-up, who moves, the moves, the ending. Comments, names and other
    remarks may differ. Files with several games are compared game by game.

    The exit code is 0 when the games are the same, 1 when they part.
    """
    report = Report(json=json)
    if a == b == STDIN:
        report.give_up("standard input can be read only once; name a file for one of the two")
    compared = 0
    broken: list[str] = []
    for left, right in zip_longest(_games(a, broken, report), _games(b, broken, report)):
        if broken:
            break  # what the other file has beyond it, nobody knows
        unread = [case for case in (left, right) if case is not None and case.reading.record is None]
        for case in unread:
            report_faults(case, report)
        if left is None or right is None:
            _tell_missing(left, right, report)
        elif not unread:
            compared += 1
            _compare(left, right, report)
    if compared and not report.troubles:
        report.say(f"the same: {count(compared, 'game')}")
    report.end(games=compared)


def _games(name: str, broken: list[str], report: Report) -> Iterator[GameInFile]:
    """The games of a file; one that holds none, or could not be read to its end, is noted as broken."""
    games = read_all_games([name], report, "reading")
    troubles = report.troubles
    while (case := next(games, None)) is not None:
        yield case
        troubles = report.troubles
    if report.troubles > troubles:
        broken.append(name)


def _tell_missing(left: GameInFile | None, right: GameInFile | None, report: Report) -> None:
    for case in (left, right):
        if case is not None:
            report.refuse()
            report.say(f"game {case.number}: only {case.source.title} has it")
            report.add({"game": case.number, "kind": "games", "only": case.source.title})


def _compare(left: GameInFile, right: GameInFile, report: Report) -> None:
    ours, theirs = left.reading.record, right.reading.record
    parting = compare_records(ours, theirs) if ours is not None and theirs is not None else None
    if parting is None:
        return
    report.refuse()
    report.say(*_tell(parting, left, right))
    report.add(
        {
            "game": left.number,
            "kind": parting.kind,
            "turn": parting.turn,
            "ply": parting.ply,
            "left": parting.left,
            "right": parting.right,
            "lines": list(parting.lines),
        }
    )


def _tell(parting: Difference, left: GameInFile, right: GameInFile) -> Iterator[str]:
    where = "the set-up" if parting.ply is None else f"turn {parting.turn} (ply {parting.ply})"
    yield f"game {left.number} parts at {where}: {_WHY.get(parting.kind, f'another {parting.kind}')}"
    for case, line, says in zip((left, right), parting.lines, (parting.left, parting.right), strict=True):
        place = f"{case.source.title}:{line}" if line is not None else case.source.title
        yield f"  {place}: {printable(says) if says is not None else 'nothing more'}"
