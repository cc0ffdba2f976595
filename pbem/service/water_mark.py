"""How far the database had come: a small file beside it that no backup holds.

If an older copy is put in the place of the database by hand, the file still knows how far the lost one had come. So the
post notices before it sends or decides anything.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from pbem.settings.sections import Settings
from pbem.store.errors import StoreError, StoreFailedError, StoreRefusedError
from pbem.store.rows import Extent
from pbem.store.store import Store, Transaction

WHAT_TO_DO: Final = (
    "nothing is sent and nothing is decided. Put the newest database back in its place, or let this one stand with "
    "`pbem restore --accept --all`, which tells all players; `pbem restore FILE` puts a copy back and does both"
)


def say_held(table: str) -> str:
    """What to do about a game that a letter has shown to be older than it was."""
    return (
        f"{table} is held: a letter came from a history that this database does not have. The players are asked to "
        "send their moves again, and it goes on by itself when they have; to let it go on from where it is, run "
        f"`pbem restore --accept {table}`"
    )


def say_lost_table(table: str) -> str:
    """What to do about a table that only its players know."""
    return (
        f"a letter came for {table} with a good reply address, and there is no such table: it was opened after the "
        "copy that this database was put back to. Tell its players; the letter is in quarantine. Import its record, if "
        "somebody has one, or `pbem restore --accept --all` when you know about it"
    )


class WaterMark(NamedTuple):
    """The run of history that was seen last, and how far it had come."""

    generation: str
    extent: Extent


def mark_file(settings: Settings) -> Path:
    """The file beside the database."""
    database = settings.database
    return database.with_name(f"{database.name}.seen")


def read_mark(settings: Settings) -> WaterMark | None:
    """What was seen last; None if nothing was, or it cannot be read any more."""
    try:
        said = json.loads(mark_file(settings).read_text("utf-8"))
        return WaterMark(str(said["generation"]), Extent(*(int(said[name]) for name in Extent._fields)))
    except (OSError, ValueError, LookupError, TypeError):
        return None


def write_mark(settings: Settings, mark: WaterMark) -> None:
    """Note how far the database has come; if that cannot be written, the post runs on without."""
    path = mark_file(settings)
    fresh = path.with_name(f"{path.name}.part")
    with suppress(OSError):
        text = json.dumps({"generation": mark.generation, **mark.extent._asdict()})
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
            stream.write(f"{text}\n")
        fresh.replace(path)


def find_rollback(settings: Settings, transaction: Transaction) -> str | None:
    """How the database is older than it was, or another one altogether, in a sentence; None if it is neither."""
    seen = read_mark(settings)
    if seen is None:
        return None
    if seen.generation != transaction.generation:
        return "the database is another one than was here before, perhaps an older copy"
    extent = transaction.extent()
    numbers = zip(("letters", "events", "mails", "lines in the log"), extent, seen.extent, strict=True)
    less = [f"{now:,} {name} instead of {before:,}" for name, now, before in numbers if now < before]
    return f"the database is older than it was: it has {', '.join(less)}" if less else None


def refuse_rollback(settings: Settings, store: Store) -> None:
    """Refuse to work with a database that is older than it was."""
    with store.reading() as transaction:
        why = find_rollback(settings, transaction)
    if why is not None:
        raise StoreRefusedError(f"{why}; {WHAT_TO_DO}")


def keep_mark(settings: Settings, store: Store) -> None:
    """Note how far the database has come, if that is further than before."""
    with suppress(StoreError):
        with store.reading() as transaction:
            mark = WaterMark(transaction.generation, transaction.extent())
        if read_mark(settings) != mark:
            write_mark(settings, mark)


def watch_mark(settings: Settings, store: Store) -> None:
    """Stop the service if its database has become older under it; else note how far it has come."""
    with store.reading() as transaction:
        why = find_rollback(settings, transaction)
    if why is not None:
        raise StoreFailedError(f"{why}; {WHAT_TO_DO}")
    keep_mark(settings, store)
