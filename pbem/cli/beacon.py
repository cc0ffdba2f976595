"""`pbem beacon`: rounds of a public beacon that tables wait for."""

import json as data
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.proof.public_beacon import Pulse, UncheckedBeaconError
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, settle, store_troubles
from pbem.terminal.report import Report, read_text
from pbem.workflow.beacon_rounds import take_pulse, wanted_rounds

if TYPE_CHECKING:
    from pbem.workflow.context import PostContext


class Action(StrEnum):
    """What to do."""

    LIST = "list"
    TAKE = "take"


def beacon(
    action: Annotated[Action, typer.Argument(metavar="[list|take]", help="What to do.")] = Action.LIST,
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="With `take`: rounds as drand gives them; - reads standard input.")
    ] = "-",
    *,
    urls: Annotated[bool, typer.Option("--urls", help="List only where the rounds that are out can be had.")] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """List the rounds of the public beacon that tables wait for, or bring them.

    At a table that was opened with `--dice beacon` chance waits for a round of drand that was named ten minutes before,
    so that nobody knows it, the post included. The post never asks for rounds itself; run this every few minutes:

    pbem beacon --urls | xargs -rn1 curl -sf | pbem beacon take

    What is brought is checked, wherever it comes from, and a round is the same for ever: to bring one late is no harm.
    """
    report = Report(json=json)
    with store_troubles(report), open_post(settle(config, report)) as context:
        if action is Action.LIST:
            _list(context, report, urls=urls)
        else:
            _take(context, file, report)
    report.end()


def _list(context: "PostContext", report: Report, *, urls: bool) -> None:
    wanted = wanted_rounds(context)
    for each in wanted:
        url, out = context.beacon.address_of(each.round), each.out <= context.now()
        if not urls:
            report.say(f"{each.table}: round {each.round}, out {each.out:%Y-%m-%d %H:%M:%S} UTC")
        elif out:
            report.say(url)
        moment = each.out.isoformat()
        report.add({"table": each.table, "round": each.round, "out": moment, "is_out": out, "url": url})
    if not wanted and not urls:
        report.say("no table waits for a round")


def _take(context: "PostContext", file: str, report: Report) -> None:
    try:
        text = sys.stdin.read() if file == "-" else read_text(Path(file), report)
    except ValueError:
        report.give_up("standard input: not a text; a JSON object with `round` and `signature` is a round of drand")
    for pulse in _read(text):
        if isinstance(pulse, str):
            report.problem(pulse, misuse=False)
            continue
        try:
            tables = take_pulse(context, pulse)
        except UncheckedBeaconError as problem:
            report.give_up(str(problem))
        report.say(*(f"{table}: goes on with round {pulse.round}" for table in tables))
        report.add({"round": pulse.round, "tables": tables})
        if not tables:
            report.say(f"round {pulse.round}: no table waits for it, or the beacon never said that")


def _read(text: str) -> Iterator[Pulse | str]:
    """The rounds in a text, one JSON object after the other; or what is wrong, and then nothing more is read."""
    reader, text = data.JSONDecoder(), text.lstrip()
    while text:
        try:
            said, end = reader.raw_decode(text)
            yield Pulse(int(said["round"]), bytes.fromhex(said["signature"]).hex())
        except (ValueError, LookupError, TypeError, RecursionError):
            yield "this is no round of drand: a JSON object with `round` and `signature` is one"
            return
        text = text[end:].lstrip()
