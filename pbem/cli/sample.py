"""`pbem sample GAME`: a complete random game."""

import sys
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from engine.chance import KeyedDealer
from engine.game import GameRules, Setup
from engine.verdict import Verdict
from notation import Record, write_record
from pbem.judging.lookahead import sample_game as play
from pbem.terminal.arguments import AsJson, GameKey, find_game, read_options
from pbem.terminal.display import Progress, count
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.record_outputs import SampleJson


class Style(StrEnum):
    """How the players of a sampled game choose."""

    GREEDY = "greedy"
    RANDOM = "random"
    LIVELY = "lively"


def sample(
    game: GameKey,
    *,
    seats: Annotated[int | None, typer.Option(metavar="N", help="How many play.  [default: the fewest]")] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="The same seed always gives the same game.")] = "1",
    games: Annotated[int, typer.Option(metavar="K", min=1, help="How many games, one after the other.")] = 1,
    digests: Annotated[
        int, typer.Option(metavar="T", min=0, help="Write the state's digest every T turns; 0 writes none.")
    ] = 0,
    options: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Set this up, instead of by chance.", show_default=False),
    ] = None,
    lively: Annotated[
        bool,
        typer.Option(
            "--lively", help="Players also try what is seldom worth it: every kind of move. The same as --style lively."
        ),
    ] = False,
    style: Annotated[
        Style, typer.Option(metavar="STYLE", help="How they play: greedy, random (quicker) or lively.")
    ] = Style.GREEDY,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="F", help="Write to this file.", show_default=False)
    ] = None,
    json: AsJson = False,
) -> None:
    """Write a complete random game.

    The players are careless but greedy, so games end properly and everything that scores happens. Only the seed
    decides: the same command writes the same bytes on every machine.

    `--option` plays a variant, such as Deals=yes or Phases=free; `pbem games` lists them. With `--lively` they also
    pass, make offers to one player by name, give coins, and answer before the dice fall, wherever the game knows that.
    """
    report = Report(json=json)
    found = find_game(game, report)
    players = min(found.players) if seats is None else seats
    if players not in found.players:
        report.give_up(f"{found.title} is for {min(found.players)} to {max(found.players)} players, not {players}")
    chosen = _check_options(found, players, read_options(options or (), report), report)
    with _target(output, report) as target, Progress("sampling", games) as progress:
        for number in range(1, games + 1):
            progress.tell(number, count(number, "game"))
            one = seed if games == 1 else f"{seed}/{number}"
            record = make(found, players, one, digests, options=chosen, style=Style.LIVELY if lively else style)
            text = write_record(record)
            if not json or output is not None:
                target.write(text if number == 1 else f"\n{text}")
            report.add(_sample_data(record, text, output))
    if json:
        report.end()


def make(
    game: GameRules,
    players: int,
    seed: str,
    digests: int = 0,
    *,
    options: tuple[tuple[str, str], ...] = (),
    style: Style = Style.GREEDY,
) -> Record:
    """The game of a seed; its Id and its headers say how to make it again."""
    manner = "" if style is Style.GREEDY else style.value
    special = "".join(f"\0{name}={value}" for name, value in options) + (f"\0{manner}" if manner else "")
    key = f"caravan-post/sample\0{game.key}\0{game.edition}\0{players}\0{seed}{special}".encode()
    return play(
        game,
        seats=game.seats[:players],
        dealer=KeyedDealer(key),
        name="-".join(filter(None, (f"sample-{players}-{seed}", manner))),
        digests=digests,
        options=options,
        lively=style is Style.LIVELY,
        aimless=style is Style.RANDOM,
    )


def _check_options(
    game: GameRules, players: int, chosen: dict[str, str], report: Report
) -> tuple[tuple[str, str], ...]:
    """The chosen set-up as headers; if the game does not know or refuses it, end the command."""
    known = {option.name for option in game.options}
    if unknown := [name for name in chosen if name not in known]:
        report.give_up(f"{game.title} has no option {unknown[0]}; it has {', '.join(sorted(known)) or 'none'}")
    options = tuple(chosen.items())
    setup = game.lay_out(Setup(game.seats[:players], options), KeyedDealer(b"a trial"))
    refused = game.start(setup)
    if isinstance(refused, Verdict):
        code = refused.rule.code
        report.give_up(f"{code} {refused.detail}; `pbem rule {code}` prints the rule", misuse=False)
    return options


def _target(output: Path | None, report: Report) -> "nullcontext[TextIO] | TextIO":
    if output is None:
        return nullcontext(sys.stdout)
    refuse_post_file(output, report)
    try:
        return output.open("w", encoding="utf-8", newline="\n")
    except OSError as problem:
        report.give_up(f"{output}: cannot be written; {(problem.strerror or '').lower()}")


def _sample_data(record: Record, text: str, output: Path | None) -> "SampleJson":
    return {
        "id": record.header("Id"),
        "game": record.header("Game"),
        "seats": list(record.seats),
        "result": record.header("Result"),
        "file": str(output) if output is not None else None,
        "text": text if output is None else None,
    }
