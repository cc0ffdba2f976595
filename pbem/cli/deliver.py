"""`pbem deliver`: one letter from a mail server's pipe, with every option. See `pbem.cli.quick_deliver`."""

import sys
from typing import Annotated

import typer

from pbem.service.journal import start_journal
from pbem.service.single_run import take_from_pipe
from pbem.terminal.post_file import Config, ignore_sigpipe, load_settings
from pbem.terminal.report import Report


def deliver(
    *,
    sender: Annotated[
        str | None, typer.Option("--from", metavar="A", help="The envelope's sender.", show_default=False)
    ] = None,
    recipients: Annotated[
        list[str] | None,
        typer.Option("--to", metavar="A", help="The envelope's recipient; may be repeated.", show_default=False),
    ] = None,
    now: Annotated[
        bool, typer.Option("--now", help="Handle the letter and send the answers at once, unless `pbem serve` runs.")
    ] = False,
    config: Config = None,
) -> None:
    """Store one letter from standard input.

    For the pipe of a mail server. The exit code is 0 only if the letter is on the disk. Every failure of ours is
    75, so that the mail server keeps the letter and tries again. It is 65 if an address on the envelope cannot
    be one.
    """
    report = Report(json=False)
    if sys.stdin is None:
        report.give_up("there is no standard input to read a letter from; use for example `pbem deliver < letter`")
    settings = load_settings(config, report)
    ignore_sigpipe()
    start_journal(settings.log)
    stream = sys.stdin.buffer
    raise typer.Exit(take_from_pipe(settings, stream, env_from=sender, env_to=recipients or (), at_once=now))
