"""`pbem new GAME`: a new table, and invitations to it."""

from enum import StrEnum
from typing import Annotated, TypeVar

import typer

from pbem.service.invitations import (
    change_time,
    invite,
    new_name,
    read_default,
    read_guest,
    why_no_language,
)
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson, GameKey, find_game
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.open_game import BEACON, SEED


class DiceLevel(StrEnum):
    """What draws follow from, besides what the players stir in."""

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
            "--option", metavar="NAME=VALUE", help="Set-up that is not to be drawn by chance.", show_default=False
        ),
    ] = None,
    board: Annotated[
        str | None, typer.Option(metavar="B", help="Short for --option Board=B.", show_default=False)
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
        typer.Option(metavar="P", help="When nobody answers: wait, play, substitute or forfeit.", show_default=False),
    ] = None,
    default: Annotated[
        str | None,
        typer.Option(metavar="MOVE", help="With `play`: what is played where it is legal.", show_default=False),
    ] = None,
    weekends: Annotated[
        str | None,
        typer.Option(metavar="W", help="Whether clocks run on Saturdays and Sundays: run or rest.", show_default=False),
    ] = None,
    dice: Annotated[
        DiceLevel, typer.Option(metavar="D", help="What draws follow from: the seed, or a public beacon as well.")
    ] = DiceLevel.SEED,
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

    The game begins when all of them have accepted by mail. What is not said here is as the settings say, and every
    player may choose language, time zone and notices for himself later, by mail.

    With `--dice beacon` nobody can foresee a draw, the post included; every draw waits for ten minutes, and somebody
    has to bring the rounds: see `pbem beacon`.
    """
    report = Report(json=json)
    found = find_game(game, report)
    settings = load_settings(config, report)
    wishes = {
        "mode": "bank" if bank else "deadline" if per_turn else None,
        "per_turn": per_turn,
        "bank": bank,
        "increment": increment,
        "silence": silence,
        "weekends": weekends,
        "zone": zone,
    }
    time = _given(change_time(settings.time, {name: wish for name, wish in wishes.items() if wish is not None}), report)
    locale = language or settings.post.language
    if (why := why_no_language(locale)) is not None:
        report.give_up(why)
    guests = [_given(read_guest(each, language=locale, zone=time.zone), report) for each in seats]
    headers = _headers(options or [], board, report)
    declared = () if default is None else _given(read_default(found, default, time), report)
    with store_errors(report), open_post(settings) as context:
        name = table or new_name(context)
        refused = invite(context, found, guests, table=name, options=headers, time=time, dice=dice, default=declared)
    if isinstance(refused, str):
        report.give_up(refused)
    if refused is not None:
        code = refused.rule.code
        report.problem(f"{code} {refused.detail}; `pbem rule {code}` prints the rule", misuse=False)
        report.end()
    report.say(f"table {name}: {found.title}")
    report.say(*(f"  {guest.seat:<8} {guest.name}, {guest.address}: invited" for guest in guests))
    report.add({"table": name, "game": found.key, "seats": {guest.seat: guest.address for guest in guests}})
    report.end()


T = TypeVar("T")


def _given(read: T | str, report: Report) -> T:
    """What was read, unless it is a sentence on why it could not be."""
    return report.give_up(read) if isinstance(read, str) else read


def _headers(options: list[str], board: str | None, report: Report) -> dict[str, str]:
    """The set-up that was said, by header."""
    parted = [each.partition("=") for each in (*options, *([f"Board={board}"] if board else []))]
    if wrong := next((name for name, sign, _ in parted if not sign), None):
        report.give_up(f"{wrong!r} is no option; write NAME=VALUE, such as Board=standard")
    return {name: value for name, _, value in parted}
