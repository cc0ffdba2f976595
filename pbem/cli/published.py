"""`pbem key` and `pbem log`: what a post publishes, so that others can check it."""

import json as data
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.post_folder import open_store, signing_key_problem
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.context import make_signer
from pbem.workflow.history import last_checkpoint

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import KeyJson


def key(*, config: Config = None, json: AsJson = False) -> None:
    """Print the public key of the post.

    The post signs receipts, checkpoints and records with the other half of this key. Publish it where players find it:
    with `pbem verify --key` anybody can check what the post has signed.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    if (why := signing_key_problem(settings)) is not None:
        report.give_up(why)
    signer = make_signer(settings)
    if signer is None:
        report.give_up("there is no key to sign with; name its file in post.signing_key_file")
    said: KeyJson = {"post": signer.name, "id": signer.key_id, "public": signer.public.hex()}
    report.add(said)
    report.say(signer.public.hex())
    report.end()


def log(
    *,
    checkpoint: Annotated[
        bool, typer.Option("--checkpoint", help="Print the last checkpoint instead, as a signed note.")
    ] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Print the log of all games.

    It has a line for every game that was opened, and one for its end, also for games that never began. Every mail
    carries a checkpoint of this log; `pbem verify --log` compares.
    """
    report = Report(json=json)
    with store_errors(report), open_store(load_settings(config, report)) as store, store.reading() as transaction:
        lines, last = transaction.log_lines(), last_checkpoint(transaction)
    damaged = next((number for number, line in enumerate(lines, start=1) if not _is_readable(line)), None)
    if damaged is not None:
        report.problem(f"line {damaged} of the log is damaged; only a backup has it as it was signed", misuse=False)
        report.end()
    if checkpoint:
        report.say(*(last.note.splitlines() if last is not None else ()))
    else:
        report.say(*lines)
    for line in lines:
        report.add(data.loads(line))
    report.end(size=len(lines), checkpoint=last.note if last is not None else None)


def _is_readable(line: str) -> bool:
    """Whether a line of the log is a JSON object."""
    try:
        return isinstance(data.loads(line), dict)
    except (ValueError, RecursionError):
        return False
