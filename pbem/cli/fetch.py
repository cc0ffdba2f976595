"""`pbem fetch`: letters from mailboxes, once."""

from typing import TYPE_CHECKING

from pbem.service.single_run import fetch_all
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import count
from pbem.terminal.post_file import Config, ignore_sigpipe, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import FetchedJson


def fetch(*, config: Config = None, json: AsJson = False) -> None:
    """Fetch the letters that are in the mailboxes now.

    From every mailbox in the settings (Maildir, IMAP), once. A letter is moved away or marked only when it is on the
    disk. `pbem tick` handles what was fetched; `pbem serve` does all of this as letters come.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    ignore_sigpipe()
    with store_errors(report):
        mailboxes = list(fetch_all(settings))
    for fetched in mailboxes:
        said: FetchedJson = {"way": fetched.intake, "letters": fetched.letters, "trouble": fetched.trouble or None}
        report.add(said)
        if fetched.trouble:
            report.problem(f"{fetched.intake}: {fetched.trouble}", misuse=False)
        else:
            report.say(f"{fetched.intake}: {count(fetched.letters, 'letter')}")
    if not mailboxes:
        report.problem("the settings have no mailbox to fetch from, such as [in.maildir] or [in.imap]")
    report.end()
