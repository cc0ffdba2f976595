"""`pbem suggest FILE`: whole turns that a player could make."""

from typing import Annotated

import typer

from notation import write_moves
from pbem.judging.lookahead import suggest_turns as look_ahead
from pbem.terminal.arguments import AsJson, AtTurn, File, Which
from pbem.terminal.display import Progress, count, wrap
from pbem.terminal.inputs import explain_nothing_due, load_position, players_due
from pbem.terminal.report import Report


def suggest(
    file: File,
    *,
    at: AtTurn = None,
    game: Which = 1,
    seat: Annotated[
        str | None, typer.Option(metavar="S", help="For this seat.  [default: whoever is due]", show_default=False)
    ] = None,
    best: Annotated[int, typer.Option(min=1, metavar="N", help="Print so many.")] = 5,
    json: AsJson = False,
) -> None:
    """Look ahead for whole turns.

    The most promising come first, as the simple players of `pbem sample` see it: something to begin with, not advice of
    a master. A turn is foreseen as far as it goes without chance and without anybody else. What is printed can be sent
    as it stands.
    """
    report = Report(json=json)
    replayed = load_position(file, report, game=game, at=at, thrown=True)
    if seat is not None and seat not in replayed.record.seats:
        report.give_up(f"nobody sits at {seat}; the seats are {', '.join(replayed.record.seats)}")
    due = players_due(replayed)
    if not due:
        report.say(explain_nothing_due(replayed))
        report.end()
    who = seat or due[0]
    if who not in due:
        report.problem(f"{who} has nothing to play now; to move: {', '.join(due)}")
        report.end()
    with Progress("looking ahead") as progress:
        found = look_ahead(replayed.table, replayed.position, who, tell=progress.tell)
    report.say(f"{replayed.turn}. {who}: {count(len(found), 'turn')} found, the most promising first")
    now = replayed.table.score(replayed.position).total(who)
    for number, one in enumerate(found[:best], 1):
        phrase, gain = write_moves(replayed.table, one.moves), replayed.table.score(one.after).total(who) - now
        report.say(*wrap(f"{number}. {phrase}" + (f"  ({gain:+} points)" if gain else ""), indent="    "))
        report.add({"turn": replayed.turn, "seat": who, "moves": phrase, "gain": gain})
    report.end()
