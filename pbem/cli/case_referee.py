"""`pbem case referee`: who decides disputes, at a table or at the whole post."""

from typing import TYPE_CHECKING, Annotated

import typer

from notation.faults import printable
from pbem.service.invitations import player_problem, read_guest
from pbem.service.person_acts import find_known
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.people import meet_person
from pbem.workflow.referees import appoint, dismiss, leave_to_players, referees_of

if TYPE_CHECKING:
    from pbem.store.rows import PersonRow
    from pbem.store.store import Transaction
    from pbem.terminal.post_outputs import RefereeJson
    from pbem.workflow.context import PostContext


def referee(
    table: Annotated[
        str, typer.Argument(metavar="[TABLE]", help="The table; without one, the whole post.", show_default=False)
    ] = "",
    *,
    add: Annotated[
        str | None,
        typer.Option("--add", metavar="WHO", help="Who decides: an id, a name, or NAME:ADDRESS.", show_default=False),
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="WHO", help="Who no longer decides.", show_default=False)
    ] = None,
    nobody: Annotated[bool, typer.Option("--none", help="The table has no referee: the other players decide.")] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Say who decides disputes, or list who does.

    A table has its own referees, or else those of the post. Nobody decides at a table where they play. Referees
    get the appeals by mail, and decide by answering.
    """
    report = Report(json=json)
    if nobody and (not table or add is not None):
        report.give_up("--none is for one table, and goes without --add")
    settings = load_settings(config, report)
    with store_errors(report), open_post(settings) as context, context.store.transaction() as transaction:
        if table and transaction.find_game(table) is None:
            report.give_up(f"there is no table {table}; `pbem status --all` lists them")
        if nobody:
            leave_to_players(transaction, table)
        if add is not None:
            person = _find(context, transaction, add, report)
            if why := appoint(context, transaction, person, table):
                report.give_up(why, misuse=False)
        if remove is not None and not dismiss(transaction, _find(context, transaction, remove, report), table):
            report.problem(f"{remove} does not decide {f'at {table}' if table else 'here'}", misuse=False)
        found = referees_of(context, transaction, table)
    for each in found:
        name = "" if each.person is None else each.person.name
        report.say(f"{printable(name)}, {each.address}" if name else each.address)
        said: RefereeJson = {"table": table, "name": name, "address": each.address}
        report.add(said)
    if not found:
        report.say("nobody decides; the other players do" if table else "nobody decides")
    report.end()


def _find(context: "PostContext", transaction: "Transaction", who: str, report: Report) -> "PersonRow":
    """Somebody who is known here; or, by name and address, somebody new."""
    known = find_known(transaction, who)
    if known is not None:
        return known.person
    post, zone = context.settings.post, context.settings.time.zone
    guest = read_guest(f"nobody={who}", language=post.language, zone=zone)
    if isinstance(guest, str):
        report.give_up(f"nobody here is {printable(who)}; write NAME:ADDRESS, such as Dov:dov@example.org")
    if (why := player_problem(context, [guest.address])) is not None:
        report.give_up(why)
    begins = {"language": post.language, "zone": zone}
    return meet_person(context, transaction, name=guest.name, address=guest.address, wishes=begins)
