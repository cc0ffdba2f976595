"""`pbem legal FILE`: what may be played next."""

from itertools import groupby
from typing import Annotated

import typer

from notation import write_moves
from pbem.terminal.arguments import AsJson, AtTurn, File, Which
from pbem.terminal.display import count, wrap_list
from pbem.terminal.inputs import explain_nothing_due, load_position
from pbem.terminal.report import Report


def legal(
    file: File,
    *,
    at: AtTurn = None,
    game: Which = 1,
    only_count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    json: AsJson = False,
) -> None:
    """List the legal moves.

    One ply each: a turn of two camels is two of them. Moves with free words or amounts may be left out by a game.
    Where chance goes first, its dice are taken from the record. `pbem suggest` looks for whole turns.
    """
    report = Report(json=json)
    replayed = load_position(file, report, game=game, at=at, thrown=True)
    plies = [] if replayed.ending is not None else list(replayed.table.legal(replayed.position))
    phrases = [(ply.seat, write_moves(replayed.table, (ply.move,))) for ply in plies]
    if only_count:
        report.say(str(len(plies)))
    else:
        for seat, group in groupby(phrases, key=lambda one: one[0]):
            choice = [phrase for _, phrase in group]
            report.say(f"{replayed.turn}. {seat}: {count(len(choice), 'legal move')}")
            report.say(*wrap_list(choice, indent="    "))
        if not plies:
            report.say(explain_nothing_due(replayed))
    listed = {"moves": [{"seat": seat, "move": phrase} for seat, phrase in phrases]} if not only_count else {}
    report.add({"turn": replayed.turn, "to_act": list(replayed.due), "count": len(plies), **listed})
    report.end()
