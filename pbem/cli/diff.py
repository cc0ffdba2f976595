"""`pbem diff A B`: the first difference of two records."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from notation.faults import printable
from pbem.archive.seams import GameInFile
from pbem.archive.source import STDIN
from pbem.judging.compare import ENDING, LENGTH, MOVE, SEAT, Difference, compare_records
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, report_faults
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.record_outputs import DifferenceJson, MissingGameJson

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
    """Find the first difference of two records.

    It compares what play depends on: the set-up, who moves, the moves, the ending. Comments, names and other remarks
    may differ. Files with several games are compared game by game.

    The exit code is 0 if the games are the same, 1 if they differ.
    """
    report = Report(json=json)
    if a == b == STDIN:
        report.give_up("standard input can be read only once; name a file for one of the two")
    compared = 0
    broken: list[str] = []
    for left, right in zip_longest(_games(a, broken, report), _games(b, broken, report)):
        if broken:
            break  # the rest cannot be compared
        unread = [item for item in (left, right) if item is not None and item.reading.record is None]
        for item in unread:
            report_faults(item, report)
        if left is None or right is None:
            _report_missing(left, right, report)
        elif not unread:
            compared += 1
            _compare(left, right, report)
    if compared and not report.troubles:
        report.say(f"the same: {count(compared, 'game')}")
    report.end(games=compared)


def _games(name: str, broken: list[str], report: Report) -> Iterator[GameInFile]:
    """The games of a file. If it holds none, or cannot be read to its end, its name is added to `broken`."""
    games = read_all_games([name], report, "reading")
    troubles = report.troubles
    while (item := next(games, None)) is not None:
        yield item
        troubles = report.troubles
    if report.troubles > troubles:
        broken.append(name)


def _report_missing(left: GameInFile | None, right: GameInFile | None, report: Report) -> None:
    for item in (left, right):
        if item is not None:
            report.refuse()
            report.say(f"game {item.number}: only {item.source.title} has it")
            missing: MissingGameJson = {"game": item.number, "kind": "games", "only": item.source.title}
            report.add(missing)


def _compare(left: GameInFile, right: GameInFile, report: Report) -> None:
    ours, theirs = left.reading.record, right.reading.record
    found = compare_records(ours, theirs) if ours is not None and theirs is not None else None
    if found is None:
        return
    report.refuse()
    report.say(*_describe(found, left, right))
    said: DifferenceJson = {
        "game": left.number,
        "kind": found.kind,
        "turn": found.turn,
        "ply": found.ply,
        "left": found.left,
        "right": found.right,
        "lines": list(found.lines),
    }
    report.add(said)


def _describe(found: Difference, left: GameInFile, right: GameInFile) -> Iterator[str]:
    where = "the set-up" if found.ply is None else f"turn {found.turn} (ply {found.ply})"
    yield f"game {left.number} parts at {where}: {_WHY.get(found.kind, f'another {found.kind}')}"
    for item, line, says in zip((left, right), found.lines, (found.left, found.right), strict=True):
        place = f"{item.source.title}:{line}" if line is not None else item.source.title
        yield f"  {place}: {printable(says) if says is not None else 'nothing more'}"
