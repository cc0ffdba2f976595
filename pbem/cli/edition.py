"""`pbem edition GAME… -o BOOK`: annotated games as a book."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from engine.game import PUBLIC
from pbem.books.book_page import HOW_TO_PRINT, have_weasyprint, print_edition, write_edition
from pbem.books.chapter import BOARDS, write_chapter
from pbem.books.chapter_parts import Chapter
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.locale.catalogues import find_locale, known_locales
from pbem.locale.languages import format_codes
from pbem.render import ENGLISH
from pbem.terminal.arguments import AsJson, FilesFrom, Heap
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, record_files, report_faults, report_refusal
from pbem.terminal.output_file import refuse_post_file, write_output
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.book_outputs import EditionJson

FORMS: Final = (".html", ".pdf")
MOST: Final = 200
"""Games of one book. A page with more is slow to open, and who wants to read it?"""


def edition(
    files: Heap = None,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="BOOK", help="Write book.html or book.pdf.", show_default=False)
    ],
    files_from: FilesFrom = None,
    language: Annotated[str, typer.Option(metavar="L", help=f"Write in {format_codes()}.")] = ENGLISH.code,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of the book.", show_default=False)] = "",
    boards: Annotated[
        int, typer.Option(min=0, max=20, metavar="N", help="Boards of key moments, where nobody marked any.")
    ] = BOARDS,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="Of a game that goes on, show what this seat sees.")
    ] = PUBLIC,
    json: AsJson = False,
) -> None:
    """Write annotated games as a book.

    It has boards, moves in words, comments, variations, points by turn and the seal.

    A board stands where `pbem annotate --diagram` marked one; where nobody did, at the moments that brought most, and
    at the end. Several games make one book with contents. The page needs no network and prints well from any browser;
    .pdf needs the extra `edition`.

    Of a game that goes on the book holds what everybody may know, or with --as what one seat may know.
    """
    report = Report(json=json)
    form = output.suffix.lower()
    if form not in FORMS:
        report.give_up(f"{output}: the name must end in one of {' '.join(FORMS)}")
    if language not in known_locales():
        report.give_up(f"there is no language {language!r}; there is {', '.join(known_locales())}")
    if form == ".pdf" and not have_weasyprint():
        report.give_up(HOW_TO_PRINT)
    refuse_post_file(output, report)
    locale = find_locale(language)
    chapters: list[Chapter] = []
    games = 0
    for item in read_all_games(record_files(files, files_from, report), report, "reading"):
        games += 1
        record = item.reading.record
        if record is None:
            report_faults(item, report)
            continue
        if viewer != PUBLIC and viewer not in record.seats:
            report.problem(f"{item.source.title}: nobody sits at {viewer}; the seats are {', '.join(record.seats)}")
            continue
        if len(chapters) == MOST:
            report.give_up(f"a book has at most {MOST} games; choose some of them")
        made = write_chapter(fill_in_numbers(tidy_headers(record)), locale, viewer=viewer, boards=boards)
        if isinstance(made, Chapter):
            chapters.append(made)
        else:
            report.add(report_refusal(item, made.replayed, report))
    if not chapters:
        report.give_up("there is no game to write a book of", misuse=False)
    page = write_edition(chapters, locale, title=title)
    content = page.encode() if form == ".html" else print_edition(page)
    write_output(output, content, report, private=any(chapter.viewer for chapter in chapters))
    running = sum(not chapter.finished for chapter in chapters)
    report.say(f"{count(games, 'game')} read: {len(chapters)} in the book, {games - len(chapters)} left out")
    if running and viewer == PUBLIC:
        report.say(f"{count(running, 'game')} of them still on: only what everybody may know was written")
    said: EditionJson = {"file": str(output), "games": len(chapters)}
    report.add(said)
    report.end(games=games, written=len(chapters), left_out=games - len(chapters), running=running)
