"""`pbem record ID`: the record of a game at the post."""

import sys
from pathlib import Path
from typing import Annotated, NamedTuple, NoReturn

import typer

from engine.game import PUBLIC
from notation import write_record
from pbem.judging.entries import redact_record
from pbem.service.game_records import read_proof, read_record, take_in
from pbem.service.invitations import read_guest
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson
from pbem.terminal.inputs import load_position
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report, write_output


def record(
    table: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The name of a table.", show_default=False)
    ] = None,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="F", help="Write to this file.", show_default=False)
    ] = None,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", help="Tell it as this seat may read it.")] = PUBLIC,
    whole: Annotated[
        bool, typer.Option("--secrets", help="Tell what is hidden too, as a backup must; keep it to yourself.")
    ] = False,
    bare: Annotated[bool, typer.Option("--bare", help="Leave the proof out: headers and moves alone.")] = False,
    file: Annotated[
        str | None,
        typer.Option("--import", metavar="FILE", help="Make a table of this record instead.", show_default=False),
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
    """Print the record of a game, or take one in.

    The record follows from the events of the game, always, and carries its proof: `pbem verify` checks it. While a game
    goes on, it is told as the public may read it, or as a seat may (--as), or with every secret (--secrets); a file
    that is not for the public can be read by its owner alone.

    A record becomes a game again with --import, under its own Id or under ID: one from another house, or from a lost
    database. A game that is not over goes on with the players named.
    """
    report = Report(json=json)
    if file is not None and (output is not None or viewer != PUBLIC or whole or bare):
        report.give_up("--import takes a record in; -o, --as, --secrets and --bare go with printing one")
    if file is not None:
        _take_in(_From(file, game), table, seats or [], report, config)
    if table is None or seats or game is not None:
        report.give_up("name the table whose record is wanted; --seat and --game go with --import")
    with store_errors(report), open_post(load_settings(config, report)) as context:
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
    report.add({"table": table, "text": text, "file": str(output) if output is not None else None})
    report.end()


class _From(NamedTuple):
    """The file that a record is in, and which of its games it is; None for the only one."""

    file: str
    game: int | None


def _take_in(source: _From, table: str | None, seats: list[str], report: Report, config: Path | None) -> NoReturn:
    settings = load_settings(config, report)
    guests = [read_guest(each, language=settings.post.language, zone=settings.time.zone) for each in seats]
    if (wrong := next((guest for guest in guests if isinstance(guest, str)), None)) is not None:
        report.give_up(wrong)
    replayed = load_position(source.file, report, game=source.game)
    found = replayed.record
    with store_errors(report), open_post(settings) as context:
        known = [guest for guest in guests if not isinstance(guest, str)]
        why = take_in(context, found, known, table=table)
    if why:
        report.problem(why, misuse=False)
        report.end()
    report.say(f"table {table or found.header('Id')}: {replayed.turns} turns taken in")
    report.add({"table": table or found.header("Id"), "turns": replayed.turns})
    report.end()
