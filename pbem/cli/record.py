"""`pbem record ID`: the record of a game at the post."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

import typer

from engine.game import PUBLIC
from notation import write_record
from pbem.judging.entries import redact_record
from pbem.service.game_records import import_record, read_proof, read_record
from pbem.service.invitations import double_roles, read_guest
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson
from pbem.terminal.inputs import load_position
from pbem.terminal.output_file import write_output
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import ImportedJson, RecordJson


def record(
    table: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The name of a table.", show_default=False)
    ] = None,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="F", help="Write to this file.", show_default=False)
    ] = None,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", help="Print what this seat may read.")] = PUBLIC,
    whole: Annotated[
        bool, typer.Option("--secrets", help="Print hidden values too, as a backup needs; keep it to yourself.")
    ] = False,
    bare: Annotated[bool, typer.Option("--bare", help="Leave the proof out: only headers and moves.")] = False,
    file: Annotated[
        str | None,
        typer.Option("--import", metavar="FILE", help="Make a table from this record instead.", show_default=False),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="K", help="With --import: the K-th game of a file that holds several.", show_default=False
        ),
    ] = None,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="SEAT=NAME:ADDRESS", help="With --import: who plays on, and where.", show_default=False
        ),
    ] = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Print the record of a game, or import one.

    The record is made from the events of the game and carries its proof; `pbem verify` checks it. While a game goes on,
    you get what the public may read, or what a seat may read (--as), or every secret (--secrets). Only you can read a
    file that is not public.

    --import makes a table from a record, under its own Id or under ID: a record from another post, or from a lost
    database. If the game is not over, it goes on with the players that you name.
    """
    report = Report(json=json)
    if file is not None and (output is not None or viewer != PUBLIC or whole or bare):
        report.give_up("-o, --as, --secrets and --bare are for printing a record, not for --import")
    if file is not None:
        _import(_GameSource(file, game), table, seats or [], report, config)
    if table is None or seats or game is not None:
        report.give_up("name the table whose record you want; --seat and --game are for --import")
    with store_errors(report), open_post(load_settings(config, report), reads=True) as context:
        found = read_record(context, table)
        if found is None:
            report.give_up(f"there is no table {table}; `pbem status --all` lists them")
        if viewer != PUBLIC and viewer not in found.seats:
            report.give_up(f"nobody sits at {viewer}; the seats are {', '.join(found.seats)}")
        proved = None if bare else read_proof(context, table, None if whole else viewer)
    text = write_record(proved or (found if whole else redact_record(found, viewer)))
    if output is not None:
        write_output(output, text.encode(), report, private=whole or viewer != PUBLIC)
    elif not json:
        sys.stdout.write(text)
    said: RecordJson = {"table": table, "text": text, "file": str(output) if output is not None else None}
    report.add(said)
    report.end()


class _GameSource(NamedTuple):
    """A file with records, and the number of the game in it; None for the only one."""

    file: str
    game: int | None


def _import(source: _GameSource, table: str | None, seats: list[str], report: Report, config: Path | None) -> NoReturn:
    settings = load_settings(config, report)
    guests = [read_guest(each, language=settings.post.language, zone=settings.time.zone) for each in seats]
    if (wrong := next((guest for guest in guests if isinstance(guest, str)), None)) is not None:
        report.give_up(wrong)
    replayed = load_position(source.file, report, game=source.game)
    found = replayed.record
    with store_errors(report), open_post(settings) as context:
        known = [guest for guest in guests if not isinstance(guest, str)]
        why = import_record(context, found, known, table=table)
    if why:
        report.problem(why, misuse=False)
        report.end()
    report.say(f"table {table or found.header('Id')}: {replayed.turns} turns taken in")
    notes = [*double_roles(known, settings.post.referee)]
    report.say(*(f"  note: {each}" for each in notes))
    said: ImportedJson = {"table": table or found.header("Id"), "turns": replayed.turns, "notes": notes}
    report.add(said)
    report.end()
