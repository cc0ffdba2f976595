"""`pbem case`: the referee's desk."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, NoReturn

import typer

from engine.game import PUBLIC
from notation.faults import printable
from pbem.disputes.case_letters import cite_decision
from pbem.disputes.replayed_history import list_cases
from pbem.service.invitations import read_guest
from pbem.service.post_folder import open_post
from pbem.tables.cases import WantedRuling
from pbem.tables.fold import BrokenHistoryError
from pbem.terminal.arguments import AsJson, PublicKey, read_key
from pbem.terminal.display import count
from pbem.terminal.post_file import MENDING, Config, settle, store_troubles
from pbem.terminal.report import Report, put
from pbem.workflow import referee_acts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.disputes.bundle_check import Checked
    from pbem.tables.decision import Decision
    from pbem.workflow.context import PostContext
    from pbem.workflow.open_game import Guest


class Action(StrEnum):
    """What to do."""

    LIST = "list"
    OPEN = "open"
    SHOW = "show"
    RULE = "rule"
    WARRANT = "warrant"
    CLOSE = "close"
    BUNDLE = "bundle"
    CHECK = "check"
    PAUSE = "pause"
    RESUME = "resume"
    CALL_OFF = "call-off"


class Kind(StrEnum):
    """What the referee decides."""

    DISMISS = "dismiss"
    ROLL_BACK = "roll-back"
    CORRECT = "correct"
    SUBSTITUTE = "substitute"
    ADJUDICATE = "adjudicate"


NUMBERED: Final = (Action.RULE, Action.WARRANT, Action.CLOSE, Action.BUNDLE)
"""What is done in a case, and so wants its number."""


def case(
    action: Annotated[
        Action,
        typer.Argument(
            metavar="[list|open|show|rule|warrant|close|bundle|check|pause|resume|call-off]", help="What to do."
        ),
    ] = Action.LIST,
    table: Annotated[
        str | None,
        typer.Argument(metavar="[TABLE]", help="The name of a table; for `check`, a bundle.", show_default=False),
    ] = None,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="The number of a case.", show_default=False)
    ] = None,
    ruling: Annotated[
        Kind | None,
        typer.Argument(metavar="[RULING]", help="With `rule`: what is decided.", show_default=False),
    ] = None,
    *,
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, metavar="T", help="The turn to open or show, or to go back to."),
    ] = None,
    reason: Annotated[
        str, typer.Option("--reason", metavar="WORDS", help="Why, in one line that everybody reads.")
    ] = "",
    moves: Annotated[
        list[str] | None,
        typer.Option("--play", metavar="SEAT:MOVES", help="With `correct`: what is played instead; may be repeated."),
    ] = None,
    newcomer: Annotated[
        str | None,
        typer.Option("--seat", metavar="SEAT=NAME:ADDRESS", help="With `substitute`: who takes which seat."),
    ] = None,
    winners: Annotated[
        list[str] | None,
        typer.Option("--winner", metavar="SEAT", help="With `adjudicate`: who wins; may be repeated."),
    ] = None,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="As this seat sees it, for which a warrant must stand.")
    ] = PUBLIC,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F", help="Write to this file: .html, .txt, or a bundle."),
    ] = None,
    key: PublicKey = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Open, show, rule on and close cases: the referee's desk.

    A player calls the referee by mail (`appeal`), and the clock stands still until the case is closed. `show` puts
    all that is known of the turn on one page: boards, moves and verdicts, letters, deadlines, draws. A ruling is
    dismiss, roll-back, correct, substitute or adjudicate; it is an event with its reason, told to all with what it
    changes in the record, and never an edit. Hidden things are shown only by `warrant`, which is public and counted.

    `pause` and `resume` stop time and let it run again, for a reason that everybody reads; `call-off` takes back an
    invitation that not all have accepted.

    `bundle` packs a case into one file, and `check` does all of it again on any machine, without the post. Give `check`
    the key that the post has published with --key: without it a bundle is held against the key that it brings along.
    """
    report = Report(json=json)
    if action is not Action.LIST and table is None:
        report.give_up("name the table; `pbem case list` tells what is open")
    if action in NUMBERED and number is None:
        report.give_up(f"`case {action}` wants the number of a case; `pbem case list {table}` tells them")
    if (action is Action.RULE) != (ruling is not None):
        report.give_up(f"`rule` goes with one of {', '.join(Kind)}, and nothing else does")
    if key is not None and action is not Action.CHECK:
        report.give_up("`--key` goes with `check`, and with nothing else")
    if action is Action.CHECK:
        _check(Path(table or ""), read_key(key, report), report)
    asked = Asked(
        table or "",
        number or 0,
        ruling,
        turn,
        reason,
        tuple(moves or ()),
        newcomer,
        tuple(winners or ()),
        viewer,
        output,
    )
    with store_troubles(report), open_post(settle(config, report)) as context:
        _DOORS[action](context, asked, report)
    report.end()


