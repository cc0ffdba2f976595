"""`pbem observe TABLE`: people who only watch."""

from typing import TYPE_CHECKING, Annotated

import typer

from notation.faults import printable
from pbem.service.invitations import player_problem, read_guest
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson, TableName
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.observers import add_observer, find_observers, remove_observer

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import ObserverJson


def observe(
    table: TableName,
    *,
    add: Annotated[
        str | None, typer.Option("--add", metavar="NAME:ADDRESS", help="Who may watch.", show_default=False)
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="ADDRESS", help="Who stops watching.", show_default=False)
    ] = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Let somebody watch a table by mail, or list who does.

    An observer gets the public news of a game, with boards, and the record at the end; nothing that is hidden. An
    observer cannot write back.
    """
    report = Report(json=json)
    guest = read_guest(f"nobody={add}", language="en", zone="UTC") if add is not None else None
    if isinstance(guest, str):
        report.give_up(f"{add!r} is not a name and an address; write NAME:ADDRESS, such as Dov:dov@example.org")
    settings = load_settings(config, report)
    with store_errors(report), open_post(settings) as context, context.store.transaction() as transaction:
        if transaction.find_game(table) is None:
            report.give_up(f"there is no table {table}; `pbem status --all` lists them")
        if guest is not None and (why := player_problem(context, [guest.address])) is not None:
            report.give_up(why)
        if guest is not None and not add_observer(
            transaction,
            table,
            name=guest.name,
            address=guest.address,
            language=settings.post.language,
            zone=settings.time.zone,
        ):
            report.problem(f"{guest.address} watches or plays at {table} already", misuse=False)
        if remove is not None and not remove_observer(transaction, table, remove):
            report.problem(f"nobody with the address {remove} watches {table}", misuse=False)
        observers = find_observers(transaction, table)
    for observer in observers:
        report.say(f"{printable(observer.name)}, {observer.address}")
        said: ObserverJson = {"table": table, "name": observer.name, "address": observer.address}
        report.add(said)
    if not observers:
        report.say(f"nobody watches {table}")
    report.end()
