"""The few settings that `pbem deliver` needs, read without loading the rest.

A mail server starts `pbem deliver` for every letter, and checking all settings takes longer than storing the letter.
Where anything here is not in order, the caller reads the settings in full instead, which says what is wrong.
"""

import os
import re
from datetime import timedelta
from typing import Final, NamedTuple

from pbem.settings.durations import parse_duration

POST_FILE: Final = "post.toml"
SQLITE: Final = "sqlite:///"
DATABASE: Final = "sqlite:///post.db"
FILE_FORM: Final = r"sqlite:///[^\x00-\x1f\x7f?]+"
SERVER_FORM: Final = (
    r"postgresql://(?:[^\x00-\x20\x7f:@/?]+@)?[^\x00-\x20\x7f@?]*(?:\?(?!.*password=)[^\x00-\x20\x7f]*)?"
)
DATABASE_FORM: Final = rf"{FILE_FORM}|{SERVER_FORM}"
"""An SQLite file, or a database on a server; a password in it is no form that we take."""
PATIENCE: Final = timedelta(seconds=10)
MOST_PATIENCE: Final = timedelta(hours=1)
LEAST_LETTER: Final = 16_384
LARGEST_LETTER: Final = 262_144
STRANGER_BYTES: Final = 4_194_304
STRANGERS_BYTES: Final = 67_108_864
PLAYER_BYTES: Final = 67_108_864
LEAST_BYTES: Final = 1_048_576
MOST_BYTES: Final = 1_099_511_627_776

SECTIONS: Final = frozenset({"post", "store", "in", "out", "time", "lobby", "backup", "log", "metrics"})
STORE_KEYS: Final = frozenset({"url", "password_file", "patience", "archive_after", "keep_sent", "keep_letters"})


class DeliverySettings(NamedTuple):
    """Where letters are stored, how many seconds to wait for another writer, and the largest letter in bytes.

    `limits` are the bytes that one stranger, all strangers and one player may leave with us.
    """

    url: str
    timeout: float
    largest: int
    limits: tuple[int, int, int]


def read_delivery_settings(path: str) -> DeliverySettings | None:
    """The settings in a file, or in `post.toml` of a folder; None if they must be read in full."""
    import tomllib

    try:
        path = os.path.join(path, POST_FILE) if os.path.isdir(path) else path  # noqa: PTH112, PTH118 - pathlib loads slowly
        with open(path, encoding="utf-8-sig") as stream:  # noqa: PTH123 - as above
            tables = tomllib.loads(stream.read())
    except (OSError, ValueError):
        return None
    if not (tables.keys() <= SECTIONS and all(isinstance(table, dict) for table in tables.values())):
        return None
    return _read_tables(tables.get("store", {}), tables.get("post", {}), os.path.dirname(os.path.abspath(path)))  # noqa: PTH100, PTH120 - as above


def _read_tables(store: dict[str, object], post: dict[str, object], folder: str) -> DeliverySettings | None:
    url, largest = store.get("url", DATABASE), post.get("largest_letter", LARGEST_LETTER)
    patience = _read_patience(store)
    if not store.keys() <= STORE_KEYS or patience is None or not isinstance(url, str) or type(largest) is not int:
        return None
    if not re.fullmatch(FILE_FORM, url) or not LEAST_LETTER <= largest <= LARGEST_LETTER:
        return None
    defaults = {"stranger_bytes": STRANGER_BYTES, "strangers_bytes": STRANGERS_BYTES, "player_bytes": PLAYER_BYTES}
    limits = [post.get(key, default) for key, default in defaults.items()]
    stranger, strangers, player = (
        limit if type(limit) is int and LEAST_BYTES <= limit <= MOST_BYTES else 0 for limit in limits
    )
    if not (stranger and strangers and player):
        return None
    file = os.path.join(folder, url.removeprefix(SQLITE))  # noqa: PTH118 - as above
    return DeliverySettings(SQLITE + file, patience.total_seconds(), largest, (stranger, strangers, player))


def _read_patience(store: dict[str, object]) -> timedelta | None:
    if "patience" not in store:
        return PATIENCE
    text = store["patience"]
    found = parse_duration(text) if isinstance(text, str) else None
    return found if found and found <= MOST_PATIENCE else None
