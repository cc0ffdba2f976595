"""What a doctor looks at: settings, keys, database, and every way in and out, without sending anything.

No name is looked up but those of the servers in the settings, and nothing is changed except that a mailbox is logged in
to and left again.
"""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final

from pbem.mail.transport.imap import ImapIntake
from pbem.mail.transport.smtp import SmtpMailer
from pbem.service.folder_checks import ADVICE, BAD, GOOD, CheckResult, check_folder, check_keys
from pbem.service.lock import PostBusyError, take_lock
from pbem.settings import sections
from pbem.settings.sections import Settings
from pbem.store.errors import StoreError

_ROOM: Final = 200_000_000
"""Bytes that ought to be free on the disk."""


def run_checks(settings: Settings) -> Iterator[CheckResult]:
    """Look at everything, one finding after the other."""
    yield from _examine_post(settings)
    yield from check_folder(settings)
    yield from _examine_ways_in(settings)
    yield from _examine_way_out(settings)
    yield _examine_folder(settings.folder)


def _examine_post(settings: Settings) -> Iterator[CheckResult]:
    post = settings.post
    if post.address.endswith("@example.org"):
        yield CheckResult("address", BAD, f"{post.address} is only an example; write your own in post.address")
    else:
        yield CheckResult("address", GOOD, post.address)
    yield from check_keys(settings)
    if post.referee is None:
        yield CheckResult("referee", ADVICE, "nobody is told when mails fail; name somebody in post.referee")
    if post.authserv_id is None:
        yield CheckResult("authentication", ADVICE, "nobody checks who wrote a letter; see post.authserv_id")
    if not post.plus_addressing:
        yield CheckResult("tickets", ADVICE, "they stand in the subject; where it can be, plus addressing is safer")


def _examine_ways_in(settings: Settings) -> Iterator[CheckResult]:
    if settings.maildir is not None:
        yield _examine_maildir(settings.maildir.path)
    if settings.imap is not None:
        wishes = settings.imap
        problem = ImapIntake(wishes, settings.post.largest_letter).check()
        yield _answered("imap", f"{wishes.user} at {wishes.host}:{wishes.port}", problem)
    if settings.lmtp is not None:
        yield _examine_port(settings, settings.lmtp)
    if settings.maildir is None and settings.imap is None and settings.lmtp is None:
        yield CheckResult("letters in", ADVICE, "only through `pbem deliver`; no way in is open in the settings")


def _examine_maildir(path: Path) -> CheckResult:
    missing = [name for name in ("new", "cur", "tmp") if not (path / name).is_dir()]
    if missing:
        return CheckResult("maildir", BAD, f"{path} is no Maildir: it has no {' and no '.join(missing)}")
    if not all(os.access(path / name, os.R_OK | os.W_OK | os.X_OK) for name in ("new", "cur")):
        return CheckResult("maildir", BAD, f"{path} cannot be read and written")
    return CheckResult("maildir", GOOD, str(path))


def _examine_port(settings: Settings, wishes: sections.LmtpSettings) -> CheckResult:
    place = f"{wishes.host}:{wishes.port}"
    try:
        with (
            take_lock(settings, "doctor", patience=timedelta()),
            closing(socket.create_server((wishes.host, wishes.port))),
        ):
            return CheckResult("lmtp", GOOD, f"{place} is free to listen on")
    except PostBusyError as reason:
        return CheckResult("lmtp", GOOD, f"{reason}, on {place}")
    except StoreError:
        return CheckResult(
            "lmtp", ADVICE, f"{place} was not tried: whether somebody listens there for us cannot be known"
        )
    except OSError as reason:
        return CheckResult("lmtp", BAD, f"{place}: {reason.strerror or reason}")


def _examine_way_out(settings: Settings) -> Iterator[CheckResult]:
    match settings.out:
        case sections.SmtpSettings() as wishes:
            with closing(SmtpMailer(wishes, settings.post.address)) as server:
                yield _answered("smtp", f"{wishes.host}:{wishes.port}", server.check())
        case sections.FolderMailerSettings(path) | sections.MaildirMailerSettings(path):
            place = next(each for each in (path, *path.parents) if each.exists())
            good = place.is_dir() and os.access(place, os.W_OK | os.X_OK)
            yield CheckResult("mails out", GOOD if good else BAD, f"{path}" if good else f"{path} cannot be written")


def _answered(about: str, place: str, problem: str | None) -> CheckResult:
    return (
        CheckResult(about, GOOD, f"{place} answers")
        if problem is None
        else CheckResult(about, BAD, f"{place}: {problem}")
    )


def _examine_folder(folder: Path) -> CheckResult:
    free = shutil.disk_usage(folder).free
    if free < _ROOM:
        return CheckResult("disk", BAD, f"only {free // 1_000_000} MB are free in {folder}")
    return CheckResult("disk", GOOD, f"{free // 1_000_000:,} MB are free")
