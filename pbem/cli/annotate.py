"""`pbem annotate FILE`: comments, signs, variations and marks for boards, beside what was played."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from notation import ANNOTATION, COMMENT, GLYPH, VARIATION
from pbem.archive.source import STDIN
from pbem.books.remarks import DIAGRAM, LAST, NO_DIAGRAM
from pbem.cli.annotate_file import AnnotatedFile, Wish
from pbem.terminal.arguments import AsJson, Which
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report


def annotate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record file.", show_default=False)],
    *,
    at: Annotated[
        str, typer.Option("--at", metavar="PLACE", help="Where: 20, 20.red, 20.red/1, #57, start or end.")
    ] = LAST,
    comment: Annotated[
        list[str] | None, typer.Option("--comment", metavar="TEXT", help="Add a comment; - reads standard input.")
    ] = None,
    glyph: Annotated[
        list[str] | None, typer.Option("--glyph", metavar="SIGN", help="Add a sign: ! ? !! ?? !? ?! or $7.")
    ] = None,
    variation: Annotated[
        list[str] | None,
        typer.Option("--variation", metavar="ENTRIES", help="Add what might have been: '20. red: mint D4 {why}'."),
    ] = None,
    diagram: Annotated[
        bool | None, typer.Option("--diagram/--no-diagram", help="Mark that books show a board here, or none.")
    ] = None,
    remove: Annotated[
        list[int] | None, typer.Option("--remove", metavar="N", help="Take away remark N, as --list counts them.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the remarks of people, and change nothing.")] = False,
    game: Which = 1,
    json: AsJson = False,
) -> None:
    """Write comments, signs, variations and marks for boards beside a game.

    --at says where: 20 is turn 20, 20.red the turn of red, 20.red/1 after its first move, #57 entry 57. Without
    anything to add or remove it asks on the terminal.

    A record with a proof is sealed and stays as it is. What you write beside it stands in a copy, FILE.annotated.turns;
    `pbem verify --remarks` believes that one. The file is replaced in one step, and others may write at the same time.
    """
    report = Report(json=json)
    wishes = [
        *(Wish(COMMENT, sys.stdin.read().rstrip("\n") if text == STDIN else text) for text in comment or []),
        *(Wish(GLYPH, text) for text in glyph or []),
        *(Wish(VARIATION, text) for text in variation or []),
        *([Wish(ANNOTATION, DIAGRAM if diagram else NO_DIAGRAM)] if diagram is not None else []),
    ]
    if listed and (wishes or remove):
        report.give_up("--list changes nothing; leave it out, or what is to be added")
    if str(file) == STDIN:
        report.give_up("annotate writes into the record, so it needs a file and not standard input")
    refuse_post_file(file, report)
    book = AnnotatedFile(file, game, report)
    record = book.read()
    if listed or wishes or remove:
        if wishes or remove:
            record = book.change(at, wishes, remove or [])
        book.tell(record)
        report.end()
    if json:
        report.give_up("say what to add or remove; --json asks nothing on the terminal")
    from pbem.cli.annotate_terminal import AnnotationTerminal  # it is only needed where somebody types

    AnnotationTerminal(book, record, report).run()
    report.end()
