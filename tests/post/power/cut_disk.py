"""What may be left on a disk when the power goes.

Whatever was synced is there. Of what was written after that, each sector may be there or not, whatever its place in the
order; a file that was never synced may be missing altogether. This is the worst that an honest disk does.
"""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.post.power.recorded_disk import Entry, Note, Sync, Truncate, Write

SECTOR = 512


@dataclass
class File:
    """A file: what is safe of it, and what was done to it since."""

    safe: bytearray = field(default_factory=bytearray)
    since: list[Write | Truncate] = field(default_factory=list)
    is_there: bool = False
    """Whether the file itself is safe."""

    def sync(self) -> None:
        for done in self.since:
            _do(self.safe, done)
        self.since.clear()
        self.is_there = True

    def after_a_cut(self, chance: Random) -> bytes | None:
        """What is left; None if the file is not."""
        if not self.is_there and chance.random() < 0.5:
            return None
        left = bytearray(self.safe)
        kept = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for done in self.since:
            for part in _sectors(done):
                if chance.random() < kept:
                    _do(left, part)
        return bytes(left)


class CutDisk:
    """The files of a database, as a trace leaves them."""

    def __init__(self, database: Path) -> None:
        self.files = {database.name: File(bytearray(database.read_bytes()), is_there=True)}

    def take(self, entry: Entry) -> None:
        """The next entry of the trace."""
        match entry:
            case Write() | Truncate():
                self.files.setdefault(entry.file, File()).since.append(entry)
            case Sync():
                self.files.setdefault(entry.file, File()).sync()
            case Note():
                pass

    def unsafe(self) -> set[str]:
        """The files to which something was done that is not safe."""
        return {name for name, file in self.files.items() if file.since}

    def lose_power(self, chance: Random, folder: Path) -> None:
        """Lay down what may be left now."""
        for name, file in self.files.items():
            left = file.after_a_cut(chance)
            if left is not None:
                (folder / name).write_bytes(left)


def _do(content: bytearray, done: Write | Truncate) -> None:
    match done:
        case Write(_, at, written):
            content.extend(bytes(max(0, at - len(content))))
            content[at : at + len(written)] = written
        case Truncate(_, length):
            del content[length:]


def _sectors(done: Write | Truncate) -> list[Write | Truncate]:
    """The parts of a write that reach the disk each by itself."""
    if isinstance(done, Truncate):
        return [done]
    parts: list[Write | Truncate] = []
    at, end = done.at, done.at + len(done.content)
    while at < end:
        upto = min(end, at // SECTOR * SECTOR + SECTOR)
        parts.append(Write(done.file, at, done.content[at - done.at : upto - done.at]))
        at = upto
    return parts
