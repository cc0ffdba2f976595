"""`pbem quarantine`: letters that were put aside for a person to look at."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from notation.faults import printable
from pbem.service.post_folder import open_store
from pbem.terminal.arguments import AsJson
from pbem.terminal.groups import list_group
from pbem.terminal.output_file import write_output
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.handle_letter import TOO_LARGE

if TYPE_CHECKING:
    from pbem.store.rows import LetterRow
    from pbem.terminal.post_outputs import LetterJson, LetterTextJson, RedrivenJson

LAST_NUMBER: Final = 2**63 - 1
"""The largest number that a letter can have."""

LetterNumber: TypeAlias = Annotated[
    int, typer.Argument(metavar="N", help="The number of a letter.", show_default=False)
]

quarantine: Final = list_group(
    """List, show or try again the letters that were put aside.

    The post puts a letter aside when it cannot read it safely, has tried it three times in vain, or was killed five
    times with it in hand. A player who wrote it is told. It stays here with the reason until you have looked at it.
    Without a sub-command it lists these letters.
    """
)


@quarantine.command("list")
def list_letters(*, config: Config = None, json: AsJson = False) -> None:
    """List the letters in quarantine, with the reasons."""
    report = Report(json=json)
    with store_errors(report), open_store(load_settings(config, report)) as store, store.reading() as transaction:
        letters = transaction.letters_in("quarantined", most=1_000)
    for letter in letters:
        report.say(_headline(letter))
        report.add(_letter_data(letter))
    if not letters:
        report.say("no letter is in quarantine")
    report.end()


@quarantine.command("show")
def show_letter(
    number: LetterNumber,
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
    """Print a letter that is in quarantine."""
    report = Report(json=json)
    _check_number(number, report)
    with store_errors(report), open_store(load_settings(config, report)) as store, store.reading() as transaction:
        letter = transaction.find_letter(number)
    if letter is None:
        report.give_up(f"there is no letter {number}", misuse=False)
    if letter.state != "quarantined":
        # Its reply code may still be valid, and only its writer may know it.
        report.give_up(_not_here(number), misuse=False)
    report.say(_headline(letter), "")
    text = letter.raw.decode("utf-8", "replace")
    if output is None:
        # Control characters in a stranger's letter must not reach the terminal.
        report.say(*(printable(line) for line in text.splitlines()))
    else:
        write_output(output, letter.raw, report, private=True)
    said: LetterTextJson = {
        **_letter_data(letter),
        "text": text,
        "file": str(output) if output is not None else None,
    }
    report.add(said)
    report.end()


@quarantine.command()
def redrive(number: LetterNumber, *, config: Config = None, json: AsJson = False) -> None:
    """Try a letter again."""
    report = Report(json=json)
    _check_number(number, report)
    with store_errors(report), open_store(load_settings(config, report)) as store:
        done = store.redrive(number)
    if not done:
        report.give_up(_not_here(number), misuse=False)
    report.say(f"letter {number} will be tried anew")
    said: RedrivenJson = {"letter": number}
    report.add(said)
    report.end()


def _check_number(number: int, report: Report) -> None:
    if not 0 < number <= LAST_NUMBER:
        report.give_up(f"there is no letter {number}; `pbem quarantine` lists those in quarantine", misuse=False)


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
    """Whether the letter was too large, and only its beginning was kept."""
    return letter.reason == TOO_LARGE


def _letter_data(letter: "LetterRow") -> "LetterJson":
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
