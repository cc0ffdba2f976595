"""`pbem rule CODE`: one rule, as a refusal cites it."""

from typing import Annotated

import typer

from pbem.cli.rules import describe
from pbem.terminal.arguments import AsJson, find_rule
from pbem.terminal.display import shorten, wrap
from pbem.terminal.report import Report, print_json


def rule(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A code such as TD-C3, RC-T1 or NT-M1.")],
    *,
    json: AsJson = False,
) -> None:
    """Print one rule, and a move that breaks it beside one that obeys.

    Rules of the games, of the post (PO-), of records (RC-) and of the notation (NT-) are all found by their code.
    """
    report = Report(json=json)
    found = find_rule(code, report)
    if json:
        print_json(describe(found))
        return
    report.say(f"{report.colour.paint(found.code, 'bold')} {found.name}", "")
    report.say(*wrap(found.text, indent="  "), "")
    if found.breaks:
        report.say(f"  {report.colour.paint('breaks it:', 'red')} {shorten(found.breaks, indent=13)}")
    report.say(f"  {report.colour.paint('obeys it:', 'green')}  {shorten(found.obeys, indent=13)}", "")
    report.say(*wrap(f"{'Our ruling. ' if found.ruling else ''}{found.source}.", indent="  "))
