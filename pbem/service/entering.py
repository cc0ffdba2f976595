"""Entering a post that was founded: its store, or its office."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from pbem.service.signing import why_no_signing
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.store import Store
from pbem.workflow.context import Office, open_office, utc_now


@contextmanager
def open_store(settings: Settings) -> Iterator[Store]:
    """The store alone, for whoever only keeps letters or looks at them."""
    with Store.open(settings.store.url, patience=settings.store.patience) as store:
        yield store


@contextmanager
def enter(settings: Settings, now: Callable[[], datetime] = utc_now) -> Iterator[Office]:
    """The office, without the key: for looking, and for inviting people to a new table."""
    if settings.post.ticket_key is None:
        raise StoreRefusedError("there is no key for reply addresses; name its file in post.ticket_key_file")
    if (why := why_no_signing(settings)) is not None:
        raise StoreRefusedError(why)
    office = open_office(settings, now=now)
    with office.store:
        yield office
