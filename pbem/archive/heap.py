"""The files of an archive: folders are looked through, and lists of names are read.

A folder means every record file below it, by name: `*.turns`, also packed as `.gz` or `.zst`. Files that are named one
by one may be called anything.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pbem.archive.source import STDIN, UnreadableFile, reason_for

RECORD_FILE: Final = re.compile(r"(?!\.).*\.turns(\.gz|\.zst)?", re.IGNORECASE)
"""What record files are called in a folder; hidden ones are somebody's drafts."""


def list_record_files(names: Iterable[str]) -> Iterator[str | UnreadableFile]:
    """The names of all record files: a folder gives those below it in order, or why it has none."""
    for name in names:
        if name == STDIN or not Path(name).is_dir():
            yield name
            continue
        found = False
        for each in _walk(name):
            found = True
            yield each
        if not found:
            says = "is a folder without record files (*.turns, *.turns.gz, *.turns.zst)"
            yield UnreadableFile(f"{name}: {says}", misuse=True)


def _walk(folder: str) -> Iterator[str | UnreadableFile]:
    problems: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=problems.append, followlinks=False):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        yield from (str(Path(parent, each)) for each in sorted(files) if RECORD_FILE.fullmatch(each))
        while problems:
            problem = problems.pop()
            yield UnreadableFile(f"{problem.filename}: {reason_for(problem)}", misuse=True)


def read_file_list(name: str) -> list[str]:
    """The names in a list of files, one a line, or parted by null bytes as `find -print0` does it."""
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except IsADirectoryError:
        raise UnreadableFile(f"{name}: is a folder; name a file with one name a line", misuse=True) from None
    except OSError as problem:
        raise UnreadableFile(f"{name}: {reason_for(problem)}", misuse=True) from problem
    parts = data.split(b"\0") if b"\0" in data else [line.rstrip(b"\r") for line in data.split(b"\n")]
    return [os.fsdecode(part) for part in parts if part.strip()]
