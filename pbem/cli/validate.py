"""`pbem validate FILE…`: whether a game is legal, or a move after it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, NoReturn

import typer

from engine.game import PUBLIC
from pbem.terminal.arguments import AsJson, AsJsonLines, FilesFrom, Heap, Jobs
from pbem.terminal.inputs import load_position, record_files
from pbem.terminal.judged_games import judge_files
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from engine.verdict import Remedy
    from pbem.judging.result import ReplayResult


def validate(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    seat: Annotated[str | None, typer.Option(help="Whose move to judge after the record; * is chance.")] = None,
    move: Annotated[
        str | None, typer.Option(metavar="TEXT", help='The move, such as "lilac F4, salmon C9".', show_default=False)
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="After the K-th game of a file that holds several.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="BOARD",
            help="If --move is refused, draw the board with what would have to change: board.svg, .png or .html.",
            show_default=False,
        ),
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Sum refusals by rule, with the first place of each.")
    ] = False,
    refused_to: Annotated[
        Path | None,
        typer.Option(
            "--refused-to",
            metavar="FILE",
            help="Write the refused games into this file, the refusal above each.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = None,
    json: AsJson = False,
    json_lines: AsJsonLines = False,
) -> None:
    """Judge records, or a move that a player sent in.

    It judges every ply of every game, and checks turn numbers, state digests, ending and result. It prints the first
    thing that is wrong with a game, and the rule it breaks. With --seat and --move it judges the record first, then the
    move; --seat '*' judges a throw or a draw. If a small change would make a refused move legal, it says which: one
    piece, a card or two, another order.

    Many games are judged on all cores, with the same findings in the same order. The file of --refused-to can be mended
    and judged again; take out the refusals above the games when you put them back.

    It warns of variations that could not be played, and of games with the same Id; that changes no exit code.

    The exit code is 0 if everything is legal, 1 if something was refused, 2 if the command made no sense.
    """
    report = Report(json=json, lines=json_lines)
    if seat is not None and move is not None and files_from is None and files and len(files) == 1:
        _judge_move(files[0], game, Played(seat, move, output), report)
    if seat is not None or move is not None or game is not None or output is not None:
        report.give_up("give --seat and --move together, with one record; --game and --output go with them")
    if refused_to is not None:
        refuse_post_file(refused_to, report)
    judge_files(record_files(files, files_from, report), report, jobs=jobs, summary=summary, refused_to=refused_to)


class Played(NamedTuple):
    """What a player sent in, and where the board is drawn if it is refused."""

    seat: str
    text: str
    output: Path | None


PICTURES: Final = (".svg", ".png", ".html")
"""The endings of files on which the board can be drawn with a mark."""


def _judge_move(file: str, game: int | None, played: Played, report: Report) -> NoReturn:
    from pbem.judging.submission import judge_submission
    from pbem.terminal.refusals import report_submission  # only a single move needs it, not an archive

    if played.output is not None and played.output.suffix.lower() not in PICTURES:
        report.give_up(f"{played.output}: the name must end in one of {' '.join(PICTURES)}")
    replayed = load_position(file, report, game=game)
    ruling = judge_submission(replayed, played.seat, played.text)
    remedy = report_submission(ruling, replayed, report)
    if played.output is not None and not ruling.is_legal:
        _draw(replayed, ruling.seat, remedy, played.output, report)
    report.end()


def _draw(replayed: "ReplayResult", seat: str, remedy: "Remedy | None", output: Path, report: Report) -> None:
    """Draw the board as the player sees it, with the places marked that a remedy is about."""
    from dataclasses import replace

    from pbem.terminal.board_file import draw_board, draw_options
    from pbem.terminal.output_file import write_output

    options = replace(draw_options(replayed), wanted=remedy.places if remedy is not None else ())
    viewer = seat if seat in replayed.record.seats else PUBLIC
    picture = draw_board(replayed, output.suffix.lower(), viewer=viewer, options=options)
    write_output(output, picture, report, private=viewer != PUBLIC)
