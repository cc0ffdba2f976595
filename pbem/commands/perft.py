"""`pbem perft FILE --depth D`: count positions, to compare one implementation of the rules with another."""

from typing import Annotated

import typer

from pbem.console.arguments import AsJson, AtTurn, File, Which
from pbem.console.progress import Progress
from pbem.console.reaching import reach
from pbem.console.report import Report
from pbem.referee.counting import perft as count_ways


def perft(
    file: File,
    *,
    depth: Annotated[int, typer.Option(min=1, metavar="D", help="How many plies deep.", show_default=False)],
    at: AtTurn = None,
    game: Which = 1,
    json: AsJson = False,
) -> None:
    """Count the positions that can be reached.

    One line for each depth: how many sequences of that many legal plies there are after the record.
    """
    report = Report(json=json)
    heard = reach(file, report, game=game, at=at)
    for plies in range(1, depth + 1):
        with Progress(f"depth {plies}") as progress:
            ways = count_ways(heard.table, heard.position, plies, tell=progress.tell)
        report.say(f"{plies:>3} {ways:>15}")
        report.add({"depth": plies, "count": ways})
    report.end()
