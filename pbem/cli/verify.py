"""`pbem verify RECORD…`: whether records can be believed."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notation.faults import printable
from pbem.archive.source import STDIN, Source, UnreadableFile
from pbem.archive.workers import all_cores, in_order
from pbem.terminal.arguments import AsJson, FilesFrom, Heap, Jobs, PublicKey, read_key
from pbem.terminal.display import Progress, count
from pbem.terminal.inputs import record_files
from pbem.terminal.report import RecordedReport, Report, read_text

if TYPE_CHECKING:
    from pbem.terminal.record_outputs import VerifiedJson
    from pbem.verify.check_record import Verified
    from pbem.verify.check_statements import Found
    from pbem.verify.finding import Finding
    from pbem.verify.mailboxes import MailEvidence


def verify(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    mboxes: Annotated[
        list[Path] | None,
        typer.Option(
            "--mbox", metavar="F", help="A player's mailbox: mbox, Maildir, saved mails or a folder; may be repeated."
        ),
    ] = None,
    key: PublicKey = None,
    statements: Annotated[
        list[Path] | None,
        typer.Option(
            "--statement", metavar="F", help="What the post said about draws: the page of a case; may be repeated."
        ),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="F", help="The log of all games, as `pbem log` prints it.")
    ] = None,
    remarks: Annotated[
        bool, typer.Option("--remarks", help="Ignore comments and other words beside the moves.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="Also refuse a record from which names or words are withheld.")
    ] = False,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Check whether records can be believed.

    It checks form, rules, chain, state digests, sealed values and draws from the record alone. If you give mailboxes,
    it checks receipts, heads and checkpoints against them; if you give statements, it checks the draws against what the
    post told a referee; if you give the post's public key, it checks the signatures. It prints the first wrong line and
    the reason. docs/proof.md says what is checked, to the byte.

    The exit code is 0 if everything can be believed, 1 if something is wrong, 2 if the command made no sense. A record
    from which a name or words are withheld can be believed; with --whole the exit code is 1 for it.
    """
    from pbem.proof.public_beacon import UncheckedBeaconError
    from pbem.verify.check_log import check_log, remarks_on_log
    from pbem.verify.check_record import Checker

    report = Report(json=json)
    stated = [each for path in statements or [] for each in _read_statements(path, report)]
    public = read_key(key, report)
    checker = Checker(public, _read_boxes(mboxes or [], report), stated=stated, remarks=remarks)
    believed = total = 0
    names = list(record_files(files, files_from, report))
    with Progress("verifying", len(names)) as progress:
        work = partial(_check_alone, RecordedReport(report), public, remarks)
        try:
            for done, (name, told) in enumerate(in_order(work, names, jobs or all_cores(), shared=STDIN.__ne__)):
                progress.tell(done, name)
                found, problems = told if told is not None else work(name)
                problems.retell(report)
                for verified in checker.check_together(found):
                    total += 1
                    believed += verified.is_good
                    if not verified.is_good:
                        progress.clear()
                    _report(name, verified, checker.evidence, report, whole=whole)
        except UncheckedBeaconError as problem:
            report.give_up(str(problem))
    if log is not None:
        lines = read_text(log, report).splitlines()
        wrong = list(check_log(lines, checker.evidence, checker.proofs))
        _print_findings(str(log), wrong, report)
        if not wrong:
            report.say(f"{log}: {report.colour.paint('believed', 'green')}, the log of all games")
        report.say(*(f"  note: {printable(remark)}" for remark in remarks_on_log(lines, checker.evidence)))
    if total > 1:
        report.say(f"{count(total, 'record')}, {believed:,} believed")
    report.end(records=total, believed=believed)


def _check_alone(
    blank: RecordedReport, key: bytes | None, remarks: bool, name: str
) -> "tuple[list[Verified], RecordedReport]":
    """What every record of a file says by itself, and what is to be printed of the file."""
    from pbem.verify.check_record import verify_text

    report = RecordedReport(blank)
    text = _read(name, report)
    return (verify_text(text, key=key, remarks=remarks) if text is not None else []), report


