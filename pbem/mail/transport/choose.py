"""The ways in that the settings open."""

from collections.abc import Callable

from pbem.mail.transport.ports import WayIn
from pbem.settings.sections import Settings


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
