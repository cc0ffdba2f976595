"""`pbem send`: the mails that wait in the outbox."""

from typing import TYPE_CHECKING

from pbem.service.lock import PostBusyError
from pbem.service.send_queue import send_all
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, ignore_sigpipe, load_settings, report_busy, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.service.send_queue import SendProblem
    from pbem.terminal.post_outputs import SentJson


def send(*, config: Config = None, json: AsJson = False) -> None:
    """Send the mails that are due.

    Mails that cannot be sent now stay in the queue and are tried again later, with the same bytes. Each is listed with
    the reason. The exit code is 1 if a mail has failed for good, or if no mail can be sent at all.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    ignore_sigpipe()
    problems: list[SendProblem] = []
    try:
        with store_errors(report):
            done = send_all(settings, report=problems.append)
    except PostBusyError as reason:
        report_busy(reason, report)
    for problem in problems:
        report.say(_printable(str(problem)))
    report.say(f"{done.sent} sent, {done.later} later, {done.failed} failed")
    said: SentJson = {
        "sent": done.sent,
        "later": done.later,
        "failed": done.failed,
        "setbacks": [
            {
                "mail": each.mail,
                "kind": each.kind,
                "game": each.game,
                "seat": each.seat,
                "reason": each.reason,
                "failed": each.failed,
            }
            for each in problems
        ],
    }
    report.add(said)
    if lost := [f"mail {each.mail}" for each in problems if each.failed]:
        report.problem(
            f"{', '.join(lost)}: failed for good and will not be sent again; check the address", misuse=False
        )
    if done.trouble:
        report.problem(f"{_printable(done.trouble)}; mails wait until that is fixed", misuse=False)
    report.end()


def _printable(text: str) -> str:
    from notation.faults import printable  # loads the notation, and there is seldom an error to print

    return printable(text)
