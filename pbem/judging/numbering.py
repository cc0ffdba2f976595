"""Turn numbers for entries that were written without: what a lenient record leaves out, a canonical one says."""

from notation import Entry, Record
from pbem.judging.replay_record import hear


def number(record: Record) -> Record:
    """The record with a number before every entry, as far as it is legal."""
    if all(entry.number is not None for entry in record.entries):
        return record
    numbered = list(record.entries)
    heard = 0

    def write(entry: Entry, turn: int, _: object) -> None:
        nonlocal heard
        numbered[heard] = entry._replace(number=turn)
        heard += 1

    hear(record, watch=write)
    return Record(record.headers, tuple(numbered), record.afterword)
