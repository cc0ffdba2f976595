"""The way out that the settings ask for."""

from pbem.mail.transport.ports import WayOut
from pbem.settings.sections import FolderOut, MaildirOut, Settings


def open_way_out(settings: Settings) -> WayOut:
    """A folder, Maildirs, or a mail server; nothing is opened before the first mail."""
    match settings.out:
        case FolderOut(path):
            from pbem.mail.transport import folder

            return folder.FolderOut(path)
        case MaildirOut(path):
            from pbem.mail.transport import maildir_out

            return maildir_out.MaildirOut(path)
        case wishes:
            from pbem.mail.transport import smtp

            return smtp.SmtpOut(wishes, settings.post.address)
