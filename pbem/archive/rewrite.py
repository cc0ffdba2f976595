"""One game of a record file replaced by another, while other programs may do the same.

The file is locked, read, and replaced in one step by a version in which every other game stands as it stood, to the
byte. Whoever waits for the lock reads what was written meanwhile, so nothing that anybody wrote is lost.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias

from notation import Record, read_games
from notation.reader import Reading
from notation.writer import write_record
from pbem.archive.files import FileDraft
from pbem.archive.packed import GZIP, ZSTD
from pbem.archive.source import UnreadableFile, reason_for

Change: TypeAlias = Callable[[Reading], Record | str | None]
"""Gives a game as it is to be; None if it stays; or why it cannot be changed."""


class Rewritten(NamedTuple):
    """The game as it stands in the file now; or why nothing was written."""

    record: Record | None
    problem: str = ""


def rewrite_game(path: Path, number: int, change: Change, *, into: Path | None = None) -> Rewritten:
    """Change game `number` of a file, counted from 1.

    With `into` the file itself stays, and its copy with that name is changed, which is made if it is not there.
    """
    with _locked(path):
        if into is None:
            return _rewrite(path, path, number, change)
        if not into.exists():
            return _rewrite(path, into, number, change)
        with _locked(into):
            return _rewrite(into, into, number, change)


def _rewrite(path: Path, target: Path, number: int, change: Change) -> Rewritten:
    text = _text_of(path)
    before = list(read_games(text.split("\n")))
    if len(before) < number:
        return Rewritten(None, f"{path}: has no game number {number}; it holds {len(before)}")
    reading = before[number - 1]
    made = change(reading)
    if made is None or isinstance(made, str):
        return Rewritten(reading.record, made or "")
    lines = text.split("\n")
    begin = reading.line - 1
    end = before[number].line - 1 if number < len(before) else len(lines)
    while end > begin and not lines[end - 1].strip():
        end -= 1
    changed = "\n".join([*lines[:begin], write_record(made).removesuffix("\n"), *lines[end:]])
    after = list(read_games(changed.split("\n")))
    others = [each.record for each in (*before[: number - 1], *before[number:])]
    if len(after) != len(before) or [each.record for each in (*after[: number - 1], *after[number:])] != others:
        return Rewritten(reading.record, f"{path}: other games in it would change; give this game a file of its own")
    if after[number - 1].record != made:
        return Rewritten(reading.record, f"{path}: the game would be read as something else, and nothing was written")
    with FileDraft(str(target), private=_is_private(path)) as draft:
        draft.write(changed)
        draft.publish()
    return Rewritten(made)


def _text_of(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise UnreadableFile(f"{path}: {reason_for(problem)}", misuse=True) from problem
    if content.startswith((GZIP, ZSTD)):
        raise UnreadableFile(f"{path}: is packed, and so cannot be written into; unpack it first", misuse=True)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise UnreadableFile(f"{path}: is not a text in UTF-8", misuse=False) from problem


def _is_private(path: Path) -> bool:
    """Whether only the owner may read a file; then the same holds for a copy."""
    return not path.stat().st_mode & 0o077


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a file that others may replace while they hold it."""
    while True:
        try:
            handle = os.open(path, os.O_RDONLY)
        except OSError as problem:
            raise UnreadableFile(f"{path}: {reason_for(problem)}", misuse=True) from problem
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
                yield
                return
        finally:
            os.close(handle)
