"""What `pbem doctor` checks: settings, keys, database and every transport, without sending anything.

Each transport knows how to check itself. Only the servers in the settings are looked up, and nothing is changed except
that a mailbox is logged in to and left again.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from pbem.mail.transport.factory import open_intakes, open_mailer
from pbem.mail.transport.protocols import Checked, Intake
from pbem.service.domain_checks import DAY, check_domain, check_unsubscribe
from pbem.service.folder_checks import ADVICE, BAD, GOOD, CheckResult, check_folder, check_keys
from pbem.service.history_checks import Tell, tell_nobody
from pbem.service.lock import PostBusyError, take_lock
from pbem.service.post_folder import open_store
from pbem.service.room import say_room
from pbem.settings.front_desk import INVITED, NOBODY
from pbem.settings.sections import Settings
from pbem.store.errors import StoreDamagedError, StoreError
from pbem.store.timestamps import utc_now

_FREE_SPACE: Final = 200_000_000
"""Bytes that should be free on the disk."""


def run_checks(settings: Settings, *, quick: bool = False, tell: Tell = tell_nobody) -> Iterator[CheckResult]:
    """Check everything, one result after the other; if `quick`, no game is judged and drawn again."""
    yield from _check_post(settings)
    yield from check_folder(settings, quick=quick, tell=tell)
    yield from _check_intakes(settings)
    with closing(open_mailer(settings)) as mailer:
        yield _to_result(mailer.check())
    yield from _check_sending(settings)
    yield from _check_room(settings)
    yield _check_disk(settings.folder)


def _check_post(settings: Settings) -> Iterator[CheckResult]:
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
    yield _check_lobby(settings)
    if not post.plus_addressing:
        yield CheckResult("tickets", ADVICE, "they are in the subject; plus addressing is safer where it is possible")


def _check_lobby(settings: Settings) -> CheckResult:
    """Whether people can come in by mail: only where our mail server vouches for senders."""
    strangers = settings.lobby.strangers
    if strangers == NOBODY:
        return CheckResult("lobby", GOOD, "closed, as lobby.strangers says")
    if settings.post.authserv_id is None:
        return CheckResult("lobby", ADVICE, "closed: nobody can come in by mail until post.authserv_id is set")
    return CheckResult("lobby", GOOD, "open to people who were invited" if strangers == INVITED else "open")


def _check_intakes(settings: Settings) -> Iterator[CheckResult]:
    intakes = open_intakes(settings, lambda _: False)
    yield from (_check_listening(settings, each) if each.listens else _to_result(each.check()) for each in intakes)
    if not intakes:
        yield CheckResult("letters in", ADVICE, "only through `pbem deliver`; the settings have no section [in.…]")


def _check_listening(settings: Settings, intake: Intake) -> CheckResult:
    """Whether an intake could listen, or a running service does so already."""
    try:
        with take_lock(settings, "doctor", patience=timedelta()):
            return _to_result(intake.check())
    except PostBusyError as reason:
        return CheckResult(intake.name, GOOD, f"{reason}, on {intake.address}")
    except StoreError:
        text = f"{intake.address} was not tried: it cannot be known whether a process of ours listens there"
        return CheckResult(intake.name, ADVICE, text)


def _check_sending(settings: Settings) -> Iterator[CheckResult]:
    """Whether other mail servers can trust what we send. That is advice: letters and games do not depend on it."""
    found = [*check_domain(settings)]
    with suppress(StoreError, StoreDamagedError), open_store(settings) as store, store.reading() as transaction:
        found.append(check_unsubscribe(transaction.mails_since(utc_now() - DAY)))
    yield from (CheckResult(each.about, GOOD if each.good else ADVICE, each.text) for each in found)


def _to_result(checked: Checked) -> CheckResult:
    return CheckResult(checked.about, GOOD if checked.good else BAD, checked.text)


def _check_room(settings: Settings) -> Iterator[CheckResult]:
    """What takes the room in the database, and whether it gives room back."""
    with suppress(StoreError, StoreDamagedError), open_store(settings, reads=True) as store:
        with store.reading() as transaction:
            size, room = transaction.file_size(), say_room({**transaction.measure_room(), "measured_at": None})
        yield CheckResult("room", GOOD, room)
        if not size.shrinks:
            text = "an older release made the database, and it cannot shrink; stop the post once for `pbem compact`"
            yield CheckResult("room", ADVICE, text)


def _check_disk(folder: Path) -> CheckResult:
    free = shutil.disk_usage(folder).free
    if free < _FREE_SPACE:
        return CheckResult("disk", BAD, f"only {free // 1_000_000} MB are free in {folder}")
    return CheckResult("disk", GOOD, f"{free // 1_000_000:,} MB are free")
