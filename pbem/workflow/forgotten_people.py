"""The file beside the keys that says who was forgotten, so that an older copy of the database forgets them again.

Apart from the rest about forgetting, because every command looks into it and most of them forget nobody.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pbem.settings.sections import Settings
from pbem.store.rows import PersonRow
from pbem.store.store import Transaction

FILE: Final = "forgotten.txt"
"""Beside the keys: the ids of everybody who was forgotten, one on a line."""


def forgotten_file(settings: Settings) -> Path:
    """Where ids of people are kept who were forgotten."""
    return settings.folder / FILE


def read_forgotten(settings: Settings) -> list[str]:
    """The ids in that file."""
    try:
        return [line for line in forgotten_file(settings).read_text("ascii").split() if line]
    except FileNotFoundError:
        return []


def note_forgotten(settings: Settings, forgotten: Iterable[str]) -> None:
    """Add ids to that file."""
    known = read_forgotten(settings)
    fresh = [each for each in forgotten if each not in known]
    if not fresh:
        return
    with forgotten_file(settings).open("a", encoding="ascii") as stream:
        stream.write("".join(f"{each}\n" for each in fresh))
        stream.flush()
        os.fsync(stream.fileno())


def remembered_people(settings: Settings, transaction: Transaction) -> list[PersonRow]:
    """Whom the file names and this database still knows: it is older than the file."""
    found = [person for each in read_forgotten(settings) if (person := transaction.find_person(each)) is not None]
    return [person for person in found if person.state != "forgotten"]
