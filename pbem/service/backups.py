"""Copies of the database that the service makes by itself, and keeps the last few of."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from pbem.service.post_folder import open_store
from pbem.settings.sections import Settings
from pbem.settings.upkeep import BackupSettings
from pbem.store.sqlite_copy import connect_to_copy

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_NAME: Final = re.compile(r"post-([0-9]{8}T[0-9]{6}Z)\.db")
_OVERDUE: Final = 2
"""A copy that is so many times older than it should be is too old."""


class Backup(NamedTuple):
    """A copy that the service made."""

    path: Path
    made: datetime


def list_backups(settings: BackupSettings) -> list[Backup]:
    """The copies that are there, the oldest first. Other files in the folder are none of our business."""
    if settings.folder is None or not settings.folder.is_dir():
        return []
    found = []
    for path in settings.folder.iterdir():
        if (named := _NAME.fullmatch(path.name)) is not None:
            made = datetime.strptime(named[1], _STAMP).replace(tzinfo=UTC)
            found.append(Backup(path, made))
    return sorted(found, key=lambda backup: backup.made)


def back_up_if_due(settings: Settings, now: datetime) -> Backup | None:
    """Make a copy if the last one is old enough, and remove those that are too many; the copy, if one was made."""
    chosen = settings.backup
    if chosen.folder is None or time_until_due(settings, now) > timedelta():
        return None
    chosen.folder.mkdir(parents=True, exist_ok=True)
    path = chosen.folder / f"post-{now.astimezone(UTC):{_STAMP}}.db"
    # A connection of its own reads one moment of the database, and others go on writing.
    with open_store(settings) as store:
        store.copy_to(path)
    for old in list_backups(chosen)[: -chosen.keep]:
        old.path.unlink(missing_ok=True)
    return Backup(path, now)


def time_until_due(settings: Settings, now: datetime) -> timedelta:
    """How long it is until the next copy is made; nothing, if it is due."""
    there = list_backups(settings.backup)
    # A clock that was ahead once must not keep copies from being made.
    last = max((each.made for each in there if each.made <= now), default=None)
    return max(timedelta(), last + settings.backup.every - now) if last is not None else timedelta()


def say_last(settings: BackupSettings) -> str:
    """When the last copy was made, in a few words; empty if the service makes none."""
    if settings.folder is None:
        return ""
    there = list_backups(settings)
    if not there:
        return f"no copy so far in {settings.folder}"
    return f"{len(there)} in {settings.folder}, the last of {there[-1].made:%Y-%m-%d %H:%M} UTC"


def backup_problem(settings: BackupSettings, now: datetime) -> str | None:
    """What is wrong with the last copy: that it is too old, or cannot be read; None if it is good or not to be made."""
    there = list_backups(settings)
    if settings.folder is None or not there:
        return None
    last = there[-1]
    try:
        with closing(connect_to_copy(last.path)) as copy:
            found = str(copy.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.Error as reason:
        found = str(reason)
    if found != "ok":
        return f"{last.path} cannot be read: {found}; remove it, and `pbem backup` makes another"
    if now - last.made > _OVERDUE * settings.every:
        return f"the last copy is of {last.made:%Y-%m-%d %H:%M} UTC; is `pbem serve` running, and is there room?"
    return None
