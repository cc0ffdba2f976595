"""`pbem legal`, `pbem suggest` and `pbem perft`: what can be played next after a record."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from notation import write_moves
from pbem.judging.lookahead import count_ends, suggest_turns
from pbem.judging.lookahead import perft as count_ways
from pbem.terminal.arguments import AsJson, AtTurn, File, Which
from pbem.terminal.display import Progress, count, wrap, wrap_list
from pbem.terminal.inputs import explain_nothing_due, load_position, players_due
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Seat
    from pbem.judging.result import ReplayResult
    from pbem.terminal.record_outputs import DepthJson, EndsJson, LegalCountJson, LegalJson, SuggestionJson


def legal(
    file: File,
    *,
    at: AtTurn = None,
    game: Which = 1,
    only_count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    json: AsJson = False,
) -> None:
    """List the legal moves.

    It lists single plies: a turn of two camels is two of them. A game may leave out moves with free words or amounts.
    Where chance goes first, its dice are taken from the record. `pbem suggest` looks for whole turns.
    """
    report = Report(json=json)
    replayed = load_position(file, report, game=game, at=at, thrown=True)
    plies = [] if replayed.ending is not None else list(replayed.table.legal(replayed.position))
    phrases = [(ply.seat, write_moves(replayed.table, (ply.move,))) for ply in plies]
    counted: LegalCountJson = {"turn": replayed.turn, "to_act": list(replayed.due), "count": len(plies)}
    if only_count:
        report.say(str(len(plies)))
        report.add(counted)
    else:
        for seat, group in groupby(phrases, key=lambda one: one[0]):
            choice = [phrase for _, phrase in group]
            report.say(f"{replayed.turn}. {seat}: {count(len(choice), 'legal move')}")
            report.say(*wrap_list(choice, indent="    "))
        if not plies:
            report.say(explain_nothing_due(replayed))
        listed: LegalJson = {**counted, "moves": [{"seat": seat, "move": phrase} for seat, phrase in phrases]}
        report.add(listed)
    report.end()


def suggest(
    file: File,
    *,
    at: AtTurn = None,
    game: Which = 1,
    seat: Annotated[
        str | None, typer.Option(metavar="S", help="For this seat.  [default: who is to move]", show_default=False)
    ] = None,
    best: Annotated[int, typer.Option(min=1, metavar="N", help="How many to print.")] = 5,
    json: AsJson = False,
) -> None:
    """Look ahead for whole turns.

    The most promising come first, as the simple players of `pbem sample` see it: a start, not the advice of a master.
    A turn goes as far as it can without chance and without anybody else. You can send what is printed as it is.
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
        found = suggest_turns(replayed.table, replayed.position, who, tell=progress.tell)
    report.say(f"{replayed.turn}. {who}: {count(len(found), 'turn')} found, the most promising first")
    now = replayed.table.score(replayed.position).total(who)
    for number, one in enumerate(found[:best], 1):
        phrase, gain = write_moves(replayed.table, one.moves), replayed.table.score(one.after).total(who) - now
        report.say(*wrap(f"{number}. {phrase}" + (f"  ({gain:+} points)" if gain else ""), indent="    "))
        suggestion: SuggestionJson = {"turn": replayed.turn, "seat": who, "moves": phrase, "gain": gain}
        report.add(suggestion)
    report.end()


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

    One line for each depth: how many sequences of that many legal plies there are after the record. With --ends: how
    many different positions the turn of the player who is to move can come to before chance or somebody else goes on.
    Compare the numbers with those of another implementation of the rules.
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
            # The rules may still know moves after the players have ended a game.
            ways = count_ways(replayed.table, replayed.position, plies, tell=progress.tell) if due else 0
        report.say(f"{plies:>3} {ways:>15}")
        counted: DepthJson = {"depth": plies, "count": ways}
        report.add(counted)


def _count_ends(replayed: "ReplayResult", due: "Sequence[Seat]", report: Report) -> None:
    for seat in due:
        with Progress(f"ends of {seat}'s turn") as progress:
            ends = count_ends(replayed.table, replayed.position, seat, tell=progress.tell)
        report.say(f"{seat}: {ends}")
        counted: EndsJson = {"seat": seat, "ends": ends}
        report.add(counted)
