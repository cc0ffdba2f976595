"""What a referee decides by `pbem case`: open, rule, warrant, close, pause, resume, excuse, terms, call-off.

Each is one event, or a few, with a reason that all players read. Whether it is allowed is for the table to say.
"""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from engine.game import PUBLIC
from notation.faults import printable
from pbem.disputes.case_letters import cite_decision
from pbem.events.codec import encode
from pbem.events.kinds import SeatSubstituted
from pbem.service.invitations import double_roles, length_problem, read_guest
from pbem.service.post_folder import open_post
from pbem.tables.cases import WantedRuling
from pbem.terminal.arguments import AsJson, CaseNumber, Reason, TableName
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow import referee_acts

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.tables.decision import Decision
    from pbem.terminal.post_outputs import EventsJson
    from pbem.workflow.context import PostContext
    from pbem.workflow.open_game import Guest


class RulingKind(StrEnum):
    """What a referee can decide in a case."""

    DISMISS = "dismiss"
    ROLL_BACK = "roll-back"
    CORRECT = "correct"
    SUBSTITUTE = "substitute"
    ADJUDICATE = "adjudicate"


def open_case(
    table: TableName,
    *,
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, metavar="T", help="The turn in question.  [default: the last]"),
    ] = None,
    reason: Reason = "",
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Open a case about a turn, and stop the clock."""
    act_at_table(table, lambda context: referee_acts.open_case(context, table, turn, reason), config, Report(json=json))


def rule(
    table: TableName,
    number: CaseNumber,
    ruling: Annotated[
        RulingKind,
        typer.Argument(metavar="RULING", help="What you decide: see above.", show_default=False),
    ],
    *,
    reason: Reason = "",
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, metavar="T", help="Go back to before this turn.  [default: that of the case]"),
    ] = None,
    moves: Annotated[
        list[str] | None,
        typer.Option("--play", metavar="SEAT:MOVES", help="With `correct`: what to play instead; may be repeated."),
    ] = None,
    newcomer: Annotated[
        str | None,
        typer.Option("--seat", metavar="SEAT=NAME:ADDRESS", help="With `substitute`: who takes which seat."),
    ] = None,
    winners: Annotated[
        list[str] | None,
        typer.Option("--winner", metavar="SEAT", help="With `adjudicate`: who wins; may be repeated."),
    ] = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Decide a case.

    dismiss: everything stays as it is. roll-back: the table goes back to before the turn. correct: it goes back and
    plays what --play says. substitute: somebody else takes a seat. adjudicate: the game ends, and --winner wins.

    All players get the reason, and what the ruling changes in the record.
    """
    report = Report(json=json)
    if (ruling is RulingKind.SUBSTITUTE) != (newcomer is not None):
        report.give_up("`substitute` needs --seat, to say who takes which seat; no other ruling takes --seat")
    played = tuple(_read_moves(text, report) for text in moves or ())

    def decide(context: "PostContext") -> "Decision | None":
        guest = read_newcomer(newcomer, context, report) if newcomer is not None else None
        wanted = WantedRuling(
            str(ruling),
            reason,
            turn,
            moves=played,
            seat=guest.seat if guest is not None else "",
            name=guest.name if guest is not None else "",
            winners=tuple(winners or ()),
        )
        return referee_acts.rule(context, table, number, wanted, guest)

    act_at_table(table, decide, config, report)


def read_newcomer(text: str, context: "PostContext", report: Report) -> "Guest":
    """Somebody who is to take a seat; ends the command if the text names nobody."""
    settings = context.settings
    guest = read_guest(text, language=settings.post.language, zone=settings.time.zone)
    return report.give_up(guest) if isinstance(guest, str) else guest


def _read_moves(text: str, report: Report) -> tuple[str, str]:
    seat, colon, moves = text.partition(":")
    return (seat.strip(), moves.strip()) if colon else report.give_up(f"{text!r} is not a turn; write SEAT:MOVES")


