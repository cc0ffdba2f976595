"""Mails into Maildirs, one for each recipient, for players on the same machine."""

from pathlib import Path

from pbem.mail.transport.flushing import file_name, flush_folder
from pbem.mail.transport.outcome import Later, Outcome, Sent


class MaildirOut:
    """Puts a mail into `folder/anna@example.org/new`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, raw: bytes, recipient: str) -> Outcome:
        """Write it in tmp, flush it, move it to new, flush that."""
        from mailbox import Maildir

        place = self._folder / file_name(recipient)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            box = Maildir(place)
            box.add(raw)
            flush_folder(place / "new")
        except OSError as reason:
            return Later(f"{place}: {reason.strerror or reason}", closed=True, tried=False)
        return Sent()

    def close(self) -> None:
        """Nothing is kept open."""
