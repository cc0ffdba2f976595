"""A new post: its settings, its keys and its database, in a folder that has none of them.

Nothing that is there already is ever overwritten: a second key would make every address in the players' mailboxes
worthless, and a second database would forget their games.
"""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.settings.reading import SQLITE, read_settings
from pbem.settings.sections import Settings
from pbem.settings.writing import default_toml
from pbem.store.store import Store

POST_FILE: Final = "post.toml"
TICKET_KEY: Final = "ticket.key"
SIGNING_KEY: Final = "signing.key"
_DATABASE: Final = "post.db"
_BYTES_IN_KEY: Final = 32


@dataclass(frozen=True, slots=True)
class Founded:
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


def found(folder: Path, chosen: Mapping[str, object]) -> Founded | Occupied:
    """Found a post in a folder. `chosen` has settings that differ from the defaults, by dotted key."""
    parts = [folder / name for name in (POST_FILE, TICKET_KEY, SIGNING_KEY, _DATABASE)]
    for path in parts:
        if os.path.lexists(path):
            return Occupied(path)
    file, key, signing_key, database = parts
    folder.mkdir(parents=True, exist_ok=True)
    for secret in (key, signing_key):
        _write(secret, secrets.token_hex(_BYTES_IN_KEY) + "\n", mode=0o600)
    keys = {"post.ticket_key_file": TICKET_KEY, "post.signing_key_file": SIGNING_KEY}
    _write(file, default_toml({**chosen, **keys}), mode=0o644)
    settings = read_settings(file)
    if not isinstance(settings, Settings):
        raise ValueError(f"a new file has mistakes: {'; '.join(map(str, settings))}")
    Store.open(settings.store.url, patience=settings.store.patience).close()
    return Founded(file, key, signing_key, database, settings)


def database_of(settings: Settings) -> Path:
    """The file that holds everything."""
    return Path(settings.store.url.removeprefix(SQLITE))


def _write(path: Path, text: str, *, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
