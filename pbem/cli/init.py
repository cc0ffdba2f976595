"""`pbem init`: create a post."""

import re
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.post_folder import Occupied, create_post
from pbem.settings.access import explain_os_error
from pbem.settings.delivery import DATABASE_FORM
from pbem.settings.kinds import MAIL_ADDRESS, Mistake
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import store_errors
from pbem.terminal.report import Report, print_json

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import CreatedPostJson


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the post.")] = Path(),
    *,
    address: Annotated[
        str | None, typer.Option(metavar="A", help="The address that players will write to.", show_default=False)
    ] = None,
    referee: Annotated[
        str | None, typer.Option(metavar="A", help="Who gets a mail when something goes wrong.", show_default=False)
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="An empty PostgreSQL database instead of a file.", show_default=False),
    ] = None,
    json: AsJson = False,
) -> None:
    """Create a post.

    Writes post.toml with every setting, its default and what it means; new keys that sign reply addresses and receipts,
    readable only by you; and an empty database. Nothing that is there already is overwritten. A password for PostgreSQL
    comes from PBEM_STORE_PASSWORD, or later from store.password_file.
    """
    report = Report(json=json)
    addresses = {"post.address": address, "post.referee": referee}
    if database is not None and not re.fullmatch(DATABASE_FORM, database):
        report.give_up(f"{database} is not the address of a database; write postgresql://user@host/name")
    chosen = {**addresses, "store.url": database}
    for value in addresses.values():
        if value is not None and isinstance(MAIL_ADDRESS.parse(value), Mistake):
            report.give_up(f"{value!r} is not a mail address; write one such as {MAIL_ADDRESS.example}")
    try:
        with store_errors(report):
            made = create_post(folder, {key: value for key, value in chosen.items() if value is not None})
    except OSError as problem:
        why = explain_os_error(problem, folder)
        report.give_up(f"no post was created: {why.mistake}; {why.advice}")
    if isinstance(made, Occupied):
        report.give_up(
            f"{made.path} is there already; a post is created once. Name another folder, or run `pbem doctor` on it"
        )
    if json:
        said: CreatedPostJson = {
            "settings": str(made.file),
            "key": str(made.key),
            "signing_key": str(made.signing_key),
            "database": made.where,
        }
        print_json(said)
        return
    at = "" if folder == Path() else f" --config {quote(str(made.file))}"
    report.say(
        f"the settings   {made.file}",
        f"the keys       {made.key}, {made.signing_key}",
        f"the database   {made.where}",
        "",
        "Next:",
        f"  look through {made.file}: your address, how mail comes in and goes out",
        f"  pbem doctor{at}",
        f"  pbem new through-the-desert --seat red=Anna:anna@example.org --seat blue=Boris:boris@example.org{at}",
        f"  pbem serve{at}",
    )
