"""`pbem upgrade FILE…`: what the newest rules would change in records; nothing is changed."""

from typing import TYPE_CHECKING

from notation.faults import printable
from pbem.judging.editions import check_upgrade
from pbem.judging.result import ReplayResult
from pbem.terminal.arguments import AsJson, FilesFrom, Heap
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, record_files, report_faults, report_refusal
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.judging.editions import Upgrade
    from pbem.terminal.record_outputs import UpgradeJson


def upgrade(files: Heap = None, *, files_from: FilesFrom = None, json: AsJson = False) -> None:
    """List what a newer edition of the rules would change in records.

    It replays every record under the edition it names and under the newest one, and prints the first difference: a
    verdict, the state after an entry, or the points. No record is ever rewritten: a record keeps its edition for ever.

    The exit code is 0 even if something would change, 1 if a record is not legal under its own edition.
    """
    report = Report(json=json)
    games = changed = 0
    for item in read_all_games(record_files(files, files_from, report), report, "replaying"):
        games += 1
        record = item.reading.record
        if record is None:
            report_faults(item, report)
            continue
        found = check_upgrade(record)
        name = record.header("Id") or f"game {item.number}"
        if found is None:
            report.problem(f"{item.source.title}: {printable(name)} is of a game or edition unknown here", misuse=False)
            continue
        if found.refusal is not None:
            report.add(report_refusal(item, ReplayResult(record, record.game, refusal=found.refusal), report))
            continue
        changed += found.change is not None
        _report(f"{item.source.title}: {printable(name)}", record.header("Game") or "", found, report)
    if games > 1:
        report.say(f"{count(games, 'record')}, {changed:,} of which a newer edition would change")
    report.end(records=games, changed=changed)


def _report(name: str, game: str, found: "Upgrade", report: Report) -> None:
    change = found.change
    said: UpgradeJson = {
        "record": name,
        "game": game,
        "edition": found.edition,
        "newest": found.newest,
        "change": {"kind": change.kind, "turn": change.turn, "entry": change.entry, "says": change.says}
        if change is not None
        else None,
    }
    report.add(said)
    if found.is_newest:
        report.say(f"{name}, {game} edition {found.edition}: there is no newer one")
        return
    head = f"{name}, {game} edition {found.edition}, newest {found.newest}"
    if change is None:
        report.say(f"{head}: nothing would change")
        return
    where = f" {printable(change.entry)}" if change.entry else ""
    report.say(f"{head}: another {change.kind}{where}", f"    {printable(change.says)}")
