"""`pbem fmt FILE…`: records in canonical form, as a code formatter does it."""

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

import typer

from notation import read_games, write_record
from pbem.archive.files import FileDraft
from pbem.archive.source import STDIN
from pbem.archive.workers import all_cores, in_order
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.terminal.arguments import AsJson, FilesFrom, Heap, Jobs
from pbem.terminal.display import Progress
from pbem.terminal.inputs import read_all_games, record_files, report_faults
from pbem.terminal.report import RecordedReport, Report

if TYPE_CHECKING:
    from pbem.terminal.record_outputs import FormattedJson


def fmt(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if something would change.")] = False,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Rewrite records in canonical form.

    Nothing is lost: comments, variations, annotations and unknown headers stay; missing turn numbers are filled in. A
    file is replaced in one step, once its new form is complete and was read back; if any of it cannot be read, it is
    left alone. With - it reads standard input and writes to standard output.
    """
    report = Report(json=json)
    names = list(record_files(files, files_from, report))
    if json and STDIN in names and not check:
        report.give_up("fmt - writes the record to standard output, where --json writes; use one of them, or --check")
    work = partial(_rewrite_apart, RecordedReport(report), check)
    with Progress("formatting", len(names)) as progress:
        for done, (name, told) in enumerate(in_order(work, names, jobs or all_cores(), shared=STDIN.__ne__)):
            progress.tell(done, name)
            if told is not None:
                told.retell(report)
            else:
                _try_to_rewrite(name, report, check=check)
    report.end()


def _rewrite_apart(blank: RecordedReport, check: bool, name: str) -> RecordedReport:
    """Rewrite a file in a process of its own, and give what is to be printed."""
    report = RecordedReport(blank)
    _try_to_rewrite(name, report, check=check)
    return report


def _try_to_rewrite(name: str, report: Report, *, check: bool) -> None:
    try:
        _rewrite(name, report, check=check)
    except OSError as problem:
        report.problem(f"{name}: cannot be rewritten; {(problem.strerror or str(problem)).lower()}")


def _why_unreadable(draft: FileDraft) -> str:
    """Why the new form could not be read again, or nothing: what was abbreviated may become too long."""
    for reading in read_games(draft.lines()):
        for fault in reading.faults:
            return f"its canonical form cannot be read ({fault.code} {fault.rule.name}); make turn and remarks shorter"
    return ""


def _rewrite(name: str, report: Report, *, check: bool) -> None:
    was, becomes = sha256(), sha256()
    troubles = report.troubles
    is_packed = False
    with FileDraft(name) as draft:
        for item in read_all_games([name], report, "formatting", on_block=was.update):
            is_packed = item.source.is_packed
            if item.reading.record is None:
                report_faults(item, report)
                continue
            text = write_record(fill_in_numbers(tidy_headers(item.reading.record)))
            text = text if item.number == 1 else f"\n{text}"
            becomes.update(text.encode())
            draft.write(text)
        if report.troubles > troubles:
            return
        if is_packed and name != STDIN and not check:
            report.problem(f"{name}: is packed; fmt rewrites only files that are not, so unpack it first")
            return
        changed = was.digest() != becomes.digest()
        if changed and (why := _why_unreadable(draft)):
            report.problem(f"{item.source.title}: left as it is, because {why}", misuse=False)
            return
        said: FormattedJson = {"file": name, "changed": changed}
        report.add(said)
        if not check and (changed or name == STDIN):
            draft.publish()
        if changed and check:
            report.refuse()
        if changed and (check or name != STDIN):
            report.say(f"{'would rewrite' if check else 'rewritten'}: {item.source.title}")
