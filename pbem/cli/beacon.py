"""`pbem beacon`: rounds of a public beacon that tables wait for."""

import json as data
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.proof.public_beacon import Pulse, UncheckedBeaconError
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson
from pbem.terminal.groups import list_group
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report, read_text
from pbem.workflow.beacon_rounds import apply_pulse, wanted_rounds

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import RoundJson, TakenRoundJson

beacon: Final = list_group(
    """List the rounds of the public beacon that tables wait for, or bring them.

    At a table that was opened with `--dice beacon`, chance waits for a round of drand that was named ten minutes
    before, so that nobody can know it, not even the post. The post never fetches rounds itself; run this every few
    minutes:

    pbem beacon --urls | xargs -rn1 curl -sf | pbem beacon take

    Without a sub-command it lists the rounds.
    """
)


@beacon.command("list")
def list_rounds(
    *,
    urls: Annotated[bool, typer.Option("--urls", help="Print only the addresses of the rounds that are out.")] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """List the rounds that tables wait for."""
    report = Report(json=json)
    with store_errors(report), open_post(load_settings(config, report), reads=True) as context:
        wanted = wanted_rounds(context)
        for each in wanted:
            url, out = context.beacon.address_of(each.round), each.out <= context.now()
            if not urls:
                report.say(f"{each.table}: round {each.round}, out {each.out:%Y-%m-%d %H:%M:%S} UTC")
            elif out:
                report.say(url)
            said: RoundJson = {
                "table": each.table,
                "round": each.round,
                "out": each.out.isoformat(),
                "is_out": out,
                "url": url,
            }
            report.add(said)
    if not wanted and not urls:
        report.say("no table waits for a round")
    report.end()


@beacon.command()
def take(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="Rounds as drand sends them; - reads standard input.")
    ] = "-",
    *,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Bring rounds, so that the tables that wait for them go on.

    Every round is checked, so it does not matter where it comes from, nor that it is late: a round never changes.
    """
    report = Report(json=json)
    with store_errors(report), open_post(load_settings(config, report)) as context:
        for pulse in _parse_rounds(_read(file, report)):
            if isinstance(pulse, str):
                report.problem(pulse, misuse=False)
                continue
            try:
                tables = apply_pulse(context, pulse)
            except UncheckedBeaconError as problem:
                report.give_up(str(problem))
            report.say(*(f"{table}: goes on with round {pulse.round}" for table in tables))
            said: TakenRoundJson = {"round": pulse.round, "tables": tables}
            report.add(said)
            if not tables:
                report.say(f"round {pulse.round}: no table waits for it, or the beacon never said that")
    report.end()


def _read(file: str, report: Report) -> str:
    try:
        return sys.stdin.read() if file == "-" else read_text(Path(file), report)
    except ValueError:
        report.give_up("standard input: not a text; a JSON object with `round` and `signature` is a round of drand")


def _parse_rounds(text: str) -> Iterator[Pulse | str]:
    """The rounds in a text, one JSON object after the other; or what is wrong, and then nothing more is read."""
    reader, text = data.JSONDecoder(), text.lstrip()
    while text:
        try:
            said, end = reader.raw_decode(text)
            yield Pulse(int(said["round"]), bytes.fromhex(said["signature"]).hex())
        except (ValueError, LookupError, TypeError, RecursionError):
            yield "this is not a round of drand: a round is a JSON object with `round` and `signature`"
            return
        text = text[end:].lstrip()
