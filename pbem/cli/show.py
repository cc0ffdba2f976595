"""`pbem show FILE`: the board as a picture, a page, text or data."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.game import PUBLIC
from pbem.locale.catalogues import find_locale, known_locales
from pbem.locale.languages import format_codes
from pbem.render import ENGLISH
from pbem.terminal.arguments import AsJson, AtTurn, File, Which
from pbem.terminal.board_file import FORMS, draw_board, draw_options
from pbem.terminal.inputs import load_position
from pbem.terminal.output_file import write_output
from pbem.terminal.report import Report
from pbem.terminal.summaries import game_data

if TYPE_CHECKING:
    from pbem.terminal.record_outputs import ShownJson


def show(
    file: File,
    *,
    at: AtTurn = None,
    game: Which = 1,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", help="Show what this seat sees.")] = PUBLIC,
    language: Annotated[str, typer.Option(metavar="L", help=f"Write in {format_codes()}.")] = ENGLISH.code,
    legal: Annotated[bool, typer.Option("--legal", help="Mark the spaces that may be used now.")] = False,
    narrow: Annotated[
        bool, typer.Option("--narrow", help="Draw the board alone, as mails show it on a telephone (.svg, .png).")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="BOARD",
            help="Write board.svg, .png, .txt, .html or .json.  [default: text on the terminal]",
            show_default=False,
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Draw the board.

    The last turn is marked. The ending of the output file decides the form: .svg and .png are pictures, .html is a page
    to keep or send, .txt is text for a fixed-width font, .json is the table as plain data.
    """
    report = Report(json=json)
    form = output.suffix.lower() if output is not None else ".txt"
    if form not in FORMS:
        report.give_up(f"{output}: the name must end in one of {' '.join(FORMS)}")
    if language not in known_locales():
        report.give_up(f"there is no language {language!r}; there is {', '.join(known_locales())}")
    replayed = load_position(file, report, game=game, at=at)
    if viewer != PUBLIC and viewer not in replayed.record.seats:
        report.problem(f"nobody sits at {viewer}; the seats are {', '.join(replayed.record.seats)}")
        report.end()
    if output is not None or not json:
        options = draw_options(replayed, legal=legal, narrow=narrow, reader=viewer, locale=find_locale(language))
        picture = draw_board(replayed, form, viewer=viewer, options=options)
        if output is None:
            sys.stdout.write(picture.decode())
        else:
            write_output(output, picture, report, private=viewer != PUBLIC)
    said: ShownJson = {
        **game_data(replayed),
        "view": dict(replayed.table.view(replayed.position, viewer)),
        "file": str(output) if output is not None else None,
    }
    report.add(said)
    report.end()
