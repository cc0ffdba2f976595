"""`pbem verify RECORD…`: whether records can be believed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from notation.faults import printable
from pbem.archive.source import Source, UnreadableFile
from pbem.terminal.arguments import AsJson, Files, PublicKey, read_key
from pbem.terminal.display import Progress, count
from pbem.terminal.report import Report, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.verify.check_mails import Found
    from pbem.verify.check_record import Checker, Verified
    from pbem.verify.finding import Finding
    from pbem.verify.mailboxes import MailEvidence


def verify(
    files: Files,
    *,
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
            "--statement", metavar="F", help="What the post stated about draws: a page of a case; may be repeated."
        ),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="F", help="The log of all games, as `pbem log` prints it.")
    ] = None,
    remarks: Annotated[
        bool, typer.Option("--remarks", help="Pass over comments and other words beside the moves.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Check whether records can be believed.

    Form, rules, chain, state digests, sealed values and draws are checked from the record alone; receipts, heads and
    checkpoints against mailboxes, what the post stated to a referee against the draws, and all of it against the
    post's public key, where they are at hand. The first wrong line is told with the reason. docs/proof.md says what is
    checked, to the byte.

    The exit code is 0 when all can be believed, 1 when something is wrong, 2 when the command made no sense.
    """
    from pbem.verify.check_log import judge_log
    from pbem.verify.check_record import Checker

    report = Report(json=json)
    stated = [each for path in statements or [] for each in _read_statements(path, report)]
    checker = Checker(read_key(key, report), _read_boxes(mboxes or [], report), stated=stated, remarks=remarks)
    believed = total = 0
    with Progress("verifying", len(files)) as progress:
        for done, name in enumerate(files):
            progress.tell(done, name)
            text = _read(name, report)
            if text is None:
                continue
            for verified in _check(checker, text, report):
                total += 1
                believed += verified.is_good
                if not verified.is_good:
                    progress.clear()
                _tell(name, verified, checker.witness, report)
    if log is not None:
        wrong = list(judge_log(read_text(log, report).splitlines(), checker.witness, checker.testimonies))
        _tell_findings(str(log), wrong, report)
        if not wrong:
            report.say(f"{log}: {report.colour.paint('believed', 'green')}, the log of all games")
    if total > 1:
        report.say(f"{count(total, 'record')}, {believed:,} believed")
    report.end(records=total, believed=believed)


def _check(checker: "Checker", text: str, report: Report) -> "Iterator[Verified]":
    """Check every record of a text, if what that takes is installed."""
    from pbem.proof.public_beacon import UncheckedBeaconError

    try:
        yield from checker.check(text)
    except UncheckedBeaconError as problem:
        report.give_up(str(problem))


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
    from pbem.verify.check_mails import find_statements

    found = find_statements(read_text(path, report))
    return found or report.give_up(f"{path}: holds no statement of a post")


def _tell(name: str, verified: "Verified", witness: "MailEvidence", report: Report) -> None:
    findings = [finding._asdict() for finding in verified.findings]
    said: dict[str, Any] = {"file": name, "game": verified.game, "believed": verified.is_good, "findings": findings}
    said |= {"sealed": verified.sealed, "rollbacks": verified.rollbacks, "remarks": list(verified.remarks)}
    report.add({**said, "mails_read": witness.mails, "mails_about": witness.about[verified.game]})
    if not verified.is_good:
        _tell_findings(name, verified.findings, report)
        _tell_remarks(verified, report)
        _tell_mails(verified.game, witness, report)
        return
    events = len(verified.proof.told) if verified.proof is not None else 0
    parts = [verified.game, count(events, "event")]
    parts.append(f"{count(verified.sealed, 'value')} still sealed" if verified.sealed else "nothing sealed")
    if verified.proof is not None and not verified.proof.closing.seed:
        parts.append("draws are checked when the game is over")
    if verified.rollbacks:
        parts.append(f"went back {count(verified.rollbacks, 'time')}")
    report.say(f"{name}: {report.colour.paint('believed', 'green')}, {', '.join(parts)}")
    _tell_remarks(verified, report)
    _tell_mails(verified.game, witness, report)


def _tell_remarks(verified: "Verified", report: Report) -> None:
    """What is not wrong, and ought to be known all the same."""
    report.say(*(f"  note: {printable(remark)}" for remark in verified.remarks))


def _tell_mails(game: str, witness: "MailEvidence", report: Report) -> None:
    """How much the mailboxes had to say: one that knows nothing of a game proves nothing about it."""
    if witness.too_long:
        report.say(f"  note: {count(witness.too_long, 'mail')} passed over, too long to be of a post")
    if witness.mails and not witness.about[game]:
        says = "and none is about this game: they say nothing of it; give mailboxes of its players"
        report.say(f"  note: {count(witness.mails, 'mail')} read, {says}")
    elif witness.mails:
        report.say(f"  {count(witness.mails, 'mail')} read, {witness.about[game]:,} about this game")


def _tell_findings(name: str, findings: "list[Finding] | tuple[Finding, ...]", report: Report) -> None:
    """The first wrong line, and how many things more there are."""
    if not findings:
        return
    report.refuse()
    first, *others = findings
    head = f"{report.colour.paint(f'{name}:{first.line}', 'bold')}: {report.colour.paint(first.check, 'bold', 'red')}"
    report.say(f"{head} {printable(first.reason)}")
    if others:
        report.say(f"  and {count(len(others), 'thing')} more")
