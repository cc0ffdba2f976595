"""What some entries changed in a record: which lines stand no longer, and which were written down."""

from collections.abc import Iterator

from notation import Record, write_entry
from pbem.judging.standing import standing_entries


def amendments(record: Record, first: int, last: int) -> Iterator[str]:
    """A diff of what entries `first` up to, without, `last` changed: ``-`` before a line that was taken back."""
    before, after = standing_entries(record.entries[:first]), standing_entries(record.entries[:last])
    stays = {id(entry) for entry in after}
    for entry in before:
        if id(entry) not in stays:
            yield f"- {write_entry(entry, record.game)}"
    for entry in record.entries[first:last]:
        yield f"+ {write_entry(entry, record.game)}"
