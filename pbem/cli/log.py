"""`pbem log`: the log of all games."""

import json as data
from typing import Annotated

import typer

from pbem.service.post_folder import open_store, read_checkpoint_of
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report


def log(
    *,
    checkpoint: Annotated[
        bool, typer.Option("--checkpoint", help="Print the last checkpoint instead, as a signed note.")
    ] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Print the log of all games.

    It has a line for every game that was opened, and one for its end. Games that never took place are in it too. Every
    mail carries a checkpoint of it; `pbem verify --log` compares.
    """
    report = Report(json=json)
    with store_errors(report), open_store(load_settings(config, report)) as store, store.reading() as transaction:
        lines, last = transaction.log_lines(), read_checkpoint_of(transaction)
    if (
        damaged := next((number for number, line in enumerate(lines, start=1) if not _is_told(line)), None)
    ) is not None:
        report.problem(f"line {damaged} of the log is damaged; only a backup has it as it was signed", misuse=False)
        report.end()
    if checkpoint:
        report.say(*(last.note.splitlines() if last is not None else ()))
    else:
        report.say(*lines)
    for line in lines:
        report.add(data.loads(line))
    report.end(size=len(lines), checkpoint=last.note if last is not None else None)


def _is_told(line: str) -> bool:
    """Whether a line of the log says something that can be read."""
    try:
        return isinstance(data.loads(line), dict)
    except (ValueError, RecursionError):
        return False
