"""`pbem case bundle` and `pbem case check`: a case in one file, and its check on any machine without the post."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notation.faults import printable
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson, CaseNumber, PublicKey, TableName, read_key
from pbem.terminal.display import count
from pbem.terminal.output_file import write_output
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.disputes.bundle_check import CheckedBundle
    from pbem.terminal.post_outputs import BundleJson


def bundle(
    table: TableName,
    number: CaseNumber,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F", help="Write to this file.  [default: TABLE-case-N.zip]"),
    ] = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Pack a case into one file.

    It holds the record, the letters, the receipts, the page and a signed list of all of them. `pbem case check` checks
    it on any machine.
    """
    from pbem.disputes.bundle import make_bundle

    report = Report(json=json)
    with store_errors(report), open_post(load_settings(config, report), reads=True) as context:
        packed = make_bundle(context, table, number)
        if isinstance(packed, str):
            report.give_up(packed)
        path = output or Path(f"{table}-case-{number}.zip")
        write_output(path, packed.content, report, private=True)
    only_digests = packed.of - packed.letters
    report.say(f"{count(packed.letters, 'letter')} in it, {only_digests} as digests alone")
    said: BundleJson = {"table": table, "file": str(path), "letters": packed.letters, "digests": only_digests}
    report.add(said)
    report.end()


def check(
    file: Annotated[Path, typer.Argument(metavar="BUNDLE", help="A file made by `bundle`.", show_default=False)],
    *,
    key: PublicKey = None,
    json: AsJson = False,
) -> None:
    """Check a bundle: read and judge everything in it again.

    It needs no post and no network. Give --key the key that the post has published: without it the bundle is checked
    against the key that is in the bundle.

    The exit code is 0 if everything can be believed, 1 if something is wrong or unproved, 2 if this is not a bundle.
    """
    from pbem.disputes.bundle import NotABundleError
    from pbem.disputes.bundle_check import check_bundle

    report = Report(json=json)
    public_key = read_key(key, report)
    try:
        checked = check_bundle(file.read_bytes(), public_key)
    except OSError as problem:
        report.give_up(f"{file}: cannot be read; {(problem.strerror or str(problem)).lower()}")
    except NotABundleError as problem:
        report.give_up(f"{file}: is not a bundle that can be checked; {problem}")
    _print_findings(file, checked, report)
    if not checked.wrong:
        _print_summary(file, checked, report)
        _print_unjudged(checked, report)
    _print_key(checked, report)
    report.add({"file": str(file), **checked._asdict()})
    report.end()


def _print_findings(file: Path, checked: "CheckedBundle", report: Report) -> None:
    for word, found in (("wrong", checked.wrong), ("unproved", checked.unproved)):
        for each in found:
            report.refuse()
            report.say(f"{file}: {report.colour.paint(word, 'bold', 'red')} {printable(each)}")


def _print_summary(file: Path, checked: "CheckedBundle", report: Report) -> None:
    sealed = f", {count(checked.sealed, 'value')} still sealed" if checked.sealed else ""
    judged = f"{checked.judged} of {count(checked.letters, 'letter')} read and judged again"
    good = report.colour.paint("believed", "green") if not checked.unproved else "the rest is good"
    report.say(f"{file}: {good}, case {checked.case} at {printable(checked.table)}, {judged}{sealed}")


def _print_unjudged(checked: "CheckedBundle", report: Report) -> None:
    """Why some letters were not judged again."""
    if checked.digests:
        report.say(
            f"  {count(checked.digests, 'letter')} not in it, only as digests: the game goes on, and no warrant stands"
        )
    if checked.veiled:
        says = f"came after event {checked.veil}, which is sealed: to be judged when the game is over"
        report.say(f"  {count(checked.veiled, 'letter')} {says}")
    if checked.idle:
        report.say(f"  {count(checked.idle, 'letter')} without a receipt: the post did not act on them")


def _print_key(checked: "CheckedBundle", report: Report) -> None:
    """Which key the bundle was checked against."""
    if not checked.key and checked.wrong:
        return
    if not checked.key:
        report.say(
            "  note: this post does not sign, so anybody can have made this bundle; ask the players for their mails"
        )
    elif checked.key_given:
        report.say(f"  held against the key that you gave, {checked.key}")
    else:
        report.say(
            f"  held against the key {checked.key}",
            "  note: the bundle brought this key along; compare it with one that the post has published or that you",
            "  have from elsewhere, or give that with --key",
        )
