"""`pbem invite TABLE SEAT=NAME:ADDRESS`: another person for a seat that was declined."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.case_rulings import act_at_table, read_newcomer
from pbem.service.invitations import player_problem
from pbem.terminal.arguments import AsJson, TableName
from pbem.terminal.post_file import Config
from pbem.terminal.report import Report
from pbem.workflow import referee_acts

if TYPE_CHECKING:
    from pbem.tables.decision import Decision
    from pbem.workflow.context import PostContext


def invite(
    table: TableName,
    guest: Annotated[
        str, typer.Argument(metavar="SEAT=NAME:ADDRESS", help="Who is asked to take which seat.", show_default=False)
    ],
    *,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Ask another person to take a seat that was declined.

    When a player declines, the seat is free and the others wait; `pbem status` shows it. The person you invite gets the
    invitation by mail, and the others are told. `pbem case call-off` calls the game off instead.
    """
    report = Report(json=json)

    def decide(context: "PostContext") -> "Decision | None":
        newcomer = read_newcomer(guest, context, report)
        if (why := player_problem(context, [newcomer.address])) is not None:
            report.give_up(why)
        return referee_acts.invite(context, table, newcomer)

    act_at_table(table, decide, config, report)
