"""`pbem rules GAME`: the rules of a game in our words."""

from typing import Annotated, Any

import typer

from engine.verdict import Rule
from pbem.terminal.arguments import AsJson, GameKey, find_game
from pbem.terminal.display import wrap
from pbem.terminal.report import Report, print_json


def rules(
    game: GameKey,
    *,
    edition: Annotated[str | None, typer.Option(help="An edition of the rules.  [default: the newest]")] = None,
    json: AsJson = False,
) -> None:
    """List the rules of a game, each with its code.

    `pbem rule CODE` prints one of them with its place in the rulebook and examples.
    """
    report = Report(json=json)
    found = find_game(game, report, edition=edition)
    if json:
        listed = [describe(rule) for rule in found.rules]
        print_json({"game": found.key, "edition": found.edition, "rules": listed})
        return
    report.say(report.colour.paint(f"{found.title}, edition {found.edition} of the rules", "bold"), "")
    for rule in found.rules:
        report.say(f"{report.colour.paint(rule.code, 'bold')} {rule.name}{' (ruling)' if rule.ruling else ''}")
        report.say(*wrap(rule.text, indent="    "), "")


def describe(rule: Rule) -> dict[str, Any]:
    """A rule as plain data."""
    return {
        "code": rule.code,
        "name": rule.name,
        "text": rule.text,
        "source": rule.source,
        "breaks": rule.breaks,
        "obeys": rule.obeys,
        "ruling": rule.ruling,
    }
