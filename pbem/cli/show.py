"""`pbem show FILE`: the board as a picture, a page, text or data."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from engine.game import PUBLIC
from pbem.languages import format_codes
from pbem.render import ENGLISH
from pbem.render.locales import find_locale, known_locales
from pbem.terminal.arguments import AsJson, AtTurn, File, Which
from pbem.terminal.inputs import load_position
from pbem.terminal.report import Report, write_output
from pbem.terminal.summaries import FORMS, draw, game_data, wish


def show(
    file: File,
    *,
    at: AtTurn = None,
    game: Which = 1,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", help="See the table as this seat does.")] = PUBLIC,
    language: Annotated[str, typer.Option(metavar="L", help=f"Write in {format_codes()}.")] = ENGLISH.code,
    legal: Annotated[bool, typer.Option("--legal", help="Mark the spaces that may be used now.")] = False,
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

    The last turn is marked. The name of the output decides its form: .svg and .png are pictures, .html a page to keep
    or send, .txt text in fixed width, .json the table as plain data, which has no language.
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
        picture = draw(replayed, form, viewer=viewer, options=wish(replayed, legal=legal, locale=find_locale(language)))
        if output is None:
            sys.stdout.write(picture.decode())
        else:
            write_output(output, picture, report, private=viewer != PUBLIC)
    report.add(
        {
            **game_data(replayed),
            "view": replayed.table.view(replayed.position, viewer),
            "file": str(output) if output is not None else None,
        }
    )
    report.end()
