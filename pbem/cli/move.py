"""`pbem move --to URL`: bring a post to another database."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.database_move import move as bring
from pbem.service.lock import PostBusyError
from pbem.settings.delivery import DATABASE_FORM, SQLITE
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import Progress
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import MovedJson


def move(
    *,
    to: Annotated[
        str,
        typer.Option("--to", metavar="URL", help="postgresql://user@host/name, or sqlite:///FILE.", show_default=False),
    ],
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Bring the post to another database.

    From a file to a PostgreSQL server, from one server to another, or back to a file. Stop the post first. The new
    database must be empty. All rows are copied, read again and compared, and the chain of every game is checked where
    it arrived. Then the old database is marked: it is kept, but nothing opens it any more. Write the new URL in
    post.toml afterwards, on every machine. A password is never in a URL: it comes from store.password_file or
    PBEM_STORE_PASSWORD. If the command is killed, run it again.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    if not re.fullmatch(DATABASE_FORM, to):
        report.give_up(f"{to} is not the address of a database; write postgresql://user@host/name or sqlite:///FILE")
    if to.startswith(SQLITE):
        to = SQLITE + (settings.folder / to.removeprefix(SQLITE)).as_posix()
    progress = Progress("copying")
    try:
        with store_errors(report):
            done = bring(settings, to, progress.tell)
    except PostBusyError as reason:
        report.give_up(f"{reason}; stop it first", misuse=False)
    finally:
        progress.clear()
    report.say(
        f"the post is now in {done.url}: {done.games} games, {done.events} events, {done.letters} letters",
        f'write url = "{done.url}" into [store] of post.toml; the old database is kept, and refuses to be opened',
    )
    said: MovedJson = {"url": done.url, "games": done.games, "events": done.events, "letters": done.letters}
    report.add(said)
    report.end()
