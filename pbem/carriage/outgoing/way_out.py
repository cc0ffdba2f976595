"""The way out that the settings ask for."""

from pbem.carriage.ports import WayOut
from pbem.settings.sections import FolderOut, MaildirOut, Settings


def open_way_out(settings: Settings) -> WayOut:
    """A folder, Maildirs, or a mail server; nothing is opened before the first mail."""
    match settings.out:
        case FolderOut(path):
            from pbem.carriage.outgoing import folder_out

            return folder_out.FolderOut(path)
        case MaildirOut(path):
            from pbem.carriage.outgoing import maildir_out

            return maildir_out.MaildirOut(path)
        case wishes:
            from pbem.carriage.outgoing import smtp_out

            return smtp_out.SmtpOut(wishes, settings.post.address)
