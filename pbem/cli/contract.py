"""`pbem contract GAME`: whether a game keeps the contract that every game keeps."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.terminal.arguments import AsJson, GameKey, find_game
from pbem.terminal.display import Progress, count
from pbem.terminal.report import Report, read_text

if TYPE_CHECKING:
    from pbem.contract import ContractCheck
    from pbem.terminal.record_outputs import ContractCheckJson


def contract(
    game: GameKey,
    *,
    records: Annotated[
        list[Path] | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="A record with moves too rare for random play; repeat for more.",
            show_default=False,
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Check whether a game keeps the contract of games.

    For authors of games: random games are played at every number of players, and held against what the post relies on.
    Every legal move passes the judge, positions do not change, moves can be written and read back, views and scores
    keep secrets, and so on. docs/new-game.md explains what a game must offer.
    """
    report = Report(json=json)
    key = find_game(game, report).key
    texts = [read_text(path, report) for path in records or ()]
    from pbem.contract import list_checks  # it loads every installed game

    checks = list_checks(key, records=texts)
    broken = 0
    with Progress("checking") as progress:
        for number, check in enumerate(checks):
            progress.tell(number)
            broken += not _run(check, report)
    held = count(len(checks) - broken, "check")
    report.say(f"{key} keeps the contract: {held}" if not broken else f"{key}: {held} passed, {broken} broken")
    report.end()


def _run(check: "ContractCheck", report: Report) -> bool:
    """Run one check and report it; True if it holds."""
    says = ""
    try:
        check()
    except AssertionError as problem:
        says = str(problem)
    except Exception as problem:
        says = f"{type(problem).__name__}: {problem}"
    if says:
        report.refuse()
        table = "" if check.players is None else f", {check.players} players"
        report.say(f"broken  {check.name} (edition {check.game.edition}{table})", f"    {check.about}", f"    {says}")
    said: ContractCheckJson = {
        "check": check.name,
        "about": check.about,
        "edition": check.game.edition,
        "players": check.players,
        "holds": not says,
        "says": says,
    }
    report.add(said)
    return not says
