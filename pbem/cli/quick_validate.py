"""`pbem validate FILE…` as scripts run it: judge whole records, without loading Typer.

Loading Typer takes as long as reading and judging a game. The command in `pbem.cli.validate` has the help, checks the
options and judges single moves; it uses the same function for records.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

from pbem.archive.source import STDIN
from pbem.judging.record_replay import replay_record
from pbem.judging.variations import has_variations
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, record_files, report_faults, report_refusal, warn_of_variation
from pbem.terminal.report import Report
from pbem.terminal.summaries import headline

if TYPE_CHECKING:
    from pbem.judging.result import ReplayResult
    from pbem.terminal.inputs import GameInFile
    from pbem.terminal.record_outputs import WarningJson

JSON = "--json"


def validate_quickly(words: Sequence[str]) -> None:
    """Judge the files and end the process, unless there are options that need the full command."""
    files = [word for word in words if word != JSON]
    if files and not any(word.startswith("-") and word != STDIN for word in files):
        report = Report(json=len(files) < len(words))
        judge_files(record_files(files, None, report), report)


def judge_files(files: Iterable[str], report: Report) -> NoReturn:
    """Judge every game of some files, print the first mistake of each, and end the command.

    A variation that could not be played, and an Id that two games share, are warnings: the games stand all the same.
    """
    games = refused = 0
    replayed: ReplayResult | None = None
    warnings: list[WarningJson] = []
    known: dict[str, tuple[str, int]] = {}
    for item in read_all_games(files, report, "judging"):
        games += 1
        if item.reading.record is None:
            refused += 1
            report_faults(item, report)
            continue
        replayed = replay_record(item.reading.record)
        warnings += _warn_of_id(item, known, report)
        if replayed.refusal is not None:
            refused += 1
            report.add(report_refusal(item, replayed, report))
        elif has_variations(item.reading.record):
            warnings += warn_of_variation(item, replayed, report)
    if games == 1 and not refused and replayed is not None:
        report.say(f"{report.colour.paint('legal', 'green')}: {headline(replayed)}")
    elif games:
        report.say(f"{count(games, 'game')}, " + (f"{refused:,} refused" if refused else "all legal"))
    if warnings:
        report.say(count(len(warnings), "warning"))
    report.end(games=games, refused=refused, warnings=warnings)


def _warn_of_id(item: "GameInFile", known: dict[str, tuple[str, int]], report: Report) -> "list[WarningJson]":
    """Name the game that had the same Id before, if there was one."""
    record = item.reading.record
    name = record.header("Id") if record is not None else None
    if not name:
        return []
    file, number = known.setdefault(name, (item.source.title, item.number))
    if (file, number) == (item.source.title, item.number):
        return []
    where = f"game {number}" if file == item.source.title else f"game {number} of {file}"
    detail = f"game {item.number} has the Id {name}, which {where} has too"
    report.say(f"{item.source.title}:{item.reading.line}: warning: {detail}")
    warning: WarningJson = {
        "kind": "id",
        "file": item.source.title,
        "game": item.number,
        "line": item.reading.line,
        "code": None,
        "detail": detail,
    }
    return [warning]