def _read(name: str, report: Report) -> str | None:
    """The whole text of a file, to the last byte."""
    blocks: list[bytes] = []
    source = Source(name, blocks.append)
    try:
        for _ in source.lines():
            pass
    except UnreadableFile as problem:
        report.problem(str(problem), misuse=problem.misuse)
        return None
    text = b"".join(blocks).decode("utf-8", "surrogateescape")
    if not text.strip():
        report.problem(f"{source.title}: holds no record", misuse=False)
        return None
    return text


def _read_boxes(paths: list[Path], report: Report) -> "MailEvidence":
    from pbem.verify.mailboxes import NoMailboxError, read_mailboxes

    for path in paths:
        if not path.exists():
            report.give_up(f"{path}: no such mailbox")
    try:
        return read_mailboxes(paths)
    except NoMailboxError as problem:
        report.give_up(str(problem))


def _read_statements(path: Path, report: Report) -> "Found":
    from pbem.verify.check_statements import find_statements

    found = find_statements(read_text(path, report))
    return found or report.give_up(f"{path}: holds no statement of a post")


def _report(name: str, verified: "Verified", evidence: "MailEvidence", report: Report, *, whole: bool) -> None:
    said: VerifiedJson = {
        "file": name,
        "game": verified.game,
        "believed": verified.is_good,
        "findings": [{"check": each.check, "line": each.line, "reason": each.reason} for each in verified.findings],
        "sealed": verified.sealed,
        "rollbacks": verified.rollbacks,
        "withheld_names": verified.withheld_names,
        "withheld_words": verified.withheld_words,
        "whole": verified.is_whole,
        "remarks": list(verified.remarks),
        "mails_read": evidence.mails,
        "mails_about": evidence.about[verified.game],
    }
    report.add(said)
    if not verified.is_good:
        _print_findings(name, verified.findings, report)
        _print_remarks(verified, report)
        _print_mails(verified.game, evidence, report)
        return
    events = len(verified.proof.recorded) if verified.proof is not None else 0
    parts = [verified.game, count(events, "event")]
    parts.append(f"{count(verified.sealed, 'value')} still sealed" if verified.sealed else "nothing sealed")
    if verified.proof is not None and not verified.proof.closing.seed:
        parts.append("draws are checked when the game is over")
    if verified.withheld_names:
        parts.append(f"{count(verified.withheld_names, 'name')} withheld")
    if verified.withheld_words:
        parts.append(f"words withheld {count(verified.withheld_words, 'time')}")
    if verified.rollbacks:
        parts.append(f"went back {count(verified.rollbacks, 'time')}")
    report.say(f"{name}: {report.colour.paint('believed', 'green')}, {', '.join(parts)}")
    if whole and not verified.is_whole:
        report.refuse()
        report.say(f"{name}: {report.colour.paint('not whole', 'bold', 'red')}, something was taken out of it")
    _print_remarks(verified, report)
    _print_mails(verified.game, evidence, report)


def _print_remarks(verified: "Verified", report: Report) -> None:
    """What is not wrong, but good to know."""
    report.say(*(f"  note: {printable(remark)}" for remark in verified.remarks))


def _print_mails(game: str, evidence: "MailEvidence", report: Report) -> None:
    """How many mails were about the game: a mailbox without any proves nothing."""
    if evidence.too_long:
        report.say(f"  note: {count(evidence.too_long, 'mail')} passed over, too long to be of a post")
    if evidence.mails and not evidence.about[game]:
        says = "and none is about this game: they say nothing of it; give mailboxes of its players"
        report.say(f"  note: {count(evidence.mails, 'mail')} read, {says}")
    elif evidence.mails:
        report.say(f"  {count(evidence.mails, 'mail')} read, {evidence.about[game]:,} about this game")


def _print_findings(name: str, findings: "list[Finding] | tuple[Finding, ...]", report: Report) -> None:
    """The first wrong line, and how many more there are."""
    if not findings:
        return
    report.refuse()
    first, *others = findings
    head = f"{report.colour.paint(f'{name}:{first.line}', 'bold')}: {report.colour.paint(first.check, 'bold', 'red')}"
    report.say(f"{head} {printable(first.reason)}")
    if others:
        report.say(f"  and {count(len(others), 'thing')} more")
