"""A new post: its settings, its keys and its database, in a folder that has none of them.

Nothing that is there already is ever overwritten: a second key would make every address in the players' mailboxes
worthless, and a second database would forget their games. A founding that fails leaves nothing behind, so that it can
be tried again.

What a post signs with, and the last thing it signed about all games.

Entering a post that was founded: its store, or its office.
"""

import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from pbem.proof.public_log import Checkpoint
from pbem.proof.signatures import LENGTH, Signer
from pbem.settings.load import POST_FILE, read_settings
from pbem.settings.new_file import default_toml
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.sqlite import database_path
from pbem.store.store import Store, Transaction
from pbem.store.timestamps import utc_now
from pbem.workflow.context import PostContext, make_signer, open_context
from pbem.workflow.history import last_checkpoint

TICKET_KEY: Final = "ticket.key"
SIGNING_KEY: Final = "signing.key"
_DATABASE: Final = "post.db"
_BYTES_IN_KEY: Final = 32


@dataclass(frozen=True, slots=True)
class CreatedPost:
    """Where the parts of a new post are, and what its settings say."""

    file: Path
    key: Path
    signing_key: Path
    database: Path
    settings: Settings


@dataclass(frozen=True, slots=True)
class Occupied:
    """Something stands where a part of the new post would stand; nothing was written."""

    path: Path


def create_post(folder: Path, chosen: Mapping[str, object]) -> CreatedPost | Occupied:
    """Found a post in a folder. `chosen` has settings that differ from the defaults, by dotted key."""
    parts = [folder / name for name in (POST_FILE, TICKET_KEY, SIGNING_KEY, _DATABASE)]
    for path in parts:
        if os.path.lexists(path):
            return Occupied(path)
    file, key, signing_key, database = parts
    keys = {"post.ticket_key_file": TICKET_KEY, "post.signing_key_file": SIGNING_KEY}
    text = default_toml({**chosen, **keys})
    with _all_or_nothing(folder, parts):
        folder.mkdir(parents=True, exist_ok=True)
        for secret in (key, signing_key):
            _write(secret, secrets.token_hex(_BYTES_IN_KEY) + "\n", mode=0o600)
        _write(file, text, mode=0o644)
        settings = read_settings(file)
        if not isinstance(settings, Settings):
            raise ValueError(f"a new file has mistakes: {'; '.join(map(str, settings))}")
        Store.create(settings.store.url, timeout=settings.store.patience.total_seconds()).close()
    return CreatedPost(file, key, signing_key, database, settings)


def database_of(settings: Settings) -> Path:
    """The file of the database."""
    return Path(database_path(settings.store.url))


@contextmanager
def _all_or_nothing(folder: Path, parts: Sequence[Path]) -> Iterator[None]:
    """Take back what was made, none of which was there before, if the rest of it cannot be."""
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        yield
    except BaseException:
        for part in parts:
            for path in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
                with suppress(OSError):  # what kept us from founding may keep us from this too
                    path.unlink()
        for place in made:
            with suppress(OSError):  # somebody else may have put something there, or it was never made
                place.rmdir()
        raise


def _write(path: Path, text: str, *, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def signing_key_problem(settings: Settings) -> str | None:
    """Why a post cannot sign with the key that its settings name."""
    key = settings.post.signing_key
    if key is None or re.fullmatch(f"[0-9a-fA-F]{{{2 * LENGTH}}}", key.reveal()):
        return None
    return f"the key in post.signing_key_file has not {2 * LENGTH} hexadecimal digits"


def find_signer(settings: Settings) -> Signer | None:
    """The post's key; None if it has none."""
    return make_signer(settings)


def read_checkpoint_of(transaction: Transaction) -> Checkpoint | None:
    """The last checkpoint of the log of all games."""
    return last_checkpoint(transaction)


@contextmanager
def open_store(settings: Settings) -> Iterator[Store]:
    """The store alone, for whoever only keeps letters or looks at them."""
    with Store.open(settings.store.url, timeout=settings.store.patience.total_seconds()) as store:
        yield store


@contextmanager
def open_post(settings: Settings, now: Callable[[], datetime] = utc_now) -> Iterator[PostContext]:
    """The office, without the key: for looking, and for inviting people to a new table."""
    if settings.post.ticket_key is None:
        raise StoreRefusedError("there is no key for reply addresses; name its file in post.ticket_key_file")
    if (why := signing_key_problem(settings)) is not None:
        raise StoreRefusedError(why)
    context = open_context(settings, now=now)
    with context.store:
        yield context
