"""`pbem new GAME`: a new table, and invitations to it."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from notation.faults import printable
from pbem.events.kinds import GameOpened
from pbem.service.invitations import (
    change_time_settings,
    double_roles,
    invite,
    language_problem,
    new_name,
    read_default,
    read_guest,
    read_headers,
)
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson, GameKey, find_game, read_options
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.history import read_events
from pbem.workflow.open_game import BEACON, SEED

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import NewTableJson


class DiceLevel(StrEnum):
    """Where dice and draws come from, besides what the players add."""

    SEED = SEED
    BEACON = BEACON


def new(
    game: GameKey,
    *,
    seats: Annotated[
        list[str],
        typer.Option(
            "--seat",
            metavar="SEAT=NAME:ADDRESS",
            help="Who sits where, in seat order; once for each player.",
            show_default=False,
        ),
    ],
    table: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="What to call the table.  [default: a wind]")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="Set this up yourself, instead of by chance.", show_default=False
        ),
    ] = None,
    board: Annotated[
        str | None, typer.Option(metavar="B", help="Short for --option Board=B.", show_default=False)
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            metavar="NAME=TEXT",
            help="What the record says besides: Event, Round, Date, Site or TimeControl.",
            show_default=False,
        ),
    ] = None,
    per_turn: Annotated[
        str | None, typer.Option(metavar="TIME", help="The time for a turn, such as 3d.", show_default=False)
    ] = None,
    bank: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Give each player a bank of time instead.", show_default=False),
    ] = None,
    increment: Annotated[
        str | None, typer.Option(metavar="TIME", help="What a turn adds to the bank.", show_default=False)
    ] = None,
    silence: Annotated[
        str | None,
        typer.Option(
            metavar="P", help="When a player does not answer: wait, play, substitute or forfeit.", show_default=False
        ),
    ] = None,
    default: Annotated[
        str | None,
        typer.Option(metavar="MOVE", help="With `play`: what to play, where it is legal.", show_default=False),
    ] = None,
    weekends: Annotated[
        str | None,
        typer.Option(metavar="W", help="Whether clocks run on Saturdays and Sundays: run or rest.", show_default=False),
    ] = None,
    grace: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How late an answer may be, such as 6h.", show_default=False),
    ] = None,
    reminders: Annotated[
        str | None,
        typer.Option(metavar="TIMES", help="How long before the deadline: 1d,6h, or none.", show_default=False),
    ] = None,
    rest: Annotated[
        str | None,
        typer.Option(metavar="DAYS", help="On which days no time runs: fri,sat, or none.", show_default=False),
    ] = None,
    holidays: Annotated[
        str | None,
        typer.Option(metavar="COUNTRIES", help="Whose public holidays do not count: NL,IL.", show_default=False),
    ] = None,
    pencil: Annotated[
        str | None,
        typer.Option(
            metavar="P",
            help="How long a move waits beside words that are not known: quarter, a time or off.",
            show_default=False,
        ),
    ] = None,
    offers: Annotated[
        str | None,
        typer.Option(metavar="O", help="How long offers are open: third, a time or off.", show_default=False),
    ] = None,
    forced: Annotated[
        str | None,
        typer.Option(
            metavar="F",
            help="When a player has only one move: play it at once, and roll the dice, or ask.",
            show_default=False,
        ),
    ] = None,
    dice: Annotated[
        DiceLevel, typer.Option(metavar="D", help="Where draws come from: the seed, or a public beacon as well.")
    ] = DiceLevel.SEED,
    hints: Annotated[
        bool, typer.Option("--hints/--no-hints", help="Whether a move is suggested to those who are new to the game.")
    ] = True,
    language: Annotated[
        str | None, typer.Option(metavar="L", help="The language of the invitations.", show_default=False)
    ] = None,
    zone: Annotated[
        str | None, typer.Option(metavar="Z", help="The time zone of the players.", show_default=False)
    ] = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Open a table and invite the players.

    The game begins when all of them have accepted by mail. What you leave out is taken from the settings. Players can
    choose their own language, time zone and notices later, by mail.

    With `--dice beacon` nobody can predict a draw, not even the post; but every draw waits ten minutes, and you have to
    bring the rounds: see `pbem beacon`.
    """
    report = Report(json=json)
    found = find_game(game, report)
    settings = load_settings(config, report)
    chosen = {
        "mode": "bank" if bank else "deadline" if per_turn else None,
        "per_turn": per_turn,
        "bank": bank,
        "increment": increment,
        "silence": silence,
        "weekends": weekends,
        "pencil": pencil,
        "offers": offers,
        "forced": forced,
        "zone": zone,
    }
    time = _value(
        change_time_settings(settings.time, {name: value for name, value in chosen.items() if value is not None}),
        report,
    )
    locale = language or settings.post.language
    if (why := language_problem(locale)) is not None:
        report.give_up(why)
    guests = [_value(read_guest(each, language=locale, zone=time.zone), report) for each in seats]
    headers = read_options((*(options or ()), *([f"Board={board}"] if board else ())), report)
    declared = () if default is None else _value(read_default(found, default, time), report)
    told = _value(read_headers(header or ()), report)
    if rest is not None and weekends is not None:
        report.give_up("say --rest or --weekends: days of rest are named once")
    others = {"grace": grace, "reminders": reminders, "rest": rest, "holidays": holidays}
    changes = [f"{term} {' '.join(value.lower().split(','))}" for term, value in others.items() if value is not None]
    with store_errors(report), open_post(settings) as context:
        name = table or new_name(context)
        refused = invite(
            *(context, found, guests),
            table=name,
            options=headers,
            time=time,
            dice=dice,
            default=declared,
            hints=hints,
            headers=told,
            changes=changes,
        )
        with context.store.reading() as transaction:
            opened = read_events(transaction, name)[0].payload if refused is None else None
    if isinstance(refused, str):
        report.give_up(refused)
    if refused is not None:
        code = refused.rule.code
        report.problem(f"{code} {refused.detail}; `pbem rule {code}` prints the rule", misuse=False)
        report.end()
    report.say(f"table {name}: {found.title}")
    report.say(*(f"  {guest.seat:<8} {guest.name}, {guest.address}: invited" for guest in guests))
    notes = [*double_roles(guests, settings.post.referee)]
    report.say(*(f"  note: {each}" for each in notes))
    said: NewTableJson = {
        "table": name,
        "game": found.key,
        "seats": {guest.seat: guest.address for guest in guests},
        "notes": notes,
        "headers": dict(opened.headers) if isinstance(opened, GameOpened) else {},
    }
    report.say(*(f"  {name}: {printable(text)}" for name, text in said["headers"].items()))
    report.add(said)
    report.end()


T = TypeVar("T")


def _value(read: T | str, report: Report) -> T:
    """The value that was read; if it is a sentence on why it could not be, end the command."""
    return report.give_up(read) if isinstance(read, str) else read
