"""`pbem key` and `pbem log`: what a post publishes, so that others can check it; and new keys."""

import json as data
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.key_rotation import rotate_signing_key, rotate_ticket_key, stand_in_for_lost_key
from pbem.service.lock import PostBusyError
from pbem.service.post_folder import open_store, signing_key_problem
from pbem.store.timestamps import utc_now
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import POST_FILE, Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.context import make_signer
from pbem.workflow.history import last_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.terminal.post_outputs import AskedAgainJson, KeyJson


def key(
    what: Annotated[str | None, typer.Argument(metavar="[rotate]", help="`rotate`: make a new key.")] = None,
    which: Annotated[str | None, typer.Argument(metavar="[signing|ticket]", help="The key to replace.")] = None,
    *,
    lost: Annotated[bool, typer.Option("--lost", help="The key is lost: it cannot sign the new one.")] = False,
    stolen: Annotated[bool, typer.Option("--stolen", help="Somebody else has the key: trust it no more.")] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Print the public key of the post, or replace a key.

    The post signs receipts, checkpoints and records with the other half of this key. Publish it where players find it:
    with `pbem verify --key` anybody can check what the post has signed.

    `pbem key rotate signing` makes a new one. Stop the post first. Every game that goes on tells its players, and the
    log of all games says so; the old key signs the new one, unless it is lost or stolen, and is kept beside it under a
    dated name. `pbem key rotate ticket` does the same for the key of reply addresses: those of the old key still count,
    unless it is lost or stolen; then everybody who is due gets a new mail.
    """
    report = Report(json=json)
    if what is not None:
        _rotate(what, which, report, config, lost=lost, stolen=stolen)
        report.end()
    if lost or stolen:
        report.give_up("--lost and --stolen are for `pbem key rotate`")
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


def _rotate(what: str, which: str | None, report: Report, config: "Path | None", *, lost: bool, stolen: bool) -> None:
    if what != "rotate" or which not in ("signing", "ticket"):
        report.give_up("write `pbem key rotate signing` or `pbem key rotate ticket`")
    stand_in = stand_in_for_lost_key(config or POST_FILE, which) if lost else None
    settings = load_settings(config, report)
    try:
        with store_errors(report):
            if which == "ticket":
                asked, kept = rotate_ticket_key(settings, utc_now(), stolen=stolen or lost)
                if stand_in is not None:
                    kept.unlink()  # it never signed anything
                _tell_ticket(asked, report)
                return
            done = rotate_signing_key(settings, utc_now(), vouched=not lost and not stolen)
    except PostBusyError as reason:
        report.give_up(f"{reason}; stop it first", misuse=False)
    if stand_in is not None:
        done.kept.unlink()  # it never signed anything
    report.say(done.signer.public.hex())
    report.say(*(f"{game}: its players are told with the next mails" for game in done.games))
    report.say("publish the new key where you published the old one")
    said: KeyJson = {"post": done.signer.name, "id": done.signer.key_id, "public": done.signer.public.hex()}
    report.add(said)


def _tell_ticket(asked: tuple[str, ...], report: Report) -> None:
    report.say("reply addresses are signed with a new key from now on")
    report.say(*(f"{game}: everybody who is due gets a new mail to answer" for game in asked))
    for game in asked:
        said: AskedAgainJson = {"table": game}
        report.add(said)


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
