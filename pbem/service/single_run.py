"""Work without a running service: one letter from a pipe, all letters in a mailbox, or one pass over what is due."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from pbem.mail.reading import largest_size
from pbem.mail.reading.limits import TICKETED
from pbem.mail.transport.factory import open_intakes, open_mailer
from pbem.mail.transport.pipe import STORED, take_letter
from pbem.mail.transport.retry import describe_failure
from pbem.service.front_door import open_closed_door, open_door
from pbem.service.housekeeping import tidy_up
from pbem.service.journal import warn, without_addresses
from pbem.service.lock import PostBusyError, take_lock
from pbem.service.post_folder import open_post
from pbem.service.send_queue import send_due
from pbem.settings.access import explain_os_error
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext, identity_of
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.tick import TickResult, give_back_outage, tick


@dataclass(frozen=True, slots=True)
class WorkDone:
    """What one pass has done."""

    letters: tuple[LetterOutcome, ...]
    clocks: tuple[TickResult, ...]


def work_once(context: PostContext) -> WorkDone:
    """Handle the letters that arrived, check the clocks, then handle letters that need not wait any longer.

    Letters come before clocks, so that a move that arrived in time counts. Time that the post was down is given back
    before both, so that a turn that begins with one of these letters loses none.
    """
    given_back = give_back_outage(context)
    first = tuple(handle_arrived_letters(context))
    clocks = (*given_back, *tick(context))
    done = WorkDone((*first, *handle_arrived_letters(context)), clocks)
    tidy_up(context)
    return done


_LOG: Final = logging.getLogger(__name__)


def take_from_pipe(
    settings: Settings, stream: BinaryIO, *, env_from: str | None, env_to: Sequence[str], at_once: bool
) -> int:
    """Store one letter; the exit code for the mail server. With `at_once` it is handled too, unless a service does."""
    taken = take_letter(
        stream,
        lambda: open_closed_door(settings),
        largest=settings.post.largest_letter,
        larger=lambda start: largest_for(settings, start, env_to),
        env_from=env_from,
        env_to=env_to,
    )
    if taken == STORED and at_once:
        _handle(settings)
    return taken


def largest_for(settings: Settings | None, start: bytes, recipients: Sequence[str]) -> int:
    """How large a letter may be that is larger than others, by its beginning and the recipients on its envelope.

    If the settings cannot be read, it is kept in case its ticket is good. When it is handled, this is looked at again.
    """
    if settings is None:
        return TICKETED
    return largest_size(start, post=identity_of(settings), envelope_to=recipients, usual=settings.post.largest_letter)


def _handle(settings: Settings) -> None:
    """Handle what arrived. The letter is stored already, so a failure here does not concern the mail server."""
    try:
        with take_lock(settings, "deliver"), open_post(settings) as context, closing(open_mailer(settings)) as mailer:
            work_once(context)
            if trouble := send_due(context, mailer).trouble:
                warn(_LOG, "no mail can be sent now", reason=without_addresses(trouble))
    except PostBusyError:
        return  # the process that serves the post handles it
    except Exception:
        _LOG.exception("the letter is stored, but could not be handled yet")


@dataclass(frozen=True, slots=True)
class Fetched:
    """How many letters an intake had, or why it could not be read."""

    intake: str
    letters: int = 0
    trouble: str = ""


def fetch_all(settings: Settings) -> Iterator[Fetched]:
    """Take what is in the mailboxes now. Intakes that listen have nothing to fetch."""
    with open_post(settings) as context:
        door = open_door(context)
        for intake in open_intakes(settings, context.identity.owns, most=TICKETED, larger=context.largest_size):
            if intake.listens:
                continue
            try:
                yield Fetched(intake.name, intake.collect(door))
            except OSError as reason:
                yield Fetched(intake.name, trouble=_explain(reason))


def _explain(reason: OSError) -> str:
    """Why a mailbox cannot be read; for a file also what would help."""
    if reason.filename is None:
        return describe_failure(reason)
    why = explain_os_error(reason, Path(reason.filename))
    return f"{why.mistake}; {why.advice}"
