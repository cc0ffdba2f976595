"""`pbem send`: mails that wait in the outbox."""

from pbem.console.arguments import AsJson
from pbem.console.post_file import Config, expect_lost_lines, settle, store_troubles
from pbem.console.report import Report
from pbem.service.entering import BusyOfficeError
from pbem.service.sending import send_all


def send(*, config: Config = None, json: AsJson = False) -> None:
    """Send the mails that are due.

    Mails that cannot leave now are kept and tried again when their time has come; they are never written anew. The
    exit code is 1 when the way out is closed.
    """
    report = Report(json=json)
    settings = settle(config, report)
    expect_lost_lines()
    try:
        with store_troubles(report):
            done = send_all(settings)
    except BusyOfficeError as reason:
        report.say(f"nothing to do: {reason}")
        report.end()
    report.say(f"{done.sent} sent, {done.later} later, {done.failed} failed")
    report.add({"sent": done.sent, "later": done.later, "failed": done.failed})
    if done.trouble:
        report.problem(done.trouble, misuse=False)
    report.end()
