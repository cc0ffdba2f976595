"""`pbem validate FILE…`: whether a game is legal, or a move after it."""

from typing import Annotated, NamedTuple, NoReturn

import typer

from pbem.cli.quick_validate import judge_files
from pbem.terminal.arguments import AsJson, Files
from pbem.terminal.inputs import load_position
from pbem.terminal.report import Report


def validate(
    files: Files,
    *,
    seat: Annotated[str | None, typer.Option(help="Whose move to judge after the record; * is chance.")] = None,
    move: Annotated[
        str | None, typer.Option(metavar="TEXT", help='The move, such as "lilac F4, salmon C9".', show_default=False)
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="After the K-th game of a file that holds several.", show_default=False),
    ] = None,
    json: AsJson = False,
) -> None:
    """Judge records, or a move that a player sent in.

    It judges every ply of every game, and checks turn numbers, state digests, ending and result. It prints the first
    thing that is wrong with a game, and the rule it breaks. With --seat and --move it judges the record first, then the
    move; --seat '*' judges a throw or a draw.

    It warns of variations that could not be played, and of games with the same Id; that changes no exit code.

    The exit code is 0 if everything is legal, 1 if something was refused, 2 if the command made no sense.
    """
    report = Report(json=json)
    if seat is not None and move is not None and len(files) == 1:
        _judge_move(files[0], game, Played(seat, move), report)
    if seat is not None or move is not None or game is not None:
        report.give_up("give --seat and --move together, with one record; --game goes with them")
    judge_files(files, report)


class Played(NamedTuple):
    """What a player sent in."""

    seat: str
    text: str


def _judge_move(file: str, game: int | None, played: Played, report: Report) -> NoReturn:
    from pbem.judging.submission import judge_submission
    from pbem.terminal.refusals import report_submission  # only a single move needs it, not an archive

    replayed = load_position(file, report, game=game)
    report_submission(judge_submission(replayed, played.seat, played.text), replayed, report)
    report.end()