class Asked(NamedTuple):
    """All that was said on the command line."""

    table: str
    number: int
    ruling: Kind | None
    turn: int | None
    reason: str
    moves: tuple[str, ...]
    newcomer: str | None
    winners: tuple[str, ...]
    viewer: str
    output: Path | None


def _list(context: "PostContext", asked: Asked, report: Report) -> None:
    found = list(list_cases(context, asked.table))
    for table, case in found:
        if isinstance(case, BrokenHistoryError):
            report.problem(f"{printable(str(case))}; {MENDING}", misuse=False)
            continue
        state = "open" if case.is_open else "closed"
        report.say(f"{table} case {case.number}, {state}: turn {case.turn}, by {case.by}, since {case.since}")
        report.say(*(f"    {printable(line)}" for line in case.words.splitlines()))
        report.say(*(f"    {decree.ruling}: {printable(decree.reason)}" for decree in case.decrees))
        report.add({"table": table, **asdict(case)})
    if not found:
        report.say("no case has been opened")


def _show(context: "PostContext", asked: Asked, report: Report) -> None:
    from pbem.disputes.case_page import FORMS, TEXT, gather, write_page

    form = asked.output.suffix.lower() if asked.output is not None else TEXT
    if form not in FORMS:
        report.give_up(f"{asked.output}: a page is written as {' or '.join(FORMS)}")
    file = gather(context, asked.table, case=asked.number or None, turn=asked.turn, viewer=asked.viewer)
    if isinstance(file, str):
        report.give_up(file)
    report.add(asdict(file))
    page = write_page(file, form)
    if asked.output is None:
        report.say(page.rstrip("\n"))
    else:
        put(asked.output, page.encode(), report, private=asked.viewer != PUBLIC)


def _open(context: "PostContext", asked: Asked, report: Report) -> None:
    _tell(referee_acts.open_case(context, asked.table, asked.turn, asked.reason), asked, report)


def _rule(context: "PostContext", asked: Asked, report: Report) -> None:
    newcomer = _read_newcomer(context, asked, report)
    wanted = WantedRuling(
        str(asked.ruling),
        asked.reason,
        asked.turn,
        moves=tuple(_read_moves(text, report) for text in asked.moves),
        seat=newcomer.seat if newcomer is not None else "",
        name=newcomer.name if newcomer is not None else "",
        winners=asked.winners,
    )
    _tell(referee_acts.rule(context, asked.table, asked.number, wanted, newcomer), asked, report)


def _read_newcomer(context: "PostContext", asked: Asked, report: Report) -> "Guest | None":
    if (asked.ruling is Kind.SUBSTITUTE) != (asked.newcomer is not None):
        report.give_up("`substitute` says with --seat who takes which seat, and nothing else does")
    if asked.newcomer is None:
        return None
    settings = context.settings
    guest = read_guest(asked.newcomer, language=settings.post.language, zone=settings.time.zone)
    return report.give_up(guest) if isinstance(guest, str) else guest


def _read_moves(text: str, report: Report) -> tuple[str, str]:
    seat, colon, moves = text.partition(":")
    return (seat.strip(), moves.strip()) if colon else report.give_up(f"{text!r} is no turn; write SEAT:MOVES")


def _warrant(context: "PostContext", asked: Asked, report: Report) -> None:
    if asked.viewer == PUBLIC:
        report.give_up("a warrant says with --as whose view is to be seen")
    _tell(referee_acts.warrant(context, asked.table, asked.number, asked.viewer, asked.reason), asked, report)


def _close(context: "PostContext", asked: Asked, report: Report) -> None:
    _tell(referee_acts.close(context, asked.table, asked.number), asked, report)


def _pause(context: "PostContext", asked: Asked, report: Report) -> None:
    _tell(referee_acts.pause(context, asked.table, asked.reason), asked, report)


def _resume(context: "PostContext", asked: Asked, report: Report) -> None:
    _tell(referee_acts.resume(context, asked.table, asked.reason), asked, report)


