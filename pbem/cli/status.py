"""`pbem status`: how the post is doing."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.backups import say_last
from pbem.service.health import count_everything, explain_clock_behind, format_counts
from pbem.service.post_folder import open_light
from pbem.service.room import find_room, say_room
from pbem.service.water_mark import WHAT_TO_DO, find_rollback, say_held, say_lost_table
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import count
from pbem.terminal.post_file import DAMAGED_HISTORY, Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.service.game_status import GameStatus
    from pbem.settings.sections import Settings
    from pbem.store.store import Transaction
    from pbem.terminal.post_outputs import TableStatusJson


_ROLLBACK = "rollback"
"""The pause of a game that is held; the same as in `tables/table.py`, which takes longer to load than all this."""


def status(
    *,
    every: Annotated[bool, typer.Option("--all", help="List games that are over, too.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Count only, and list no games.")] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Show how the post is doing.

    Counts letters by outcome, which must add up to those that arrived, and mails by state; lists the games, whom they
    wait for and until when; and says what takes the room on the disk. The exit code is 1 if letters are missing, the
    history of a game was found to be damaged, a game is held, or the database is older than it was.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), open_light(settings, reads=True) as post:
        is_read_only = post.store.is_read_only
        health = count_everything(post.store, post.now())
        with post.store.reading() as transaction:
            older, unknown = find_rollback(settings, transaction), transaction.lost_tables()
            games = _load_games(settings, transaction, every=every) if health.games and not summary else []
            room = find_room(transaction)
    mails = ", ".join(f"{number} {state}" for state, number in health.mails.items())
    stages = ", ".join(f"{number} {stage}" for stage, number in health.games.items()) or "none yet"
    report.say(f"letters  {format_counts(health.letters)}", f"mails    {mails}", f"games    {stages}")
    if last := say_last(settings.backup):
        report.say(f"backups  {last}")
    report.say(f"room     {say_room(room)}")
    if settings.store.is_on_server:
        from pbem.service.other_hosts import say_hosts  # loads the driver

        with store_errors(report):
            report.say(f"hosts    {'; '.join(say_hosts(settings)) or 'none serves the post'}")
    for table in unknown:
        report.problem(say_lost_table(table), misuse=False)
    if older is not None:
        report.problem(f"{older}; {WHAT_TO_DO}", misuse=False)
    if health.last_error:
        report.say(f"mails wait, because of: {_printable(health.last_error)}")
    if is_read_only:
        report.say("the database cannot be written here, so nothing is done with it: this is what it holds")
    if health.behind:
        report.say(f"the clock of this machine: {explain_clock_behind(health.behind)}")
    if games:
        report.say("")
    for game in games:
        if game.broken:
            report.problem(f"{_printable(game.broken)}; {DAMAGED_HISTORY}", misuse=False)
        else:
            report.say(_line(game) + (f"; {count(game.warrants, 'warrant')}" if game.warrants else ""))
        if _ROLLBACK in game.pauses:
            report.problem(say_held(game.table), misuse=False)
        said: TableStatusJson = {
            "table": game.table,
            "game": game.game,
            "stage": game.stage,
            "turn": game.turn,
            "waits_for": {seat: until.isoformat() if until else None for seat, until in game.waits_for.items()},
            "pauses": list(game.pauses),
            "result": game.result,
            "cases": list(game.cases),
            "warrants": game.warrants,
            "free": list(game.free),
            "pencilled": {seat: until.isoformat() for seat, until in game.pencilled.items()},
        }
        report.add(said)
    if health.letters.difference:
        report.refuse()
    report.end(health=health.facts, room=room)


def _load_games(settings: "Settings", transaction: "Transaction", *, every: bool) -> "list[GameStatus]":
    from pbem.service.game_status import game_statuses, quick_statuses
    from pbem.service.post_folder import open_post

    if (found := quick_statuses(transaction, all_of_them=every)) is not None:
        return found
    # Games take longer to load than everything else here.
    with open_post(settings, reads=True) as context, context.store.reading() as snapshot:
        return list(game_statuses(context, snapshot, all_of_them=every))


def _printable(text: str) -> str:
    from notation.faults import printable  # loads the notation, and there is seldom an error to print

    return printable(text)


def _line(game: "GameStatus") -> str:
    from pbem.service.game_status import CHANCE

    if CHANCE in game.waits_for:
        return (
            f"{game.table}: turn {game.turn}, waits for the beacon {_until(game.waits_for[CHANCE])}; see `pbem beacon`"
        )
    if game.stage == "inviting":
        waits = [f"waits for {', '.join(game.waits_for)} to accept"] if game.waits_for else []
        free = [f"{', '.join(game.free)} free; see `pbem invite`"] if game.free else []
        return f"{game.table}: {'; '.join(waits + free)}"
    if game.stage != "playing":
        return f"{game.table}: {game.stage}, {game.result}"
    paused = f"; time stands still: {', '.join(game.pauses)}" if game.pauses else ""
    due = " and ".join(f"{seat} {_until(until)}".rstrip() for seat, until in game.waits_for.items())
    pencilled = [f"; a move of {seat} is pencilled {_until(until)}" for seat, until in game.pencilled.items()]
    return f"{game.table}: turn {game.turn}, waits for {due}{paused}{''.join(pencilled)}"


def _until(moment: "datetime | None") -> str:
    return f"until {moment:%Y-%m-%d %H:%M} UTC" if moment is not None else ""
