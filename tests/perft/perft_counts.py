"""Counts of legal sequences, read from records: the ``Perft`` header lists how many of one, two, … plies there are."""

from pathlib import Path
from typing import NamedTuple

from notation import Record, read_text


class Count(NamedTuple):
    """One count of one record, and how many sequences there are one ply before the last."""

    record: Record
    depth: int
    expected: int
    inner: int


def read_counts(file: Path) -> list[Count]:
    """Every count of every record of a file."""
    counts = []
    for reading in read_text(file.read_text("utf-8")):
        assert reading.record is not None, reading.faults
        numbers = [1, *map(int, (reading.record.header("Perft") or "").split())]
        for depth in range(1, len(numbers)):
            counts.append(Count(reading.record, depth, numbers[depth], numbers[depth - 1]))
    return counts


def name(count: Count) -> str:
    """A count in the names of tests."""
    return f"{count.record.header('Id')}-{count.depth}"
