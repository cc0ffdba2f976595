"""`pbem perft FILE --depth D`: count positions, to compare one implementation of the rules with another."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.judging.lookahead import count_ends
from pbem.judging.lookahead import perft as count_ways
from pbem.terminal.arguments import AsJson, AtTurn, File, Which
from pbem.terminal.display import Progress
from pbem.terminal.inputs import explain_nothing_due, load_position, players_due
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Seat
    from pbem.judging.result import ReplayResult


def perft(
    file: File,
    *,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="D", help="How many plies deep.", show_default=False)
    ] = None,
    ends: Annotated[bool, typer.Option("--ends", help="Count in how many ways the turn can end.")] = False,
    at: AtTurn = None,
    game: Which = 1,
    json: AsJson = False,
) -> None:
    """Count the positions that can be reached.

    One line for each depth: how many sequences of that many legal plies there are after the record. With --ends, how
    many different positions the turn of the player who is due can come to before chance or somebody else goes on:
    ways that make no difference to the rest of the game count once.
    """
    report = Report(json=json)
    if (depth is None) != ends:
        report.give_up(
            "say how deep to count (--depth D), or count the ends of a turn (--ends); see `pbem perft --help`"
        )
    replayed = load_position(file, report, game=game, at=at, thrown=True)
    due = players_due(replayed)
    if depth is None:
        _count_ends(replayed, due, report)
    else:
        _count_plies(replayed, due, depth, report)
    if not due:
        report.say(explain_nothing_due(replayed))
    report.end()


def _count_plies(replayed: "ReplayResult", due: "Sequence[Seat]", depth: int, report: Report) -> None:
    for plies in range(1, depth + 1):
        with Progress(f"depth {plies}") as progress:
            # The rules alone may know of moves after players have ended a game.
            ways = count_ways(replayed.table, replayed.position, plies, tell=progress.tell) if due else 0
        report.say(f"{plies:>3} {ways:>15}")
        report.add({"depth": plies, "count": ways})


def _count_ends(replayed: "ReplayResult", due: "Sequence[Seat]", report: Report) -> None:
    for seat in due:
        with Progress(f"ends of {seat}'s turn") as progress:
            ends = count_ends(replayed.table, replayed.position, seat, tell=progress.tell)
        report.say(f"{seat}: {ends}")
        report.add({"seat": seat, "ends": ends})
