"""`pbem restore FILE`: put the database back to a copy, or let an older history stand."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.lock import PostBusyError
from pbem.service.restore import Restored, accept, rehearse
from pbem.service.restore import restore as put_back
from pbem.store.timestamps import utc_now
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import Progress, count
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.settings.sections import Settings
    from pbem.terminal.post_outputs import AcceptedJson, RestoredJson


def restore(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|TABLE]", help="The copy; with --accept, the table.", show_default=False),
    ] = None,
    *,
    rehearsal: Annotated[
        bool, typer.Option("--rehearse", help="Try it in a scratch folder, and say what would be lost.")
    ] = False,
    accepting: Annotated[
        bool, typer.Option("--accept", help="Let the shorter history of a held table stand, and let it go on.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="With --accept: let the database stand as it is, for all tables.")
    ] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Put the database back to a copy.

    Stop the post first. The copy is checked, and must be one of this post. In every game that goes on a new epoch
    begins, so that dice are rolled again and old letters are told apart; everybody is told, and the log of all games
    says so. The database that was there is kept beside it under another name. Try it with --rehearse first: that
    changes nothing, and says what would be lost.

    A table is held when a letter shows that the database is older than it was. It goes on by itself when the players
    have sent their moves again; --accept TABLE lets it go on from where it is.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    try:
        if accepting:
            _accept(settings, what, report, every=every, rehearsal=rehearsal)
        else:
            _restore(settings, what, report, every=every, rehearsal=rehearsal)
    except PostBusyError as reason:
        report.give_up(f"{reason}; stop it first", misuse=False)
    report.end()


def _accept(settings: "Settings", table: str | None, report: Report, *, every: bool, rehearsal: bool) -> None:
    if (table is None) != every or rehearsal:
        report.give_up("name one table with --accept, or write --all instead of it")
    with store_errors(report):
        done = accept(settings, table, everything=every)
    for each in done:
        report.say(f"{each} goes on from where it is; its players are told with the next mails")
        said: AcceptedJson = {"table": each}
        report.add(said)
    if not done:
        report.say("no table goes on now" if every else f"{table} is not held; nothing was changed")


def _restore(settings: "Settings", what: str | None, report: Report, *, every: bool, rehearsal: bool) -> None:
    if what is None or every:
        report.give_up("name the copy to put back; --all is for --accept")
    file = Path(what)
    if not file.is_file():
        report.give_up(f"{file}: no such file; check the name")
    with store_errors(report), Progress("checking") as progress:
        done = (
            rehearse(settings, file, progress.tell) if rehearsal else put_back(settings, file, utc_now(), progress.tell)
        )
    _tell(done, file, report, rehearsal=rehearsal)


def _tell(done: Restored, file: Path, report: Report, *, rehearsal: bool) -> None:
    report.say(
        f"{file} is whole: {count(done.games, 'game')}, {count(done.extent.events, 'event')}"
        + (f", the last of {done.newest}" if done.newest else "")
    )
    if done.lost is None:
        report.say("how much is lost cannot be told: there is no other database to compare it with")
    else:
        lost = done.lost
        report.say(
            f"lost against the database that {'is' if rehearsal else 'was'} there: {count(lost.events, 'event')}, "
            f"{count(lost.letters, 'letter')}, {count(lost.mails, 'mail')}"
        )
    for game in done.live:
        report.say(f"{game}: {'would go' if rehearsal else 'goes'} on in a new epoch; its players are told")
    if rehearsal:
        report.say("this was a rehearsal; nothing was changed")
    elif done.kept is not None:
        report.say(f"the database that was there is now {done.kept}")
    said: RestoredJson = {
        "file": str(file),
        "rehearsed": rehearsal,
        "games": done.games,
        "events": done.extent.events,
        "newest": done.newest or None,
        "live": list(done.live),
        "lost": {"events": done.lost.events, "letters": done.lost.letters, "mails": done.lost.mails}
        if done.lost is not None
        else None,
        "kept": str(done.kept) if done.kept is not None else None,
    }
    report.add(said)
