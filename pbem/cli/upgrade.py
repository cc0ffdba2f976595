"""`pbem upgrade FILE…`: what the newest rules would change, without changing anything."""

from typing import TYPE_CHECKING, Any

from notation.faults import printable
from pbem.judging.editions import check_upgrade
from pbem.judging.result import ReplayResult
from pbem.terminal.arguments import AsJson, Files
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, report_faults, report_refusal
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.judging.editions import Upgrade


def upgrade(files: Files, *, json: AsJson = False) -> None:
    """List what a newer edition of the rules would change in records.

    Every record is replayed under the edition it names and under the newest one, and the first difference is told:
    a verdict, the state after an entry, or the points. No record is ever rewritten: editions run side by side, and a
    record keeps its own for ever.

    The exit code is 0 even when something would change, 1 when a record does not stand under its own edition.
    """
    report = Report(json=json)
    games = changed = 0
    for case in read_all_games(files, report, "replaying"):
        games += 1
        record = case.reading.record
        if record is None:
            report_faults(case, report)
            continue
        found = check_upgrade(record)
        name = record.header("Id") or f"game {case.number}"
        if found is None:
            report.problem(f"{case.source.title}: {printable(name)} is of a game or edition unknown here", misuse=False)
            continue
        if found.refusal is not None:
            report.add(report_refusal(case, ReplayResult(record, record.game, refusal=found.refusal), report))
            continue
        changed += found.change is not None
        _tell(f"{case.source.title}: {printable(name)}", record.header("Game") or "", found, report)
    if games > 1:
        report.say(f"{count(games, 'record')}, {changed:,} of which a newer edition would change")
    report.end(records=games, changed=changed)


def _tell(name: str, game: str, found: "Upgrade", report: Report) -> None:
    said: dict[str, Any] = {"record": name, "game": game, "edition": found.edition, "newest": found.newest}
    report.add({**said, "change": found.change._asdict() if found.change is not None else None})
    if found.is_newest:
        report.say(f"{name}, {game} edition {found.edition}: there is no newer one")
        return
    head = f"{name}, {game} edition {found.edition}, newest {found.newest}"
    change = found.change
    if change is None:
        report.say(f"{head}: nothing would change")
        return
    where = f" {printable(change.entry)}" if change.entry else ""
    report.say(f"{head}: another {change.kind}{where}", f"    {printable(change.says)}")
