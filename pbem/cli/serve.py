"""`pbem serve`: run the post until it is told to stop."""

from typing import Annotated

import typer

from pbem.service.journal import journal_problem, start_journal
from pbem.service.lock import PostBusyError
from pbem.service.server import Intervals, StopSignal
from pbem.service.server import serve as serve_until
from pbem.terminal.post_file import Config, ignore_sigpipe, load_settings, store_errors
from pbem.terminal.report import REFUSED, Report


def serve(
    *,
    health: Annotated[
        int, typer.Option(metavar="SECONDS", min=1, help="How often to log how the post is doing.")
    ] = 300,
    config: Config = None,
) -> None:
    """Run the post as a service.

    Takes letters as they come, handles them one after the other, sends the answers and checks the clocks. The journal
    is written as [log] in the settings says. The first signal to end (Ctrl-C) lets it finish the present letter.

    Where PostgreSQL keeps the post, run this on two hosts or more. All take letters from mail servers; one does the
    rest, and another takes over when that one is gone.
    """
    report = Report(json=False)
    settings = load_settings(config, report)
    ignore_sigpipe()
    if (why := journal_problem(settings.log)) is not None:
        report.give_up(why, misuse=False)
    start_journal(settings.log)
    stop_signal = StopSignal()
    try:
        with store_errors(report), stop_signal.at_signals():
            failure = serve_until(settings, stop_signal, intervals=Intervals(health=health))
    except PostBusyError as reason:
        # A second service is a mistake; any other process will be gone when we are started again.
        advice = "one is enough" if reason.served else "try again when it is done"
        report.give_up(f"{reason}; {advice}", misuse=reason.served)
    if failure is not None:
        raise typer.Exit(REFUSED)
