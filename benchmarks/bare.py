"""What no post can do without, and nothing else: a durable change for each letter, and the picture of its board.

Neither reads a letter, judges a move or writes a word. A post that does all of that can only be slower.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from email import message_from_bytes
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple, cast

from PIL import Image

from pbem.render.tiles import THOROUGH

SMALL: Final = 100
"""Bytes of a small change."""


class Ledger(NamedTuple):
    """A database as safe as the post's own, with one table, and what is to be written into it."""

    connection: sqlite3.Connection
    contents: Sequence[bytes]


def open_ledger(path: Path, contents: Sequence[bytes]) -> Ledger:
    """A new ledger."""
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode = wal", "synchronous = full"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("CREATE TABLE line (number INTEGER PRIMARY KEY, content BLOB)")
    return Ledger(connection, contents)


def commit_all(ledger: Ledger) -> int:
    """Make a small change durable for each of the contents; how many."""
    for content in ledger.contents:
        ledger.connection.execute("INSERT INTO line (content) VALUES (?)", (content[:SMALL],))
    return len(ledger.contents)


def pack_and_commit_all(ledger: Ledger) -> int:
    """Pack each of the pictures as the post does, and make it durable; how many."""
    for dots in ledger.contents:
        ledger.connection.execute("INSERT INTO line (content) VALUES (?)", (zlib.compress(dots, THOROUGH),))
    return len(ledger.contents)


def take_pictures(mails: Iterable[bytes]) -> list[bytes]:
    """The dots of the pictures in some mails, each picture once, as they are before they are packed."""
    packed = dict.fromkeys(
        cast("bytes", part.get_payload(decode=True))
        for mail in mails
        for part in message_from_bytes(mail).walk()
        if part.get_content_type() == "image/png"
    )
    return [Image.open(BytesIO(picture)).tobytes("raw", "P;4") for picture in packed]
