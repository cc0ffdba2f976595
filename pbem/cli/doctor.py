"""`pbem doctor`: whether a post is in order."""

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.checks import run_checks
from pbem.service.folder_checks import ADVICE, BAD, GOOD
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import Progress
from pbem.terminal.post_file import Config, ignore_sigpipe, load_settings
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import CheckJson

_SIGNS = {GOOD: ("ok", "green"), ADVICE: ("note", "yellow"), BAD: ("WRONG", "red")}


def doctor(
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Do not judge every game and draw every draw again, which takes longest.")
    ] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Check whether a post is in order.

    Checks the settings; the keys, whether the post has signed with them and who can read them; the database and every
    game in it with its events, letters, secrets and record; and every transport: it logs in to the servers and sends
    nothing. Every game is judged again, every draw is drawn again, and both are compared with the receipts and mails
    that left the post. The exit code is 1 if anything is wrong.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    ignore_sigpipe()
    progress = Progress("looking at")
    for finding in run_checks(settings, quick=quick, tell=progress.tell):
        progress.clear()
        word, style = _SIGNS[finding.state]
        report.say(f"{report.colour.paint(f'{word:<5}', style)} {finding.about}: {finding.text}")
        said: CheckJson = {"about": finding.about, "state": finding.state, "told": finding.text}
        report.add(said)
        if finding.state == BAD:
            report.refuse()
    report.end()
