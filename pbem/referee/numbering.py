"""Turn numbers for entries that were written without: what a lenient record leaves out, a canonical one says."""

from engine.game import Ply
from engine.replay import run
from notation import Record
from pbem.referee.closing import END
from pbem.referee.opening import open_table
from pbem.referee.refusal import Refusal


def number(record: Record) -> Record:
    """The record with a number before every entry, as far as it is legal; numbers that stand are left alone."""
    if all(entry.number is not None for entry in record.entries):
        return record
    opening = open_table(record)
    if isinstance(opening, Refusal):
        return record
    table = run(*opening)
    entries = list(record.entries)
    for index, entry in enumerate(entries):
        if entry.number is None:
            entries[index] = entry._replace(number=table.turn)
        if entry.who == END or any(table.advance(Ply(entry.who, move)) is not None for move in entry.moves):
            break
    return Record(record.headers, tuple(entries), record.afterword)
