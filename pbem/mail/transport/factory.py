"""The ways in that the settings open.

The way out that the settings ask for.
"""

from collections.abc import Callable

from pbem.mail.transport.protocols import Intake, Mailer
from pbem.settings.sections import FolderMailerSettings, MaildirMailerSettings, Settings


def open_intakes(settings: Settings, knows: Callable[[str], bool]) -> list[Intake]:
    """Every way whose section stands in the file; `knows` says whether an address is ours. Nothing is opened yet."""
    from pbem.mail.transport.imap import ImapIntake
    from pbem.mail.transport.lmtp import LmtpIntake
    from pbem.mail.transport.maildir import MaildirIntake

    largest = settings.post.largest_letter
    ways: list[Intake] = []
    if settings.maildir is not None:
        ways.append(MaildirIntake(settings.maildir, largest))
    if settings.imap is not None:
        ways.append(ImapIntake(settings.imap, largest))
    if settings.lmtp is not None:
        ways.append(LmtpIntake(settings.lmtp, largest, knows))
    return ways


def open_mailer(settings: Settings) -> Mailer:
    """A folder, Maildirs, or a mail server; nothing is opened before the first mail."""
    match settings.out:
        case FolderMailerSettings(path):
            from pbem.mail.transport import folder

            return folder.FolderMailer(path)
        case MaildirMailerSettings(path):
            from pbem.mail.transport import maildir

            return maildir.MaildirMailer(path)
        case wishes:
            from pbem.mail.transport import smtp

            return smtp.SmtpMailer(wishes, settings.post.address)
