"""`pbem fetch`: letters that lie in a mailbox."""

from typing import TYPE_CHECKING

from pbem.service.single_run import fetch_all
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import count
from pbem.terminal.post_file import Config, ignore_sigpipe, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.json_outputs import FetchedJson


def fetch(*, config: Config = None, json: AsJson = False) -> None:
    """Take the letters that lie in the mailboxes now.

    From the Maildir and the IMAP mailbox that the settings name, once. A letter is moved away or marked only when it is
    on the disk. `pbem tick` handles what was fetched; `pbem serve` does all of it as letters come.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    ignore_sigpipe()
    with store_errors(report):
        ways = list(fetch_all(settings))
    for fetched in ways:
        said: FetchedJson = {"way": fetched.way, "letters": fetched.letters, "trouble": fetched.trouble or None}
        report.add(said)
        if fetched.trouble:
            report.problem(f"{fetched.way}: {fetched.trouble}", misuse=False)
        else:
            report.say(f"{fetched.way}: {count(fetched.letters, 'letter')}")
    if not ways:
        report.problem("the settings name no mailbox to fetch from: neither [in.maildir] nor [in.imap]")
    report.end()
