"""What takes the room on the disk, in plain words; and writing the database anew so that it takes less."""

import json
import shutil
from dataclasses import dataclass
from typing import Any, Final

from pbem.service.lock import take_lock
from pbem.service.post_folder import open_store
from pbem.settings.sections import Settings
from pbem.store.store import ROOM, Transaction

MEGABYTE: Final = 1_000_000
_SMALL: Final = 20 * MEGABYTE
"""A database that is measured at each look. The parts of a larger one are as housekeeping found them."""
_TIMES: Final = 2
"""How much disk compacting takes, in sizes of what is left: a copy beside the database, and then SQLite's log."""


def find_room(transaction: Transaction) -> dict[str, Any]:
    """What takes the room, in bytes, and when its parts were measured if that was not now."""
    size = transaction.file_size()
    kept = json.loads(transaction.load_setting(ROOM) or "null") if size.file > _SMALL else None
    if kept is None:
        return {**transaction.measure_room(), "measured_at": None}
    at = kept.pop("at")
    return {**kept, "free": size.free, "file": size.file, "measured_at": at}


def say_room(room: dict[str, Any]) -> str:
    """The same as a line: `2.1 MB: letters 0.2, mails 0.1, …`."""
    parts = ("letters", "mails", "pictures", "archive", "events", "other", "free")
    named = ", ".join(f"{part} {room[part] / MEGABYTE:.1f}" for part in parts)
    measured = f" (measured {room['measured_at'][:16].replace('T', ' ')})" if room["measured_at"] else ""
    return f"{room['file'] / MEGABYTE:,.1f} MB: {named}{measured}"


@dataclass(frozen=True, slots=True)
class Compacted:
    """The size of the database before and after it was written anew."""

    before: int
    after: int


def compact(settings: Settings) -> Compacted | str:
    """Write the database anew without free pages; or why that cannot be done.

    Others may read meanwhile. Who stores a letter waits, and sends it again later if that takes too long.
    """
    if settings.store.is_on_server:
        return "PostgreSQL uses free room again by itself; `VACUUM FULL` gives it back, when the post stands still"
    folder = settings.database.absolute().parent
    with take_lock(settings, "compact"), open_store(settings) as store:
        with store.reading() as transaction:
            before = transaction.file_size()
        needed, free = _TIMES * (before.file - before.free), shutil.disk_usage(folder).free
        if free < needed:
            return (
                f"there is too little room in {folder}: {needed // MEGABYTE + 1:,} MB are needed for a while, and "
                f"{free // MEGABYTE:,} MB are free"
            )
        store.compact(folder)
        with store.reading() as transaction:
            return Compacted(before.file, transaction.file_size().file)
