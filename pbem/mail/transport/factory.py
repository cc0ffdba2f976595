"""The ways in that the settings open.

The way out that the settings ask for.
"""

from collections.abc import Callable

from pbem.mail.transport.protocols import WayIn, WayOut
from pbem.settings.sections import FolderOutSettings, MaildirOutSettings, Settings


def open_ways_in(settings: Settings, knows: Callable[[str], bool]) -> list[WayIn]:
    """Every way whose section stands in the file; `knows` says whether an address is ours. Nothing is opened yet."""
    from pbem.mail.transport.imap import ImapIn
    from pbem.mail.transport.lmtp import LmtpIn
    from pbem.mail.transport.maildir import MaildirIn

    largest = settings.post.largest_letter
    ways: list[WayIn] = []
    if settings.maildir is not None:
        ways.append(MaildirIn(settings.maildir, largest))
    if settings.imap is not None:
        ways.append(ImapIn(settings.imap, largest))
    if settings.lmtp is not None:
        ways.append(LmtpIn(settings.lmtp, largest, knows))
    return ways


def open_way_out(settings: Settings) -> WayOut:
    """A folder, Maildirs, or a mail server; nothing is opened before the first mail."""
    match settings.out:
        case FolderOutSettings(path):
            from pbem.mail.transport import folder

            return folder.FolderOut(path)
        case MaildirOutSettings(path):
            from pbem.mail.transport import maildir

            return maildir.MaildirOut(path)
        case wishes:
            from pbem.mail.transport import smtp

            return smtp.SmtpOut(wishes, settings.post.address)
