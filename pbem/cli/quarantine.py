"""`pbem quarantine`: letters that were put aside for a person to look at."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from notation.faults import printable
from pbem.service.post_folder import open_store
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, settle, store_troubles
from pbem.terminal.report import Report, put
from pbem.workflow.handle_letter import TOO_LARGE

if TYPE_CHECKING:
    from pbem.store.rows import LetterRow
    from pbem.store.store import Store


LAST_NUMBER: Final = 2**63 - 1
"""The largest number that a letter can have."""


class Action(StrEnum):
    """What to do."""

    LIST = "list"
    SHOW = "show"
    REDRIVE = "redrive"


def quarantine(
    action: Annotated[Action, typer.Argument(metavar="[list|show|redrive]", help="What to do.")] = Action.LIST,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="The number of a letter.", show_default=False)
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="F", help="Write the letter as it came to this file.", show_default=False
        ),
    ] = None,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """List, show or try again the letters that were put aside.

    A letter that cannot be read safely, or that was tried three times without an end, lies here with its reason until
    a person has looked at it. `redrive` lets the clerk try it anew.
    """
    report = Report(json=json)
    if (number is None) != (action is Action.LIST):
        report.give_up("`list` stands alone; `show` and `redrive` want the number of a letter")
    if number is not None and not 0 < number <= LAST_NUMBER:
        report.give_up(f"there is no letter {number}; `pbem quarantine` lists those in quarantine", misuse=False)
    with store_troubles(report), open_store(settle(config, report)) as store:
        if number is None:
            _list(store, report)
        elif action is Action.REDRIVE:
            _redrive(store, number, report)
        else:
            _show(store, number, report, output)
    report.end()


def _list(store: "Store", report: Report) -> None:
    with store.reading() as transaction:
        letters = transaction.letters_in("quarantined", most=1_000)
    for letter in letters:
        report.say(_headline(letter))
        report.add(_describe(letter))
    if not letters:
        report.say("no letter is in quarantine")


def _redrive(store: "Store", number: int, report: Report) -> None:
    done = store.redrive(number)
    if not done:
        report.problem(_not_here(number), misuse=False)
        return
    report.say(f"letter {number} will be tried anew")
    report.add({"letter": number})


def _show(store: "Store", number: int, report: Report, output: Path | None) -> None:
    with store.reading() as transaction:
        letter = transaction.find_letter(number)
    if letter is None:
        report.problem(f"there is no letter {number}", misuse=False)
        return
    if letter.state != "quarantined":
        # Its reply code may be good still, and is for nobody but its writer.
        report.problem(_not_here(number), misuse=False)
        return
    report.say(_headline(letter), "")
    if output is None:
        # Nothing that a stranger wrote may steer the terminal.
        report.say(*(printable(line) for line in letter.raw.decode("utf-8", "replace").splitlines()))
    else:
        put(output, letter.raw, report, private=True)
    text = letter.raw.decode("utf-8", "replace")
    report.add({**_describe(letter), "text": text, "file": str(output) if output is not None else None})


def _not_here(number: int) -> str:
    return f"letter {number} is not in quarantine; `pbem quarantine` lists those that are"


def _headline(letter: "LetterRow") -> str:
    came = letter.received_at.strftime("%Y-%m-%d %H:%M UTC")
    sender = printable(letter.env_from) if letter.env_from else "nobody named"
    fate = f"{letter.state}: {letter.reason}" if letter.reason else letter.state
    size = f"{len(letter.raw):,} bytes"
    kept = f"the first {size} of a larger letter" if _is_cut(letter) else size
    return f"{letter.id:>6}  {came}  {fate}  (by {letter.intake}, from {sender}, {kept})"


def _is_cut(letter: "LetterRow") -> bool:
    """Whether only the beginning of a letter was kept, as much as shows that it is too large."""
    return letter.reason == TOO_LARGE


def _describe(letter: "LetterRow") -> dict[str, Any]:
    return {
        "letter": letter.id,
        "received_at": letter.received_at.isoformat(),
        "intake": letter.intake,
        "from": letter.env_from,
        "to": list(letter.env_to),
        "bytes": len(letter.raw),
        "cut": _is_cut(letter),
        "state": letter.state,
        "reason": letter.reason,
        "attempts": letter.attempts,
    }
