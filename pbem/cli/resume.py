"""`pbem resume`: a running game as one line, and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notation import write_record
from pbem.archive.files import FileDraft
from pbem.archive.source import STDIN
from pbem.exchange.resume_line import is_resume, read_resume, write_resume
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.terminal.arguments import AsJson, Which
from pbem.terminal.inputs import pick_game
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.exchange_outputs import ResumeJson


def resume(
    given: Annotated[
        str,
        typer.Argument(metavar="FILE|LINE", help="A record file, or a line that begins with CP1.", show_default=False),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="RECORD",
            help="The record to write.  [default: standard output]",
            show_default=False,
        ),
    ] = None,
    game: Which = 1,
    json: AsJson = False,
) -> None:
    """Write a running game as one line, or go on from such a line.

    Of a record it prints the line: game, edition, set-up and moves as everybody may know them, and no names. Of a line
    it writes the record, which `pbem show`, `pbem validate --move` and `pbem record --import` go on from.

    A game that has hidden moves without which it cannot go on has no such line.
    """
    report = Report(json=json)
    if is_resume(given):
        _write_record(given, output, report)
    if output is not None:
        report.give_up("-o is for the record of a line; the line of a record is printed")
    picked = pick_game(given, game, report)
    if picked is None:
        report.end()
    line = write_resume(fill_in_numbers(tidy_headers(picked[1])))
    if not isinstance(line, str):
        report.give_up(f"{given}: there is no line of this game: {line.problem}", misuse=False)
    report.say(line)
    said: ResumeJson = {"line": line, "record": None}
    report.add(said)
    report.end()


def _write_record(line: str, output: Path | None, report: Report) -> None:
    if output is None and report.json:
        report.give_up("the record goes to standard output, where --json writes; name a file with -o")
    if output is not None:
        refuse_post_file(output, report)
    made = read_resume(line)
    if made.record is None:
        report.give_up(f"this line cannot be read: {made.problem}", misuse=False)
    try:
        with FileDraft(STDIN if output is None else str(output)) as draft:
            draft.write(write_record(made.record))
            draft.publish()
    except OSError as problem:
        report.give_up(f"{output}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    if output is not None:
        report.say(f"wrote {output}")
    said: ResumeJson = {"line": line, "record": str(output)}
    report.add(said)
    report.end()