def _call_off(context: "PostContext", asked: Asked, report: Report) -> None:
    _tell(referee_acts.call_off(context, asked.table, asked.reason), asked, report)


def _bundle(context: "PostContext", asked: Asked, report: Report) -> None:
    from pbem.disputes.bundle import make_bundle

    bundle = make_bundle(context, asked.table, asked.number)
    if isinstance(bundle, str):
        report.give_up(bundle)
    path = asked.output or Path(f"{asked.table}-case-{asked.number}.zip")
    put(path, bundle.content, report, private=True)
    kept = bundle.of - bundle.letters
    report.say(f"{count(bundle.letters, 'letter')} in it, {kept} as digests alone")
    report.add({"table": asked.table, "file": str(path), "letters": bundle.letters, "digests": kept})


def _check(path: Path, key: bytes | None, report: Report) -> NoReturn:
    from pbem.disputes.bundle import NoBundleError
    from pbem.disputes.bundle_check import check_bundle

    try:
        checked = check_bundle(path.read_bytes(), key)
    except OSError as problem:
        report.give_up(f"{path}: cannot be read; {(problem.strerror or str(problem)).lower()}")
    except NoBundleError as problem:
        report.give_up(f"{path}: is no bundle that can be checked; {problem}")
    for word, found in (("wrong", checked.wrong), ("unproved", checked.unproved)):
        for each in found:
            report.refuse()
            report.say(f"{path}: {report.ink.paint(word, 'bold', 'red')} {printable(each)}")
    if not checked.wrong:
        sealed = f", {count(checked.sealed, 'value')} still sealed" if checked.sealed else ""
        judged = f"{checked.judged} of {count(checked.letters, 'letter')} read and judged again"
        good = report.ink.paint("believed", "green") if not checked.unproved else "the rest is good"
        report.say(f"{path}: {good}, case {checked.case} at {printable(checked.table)}, {judged}{sealed}")
        _tell_unjudged(checked, report)
    _tell_key(checked, report)
    report.add({"file": str(path), **checked._asdict()})
    report.end()


def _tell_unjudged(checked: "Checked", report: Report) -> None:
    """Why letters were not judged again."""
    if checked.digests:
        report.say(
            f"  {count(checked.digests, 'letter')} not in it, only as digests: the game goes on, and no warrant stands"
        )
    if checked.veiled:
        says = f"came after event {checked.veil}, which is sealed: to be judged when the game is over"
        report.say(f"  {count(checked.veiled, 'letter')} {says}")
    if checked.idle:
        report.say(f"  {count(checked.idle, 'letter')} without a receipt: the post did not act on them")


def _tell_key(checked: "Checked", report: Report) -> None:
    """Whose word all of it rests on."""
    if not checked.key and checked.wrong:
        return
    if not checked.key:
        report.say(
            "  note: this post does not sign, so anybody can have made this bundle; ask the players for their mails"
        )
    elif checked.key_given:
        report.say(f"  held against the key that you gave, {checked.key}")
    else:
        report.say(
            f"  held against the key {checked.key}",
            "  note: the bundle brought this key along; compare it with one that the post has published or that you",
            "  have from elsewhere, or give that with --key",
        )


def _tell(decision: "Decision | None", asked: Asked, report: Report) -> None:
    """What came of it: the events, or why there are none."""
    if decision is None:
        report.give_up(f"there is no table {asked.table}; `pbem status --all` lists them")
    against = cite_decision(decision)
    if against is not None:
        report.problem(f"{against.code} {against.name}: {against.detail}", misuse=False)
        return
    for draft in decision.drafts:
        facts = {name: value for name, value in draft.data.items() if isinstance(value, str | int) and value != ""}
        said = ", ".join(f"{name} {printable(str(value))}" for name, value in facts.items())
        report.say(f"{draft.kind}: {said}")
    report.add({"table": asked.table, "events": [draft.kind for draft in decision.drafts]})
    report.say("everybody at the table is told; `pbem send` sends the mails, if `pbem serve` does not run")


_DOORS: "Final[Mapping[Action, Callable[[PostContext, Asked, Report], None]]]" = {
    Action.LIST: _list,
    Action.OPEN: _open,
    Action.SHOW: _show,
    Action.RULE: _rule,
    Action.WARRANT: _warrant,
    Action.CLOSE: _close,
    Action.BUNDLE: _bundle,
    Action.PAUSE: _pause,
    Action.RESUME: _resume,
    Action.CALL_OFF: _call_off,
}