def warrant(
    table: TableName,
    number: CaseNumber,
    *,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="The seat whose view you want to see.", show_default=False)
    ],
    reason: Reason = "",
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Take a warrant: permission to see what one seat sees.

    All players are told, and `pbem status` and every page of the case count it.
    """
    report = Report(json=json)
    if viewer == PUBLIC:
        report.give_up("everybody may see the public view; name a seat with --as")
    act_at_table(table, lambda context: referee_acts.warrant(context, table, number, viewer, reason), config, report)


def close(table: TableName, number: CaseNumber, *, config: Config = None, json: AsJson = False) -> None:
    """Close a case, and start the clock again."""
    act_at_table(table, lambda context: referee_acts.close(context, table, number), config, Report(json=json))


def pause(table: TableName, *, reason: Reason = "", config: Config = None, json: AsJson = False) -> None:
    """Stop the clock, without a case. Moves are still taken."""
    act_at_table(table, lambda context: referee_acts.pause(context, table, reason), config, Report(json=json))


def resume(table: TableName, *, reason: Reason = "", config: Config = None, json: AsJson = False) -> None:
    """Take away a reason for a pause. The clock runs when none is left."""
    act_at_table(table, lambda context: referee_acts.resume(context, table, reason), config, Report(json=json))


def excuse(
    table: TableName,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="Whose answer was missed.", show_default=False)],
    *,
    event: Annotated[
        int | None,
        typer.Option("--event", min=1, metavar="N", help="The event by which it was missed.  [default: the last]"),
    ] = None,
    reason: Reason = "",
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Excuse an answer that a player missed. It is counted apart from then on."""
    act_at_table(
        table, lambda context: referee_acts.excuse(context, table, seat, event, reason), config, Report(json=json)
    )


def extend(
    table: TableName,
    *,
    length: Annotated[
        str, typer.Option("--by", metavar="LENGTH", help="How much more, such as 2d or 12h.", show_default=False)
    ],
    reason: Reason = "",
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Give more time to everybody who is to move."""
    report = Report(json=json)
    if (why := length_problem(length)) is not None:
        report.give_up(why)
    act_at_table(table, lambda context: referee_acts.extend(context, table, length, reason), config, report)


def terms(
    table: TableName,
    *,
    pace: Annotated[str | None, typer.Option(metavar="TIME", help="The time for a turn, such as 2d.")] = None,
    grace: Annotated[str | None, typer.Option(metavar="TIME", help="How late an answer may be, such as 6h.")] = None,
    reminders: Annotated[
        str | None, typer.Option(metavar="TIMES", help="How long before the deadline: 1d,6h, or none.")
    ] = None,
    rest: Annotated[
        str | None, typer.Option(metavar="DAYS", help="On which days no time runs: fri,sat, or none.")
    ] = None,
    holidays: Annotated[
        str | None, typer.Option(metavar="COUNTRIES", help="Whose public holidays do not count: NL,IL, or none.")
    ] = None,
    silence: Annotated[
        str | None, typer.Option(metavar="P", help="What silence means: wait, play, substitute or forfeit.")
    ] = None,
    reason: Reason = "",
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Change terms of a game that goes on.

    All players get the old and the new value, and your reason. The turn that is being played keeps its time.
    """
    said = {"pace": pace, "grace": grace, "reminders": reminders, "rest": rest}
    said |= {"holidays": holidays, "silence": silence}
    changes = [f"{name} {' '.join(value.lower().split(','))}" for name, value in said.items() if value is not None]
    report = Report(json=json)
    if not changes:
        report.give_up("say what to change: --pace, --grace, --reminders, --rest, --holidays or --silence")
    act_at_table(table, lambda context: referee_acts.change_terms(context, table, changes, reason), config, report)


def call_off(table: TableName, *, reason: Reason = "", config: Config = None, json: AsJson = False) -> None:
    """Take back an invitation that not all have accepted."""
    act_at_table(table, lambda context: referee_acts.call_off(context, table, reason), config, Report(json=json))


def act_at_table(
    table: str, act: "Callable[[PostContext], Decision | None]", config: Path | None, report: Report
) -> NoReturn:
    """Do it at the post, and print what came of it: the events, or why there are none."""
    with store_errors(report), open_post(load_settings(config, report)) as context:
        decision = act(context)
        seated = decision is not None and any(isinstance(each.payload, SeatSubstituted) for each in decision.drafts)
        with context.store.reading() as transaction:
            people = transaction.find_seats(table) if seated else []
        notes = [*double_roles(people, context.settings.post.referee)]
    if decision is None:
        report.give_up(f"there is no table {table}; `pbem status --all` lists them")
    against = cite_decision(decision)
    if against is not None:
        report.problem(f"{against.code} {against.name}: {against.detail}", misuse=False)
        report.end()
    for draft in decision.drafts:
        facts = {
            name: value for name, value in encode(draft.payload).items() if isinstance(value, str | int) and value != ""
        }
        said = ", ".join(f"{name} {printable(str(value))}" for name, value in facts.items())
        report.say(f"{draft.kind}: {said}")
    report.say(*(f"note: {each}" for each in notes))
    said_events: EventsJson = {"table": table, "events": [draft.kind for draft in decision.drafts], "notes": notes}
    report.add(said_events)
    report.say("everybody at the table is told; `pbem send` sends the mails, if `pbem serve` does not run")
    report.end()
