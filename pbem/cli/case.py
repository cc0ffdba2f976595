"""`pbem case`: the referee's commands. This file lists and shows cases; rulings and bundles have files of their own."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from engine.game import PUBLIC
from notation.faults import printable
from pbem.cli.case_bundle import bundle, check
from pbem.cli.case_referee import referee
from pbem.cli.case_rulings import call_off, close, excuse, extend, open_case, pause, resume, rule, terms, warrant
from pbem.disputes.replayed_history import list_cases
from pbem.locale.catalogues import ENGLISH
from pbem.locale.languages import format_codes
from pbem.service.post_folder import open_post
from pbem.tables.fold import BrokenHistoryError
from pbem.terminal.arguments import AsJson, TableName
from pbem.terminal.groups import list_group
from pbem.terminal.output_file import write_output
from pbem.terminal.post_file import DAMAGED_HISTORY, Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.tables.table import Case

case: Final = list_group(
    """Open, show, rule on and close cases: the referee's commands.

    Without a sub-command it lists the cases. A player calls the referee by mail (`appeal`), and the clock stops until
    you close the case. `show` puts everything about the turn on one page, `rule` decides, `close` starts the clock
    again. Every ruling is a public event with a reason; nothing is ever edited.
    """
)


@case.command("list")
def list_all(
    table: Annotated[
        str, typer.Argument(metavar="[TABLE]", help="Only the cases of this table.", show_default=False)
    ] = "",
    *,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """List the cases, open and closed, with what was said and decided."""
    report = Report(json=json)
    with store_errors(report), open_post(load_settings(config, report), reads=True) as context:
        found = list(list_cases(context, table))
    for name, each in found:
        if isinstance(each, BrokenHistoryError):
            report.problem(f"{printable(str(each))}; {DAMAGED_HISTORY}", misuse=False)
            continue
        report.say(*_describe(name, each))
        report.add({"table": name, **asdict(each)})
    if not found:
        report.say("no case has been opened")
    report.end()


def _describe(table: str, case: "Case") -> list[str]:
    state = "open" if case.is_open else "closed"
    return [
        f"{table} case {case.number}, {state}: turn {case.turn}, by {case.by}, since {case.since}",
        *(f"    {printable(line)}" for line in case.words.splitlines()),
        *(f"    {decree.ruling}: {printable(decree.reason)}" for decree in case.decrees),
    ]


@case.command()
def show(
    table: TableName,
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="The number of a case.  [default: the last]", show_default=False),
    ] = None,
    *,
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, metavar="T", help="Show this turn, with or without a case.", show_default=False),
    ] = None,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="Show what this seat sees; needs a warrant.")
    ] = PUBLIC,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F", help="Write to this file: .html or .txt.", show_default=False),
    ] = None,
    language: Annotated[str, typer.Option(metavar="L", help=f"Write in {format_codes()}.")] = ENGLISH.code,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Show everything about a disputed turn on one page.

    Boards, moves and verdicts, letters, deadlines, draws. It shows what everybody may know; to see what a seat sees,
    take a warrant first (`pbem case warrant`).
    """
    from pbem.disputes.case_page import FORMS, TEXT, build_case_file, render_page
    from pbem.service.invitations import language_problem
    from pbem.workflow.context import CaseReader

    report = Report(json=json)
    with store_errors(report), open_post(load_settings(config, report), reads=True) as context:
        form = output.suffix.lower() if output is not None else TEXT
        if form not in FORMS:
            report.give_up(f"{output}: a page is written as {' or '.join(FORMS)}")
        if (why := language_problem(language)) is not None:
            report.give_up(why)
        reader = CaseReader(language)
        file = build_case_file(context, table, case=number or None, turn=turn, viewer=viewer, reader=reader)
        if isinstance(file, str):
            report.give_up(file)
        report.add(asdict(file))
        page = render_page(file, form, reader)
        if output is None:
            report.say(page.rstrip("\n"))
        else:
            write_output(output, page.encode(), report, private=viewer != PUBLIC)
    report.end()


case.command("open")(open_case)
case.command("rule")(rule)
case.command("warrant")(warrant)
case.command("close")(close)
case.command("pause")(pause)
case.command("resume")(resume)
case.command("excuse")(excuse)
case.command("extend")(extend)
case.command("terms")(terms)
case.command("call-off")(call_off)
case.command("referee")(referee)
case.command("bundle")(bundle)
case.command("check")(check)
