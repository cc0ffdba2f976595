"""The folder of a post: creating one with its settings, keys and database, and opening it.

Nothing that is there already is overwritten: a second key would make every address in the players' mailboxes
worthless, and a second database would forget their games. If a part cannot be created, nothing is left behind, so
that it can be tried again.
"""

import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.proof.signatures import LENGTH
from pbem.settings.delivery import POST_FILE
from pbem.settings.load import read_settings
from pbem.settings.new_file import default_toml
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.store import Store
from pbem.store.timestamps import utc_now

if TYPE_CHECKING:
    from pbem.mail.writing.post_mails import PostPage
    from pbem.store.store import Transaction
    from pbem.workflow.context import CaseReader, PostContext

TICKET_KEY: Final = "ticket.key"
SIGNING_KEY: Final = "signing.key"
_DATABASE: Final = "post.db"
_BACKUPS: Final = "backups"
_BYTES_IN_KEY: Final = 32


@dataclass(frozen=True, slots=True)
class CreatedPost:
    """The files of a new post, and its settings."""

    file: Path
    key: Path
    signing_key: Path
    database: Path
    settings: Settings

    @property
    def where(self) -> str:
        """Where the database is."""
        return self.settings.store.url if self.settings.store.is_on_server else str(self.database)


@dataclass(frozen=True, slots=True)
class Occupied:
    """One of the files of the new post is there already; nothing was written."""

    path: Path


def create_post(folder: Path, chosen: Mapping[str, object]) -> CreatedPost | Occupied:
    """Create a post in a folder. `chosen` has settings that differ from the defaults, by dotted key."""
    parts = [folder / name for name in (POST_FILE, TICKET_KEY, SIGNING_KEY, _DATABASE)]
    for path in parts:
        if os.path.lexists(path):
            return Occupied(path)
    file, key, signing_key, database = parts
    keys = {"post.ticket_key_file": TICKET_KEY, "post.signing_key_file": SIGNING_KEY}
    text = default_toml({"backup.folder": Path(_BACKUPS), **chosen, **keys})
    with _all_or_nothing(folder, parts):
        folder.mkdir(parents=True, exist_ok=True)
        for secret in (key, signing_key):
            _write(secret, secrets.token_hex(_BYTES_IN_KEY) + "\n", mode=0o600)
        _write(file, text, mode=0o644)
        settings = read_settings(file)
        if not isinstance(settings, Settings):
            raise ValueError(f"a new file has mistakes: {'; '.join(map(str, settings))}")
        _create_database(settings)
    return CreatedPost(file, key, signing_key, database, settings)


def _create_database(settings: Settings) -> None:
    """Create the tables; a database that has some already is the post of somebody."""
    with Store.create(**settings.store.address) as store, store.reading() as transaction:
        if any(transaction.extent()):
            raise StoreRefusedError("there is a post in the database already; name another one")


@contextmanager
def _all_or_nothing(folder: Path, parts: Sequence[Path]) -> Iterator[None]:
    """Remove what was created, none of which was there before, if the rest cannot be created."""
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        yield
    except BaseException:
        for part in parts:
            for path in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
                with suppress(OSError):  # the same trouble may keep us from removing it
                    path.unlink()
        for place in made:
            with suppress(OSError):  # another process may have put something there, or it was never created
                place.rmdir()
        raise


def _write(path: Path, text: str, *, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def signing_key_problem(settings: Settings) -> str | None:
    """Why the signing key that the settings name cannot be used; None if it can."""
    key = settings.post.signing_key
    if key is None or re.fullmatch(f"[0-9a-fA-F]{{{2 * LENGTH}}}", key.reveal()):
        return None
    return f"the key in post.signing_key_file does not have {2 * LENGTH} hexadecimal digits"


@contextmanager
def open_store(settings: Settings, *, reads: bool = False) -> Iterator[Store]:
    """The store alone, for commands that only store letters or read them."""
    with Store.open(**settings.store.address, reads=reads) as store:
        yield store


class LightContext(NamedTuple):
    """A post without its games: the store, the settings and the clock."""

    store: Store
    settings: Settings
    now: Callable[[], datetime]


@contextmanager
def open_light(settings: Settings, *, reads: bool = False) -> Iterator[LightContext]:
    """The post without its games, for counting and for sending mails: much less is loaded."""
    _require_keys(settings)
    with open_store(settings, reads=reads) as store:
        yield LightContext(store, settings, utc_now)


@contextmanager
def open_post(
    settings: Settings, now: Callable[[], datetime] = utc_now, *, reads: bool = False, even_older: bool = False
) -> Iterator["PostContext"]:
    """The post without the lock: for reading, and for inviting players to a new table.

    A database that is older than it was is refused, unless it is opened `even_older` or only for reading (`reads`). In
    the latter case its disk need not be one that can be written.
    """
    from pbem.service.water_mark import keep_mark, refuse_rollback
    from pbem.workflow.context import open_context
    from pbem.workflow.forget import forget_again

    _require_keys(settings)
    context = open_context(settings, now=now, reads=reads, case_page=_show_case)
    with context.store:
        checked = not (reads or even_older)
        if not reads:
            forget_again(context)
        if checked:
            refuse_rollback(settings, context.store)
        yield context
        if checked:
            keep_mark(settings, context.store)


def _show_case(
    context: "PostContext", transaction: "Transaction", *, table: str, case: int, viewer: str, reader: "CaseReader"
) -> "PostPage | None":
    """The page about a case, for a mail; what makes it is loaded when somebody asks for one."""
    from pbem.disputes.case_mail import write_case_mail

    return write_case_mail(context, transaction, table=table, case=case, viewer=viewer, reader=reader)


def _require_keys(settings: Settings) -> None:
    if settings.post.ticket_key is None:
        raise StoreRefusedError("there is no key for reply addresses; name its file in post.ticket_key_file")
    if (problem := signing_key_problem(settings)) is not None:
        raise StoreRefusedError(problem)
