"""`pbem send`: mails that wait in the outbox."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from notation.faults import printable
from pbem.service.lock import PostBusyError
from pbem.service.send_queue import send_all
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, expect_lost_lines, leave_to, settle, store_troubles
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.service.send_queue import Setback


def send(*, config: Config = None, json: AsJson = False) -> None:
    """Send the mails that are due.

    Mails that cannot leave now are kept and tried again when their time has come; they are never written anew. Each is
    told with its reason. The exit code is 1 when the way out is closed.
    """
    report = Report(json=json)
    settings = settle(config, report)
    expect_lost_lines()
    setbacks: list[Setback] = []
    try:
        with store_troubles(report):
            done = send_all(settings, tell=setbacks.append)
    except PostBusyError as reason:
        leave_to(reason, report)
    for setback in setbacks:
        report.say(printable(str(setback)))
    report.say(f"{done.sent} sent, {done.later} later, {done.failed} failed")
    told = {"sent": done.sent, "later": done.later, "failed": done.failed}
    report.add({**told, "setbacks": [asdict(setback) for setback in setbacks]})
    if done.trouble:
        report.problem(f"{printable(done.trouble)}; mails wait until that is mended", misuse=False)
    report.end()
