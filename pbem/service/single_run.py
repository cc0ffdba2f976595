"""One round of the clerk, for those who have no service running: a pipe that handles what it takes, or a timetable.

Letters taken in without a service: one from a pipe, or all that lie in a mailbox.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from imaplib import IMAP4
from pathlib import Path
from typing import BinaryIO, Final

from pbem.mail.transport.factory import open_intakes, open_mailer
from pbem.mail.transport.pipe import STORED, take_letter
from pbem.mail.transport.smtp import describe_failure
from pbem.service.journal import warn, without_addresses
from pbem.service.lock import PostBusyError, take_lock
from pbem.service.post_folder import open_post, open_store
from pbem.service.send_queue import forget_old_mails, send_due
from pbem.settings.access import explain_os_error
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.tick import TickResult, give_back_outage, tick


@dataclass(frozen=True, slots=True)
class WorkDone:
    """What a round has done."""

    letters: tuple[LetterOutcome, ...]
    clocks: tuple[TickResult, ...]


def work_once(context: PostContext) -> WorkDone:
    """Handle the letters that have come, look at the clocks, then at letters that need not wait any longer.

    Whoever wrote in time is heard before the clock is. But time that the post has slept is given back first: a turn
    that a letter begins only now has lost none.
    """
    given_back = give_back_outage(context)
    first = tuple(handle_arrived_letters(context))
    clocks = (*given_back, *tick(context))
    worked = WorkDone((*first, *handle_arrived_letters(context)), clocks)
    forget_old_mails(context)
    return worked


DELIVERING: Final = "deliver"
"""The errand of a pipe that handles what it takes."""

_LOG: Final = logging.getLogger(__name__)


def take_from_pipe(
    settings: Settings, stream: BinaryIO, *, env_from: str | None, env_to: Sequence[str], at_once: bool
) -> int:
    """Keep one letter; the exit code for the mail server. `at_once` handles it too, where no service does."""
    taken = take_letter(
        stream,
        lambda: open_store(settings),
        largest=settings.post.largest_letter,
        env_from=env_from,
        env_to=env_to,
    )
    if taken == STORED and at_once:
        _handle(settings)
    return taken


def _handle(settings: Settings) -> None:
    """Do the clerk's work; the letter is safe already, so no trouble here is the mail server's."""
    try:
        with take_lock(settings, DELIVERING), open_post(settings) as context, closing(open_mailer(settings)) as way:
            work_once(context)
            if trouble := send_due(context, way).trouble:
                warn(_LOG, "no mail leaves now", reason=without_addresses(trouble))
    except PostBusyError:
        return  # whoever serves the post handles it
    except Exception:
        _LOG.exception("the letter is kept, but could not be handled yet")


@dataclass(frozen=True, slots=True)
class Fetched:
    """How many letters a way in had, or why it could not be asked."""

    way: str
    letters: int = 0
    trouble: str = ""


def fetch_all(settings: Settings) -> Iterator[Fetched]:
    """Take what lies in the mailboxes now. A mail server that calls us is not among them."""
    with open_post(settings) as context:
        for way in open_intakes(settings, context.identity.owns):
            if way.name == "lmtp":
                continue
            try:
                yield Fetched(way.name, way.collect(context.store))
            except (OSError, IMAP4.error) as reason:
                yield Fetched(way.name, trouble=_told(reason))


def _told(reason: Exception) -> str:
    """What keeps us from a mailbox; of a file also what would help."""
    if not isinstance(reason, OSError) or reason.filename is None:
        return describe_failure(reason)
    why = explain_os_error(reason, Path(reason.filename))
    return f"{why.wrong}; {why.write}"
