"""Tables that were on a desk lately, so that the next letter need not fold them from their events again.

A table is found by the hash of its last event, which names its whole history: one that was laid aside by a
transaction that never happened is simply not found.
"""

from collections import OrderedDict
from typing import Final, NamedTuple

from pbem.events.chain import Event
from pbem.tables.table import Table

ROOM: Final = 256
"""Tables kept before the one that was not needed for longest goes."""


class Laid(NamedTuple):
    """A table, and the events that made it."""

    table: Table
    events: tuple[Event, ...]


class Shelf:
    """Keeps a few tables by the head of their chain."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Laid] = OrderedDict()

    def find(self, game: str, head: str) -> Laid | None:
        """The table of a game whose last event has this hash."""
        found = self._kept.get((game, head))
        if found is not None:
            self._kept.move_to_end((game, head))
        return found

    def keep(self, laid: Laid) -> None:
        """Lay a table aside for the next letter."""
        self._kept[laid.table.id, laid.table.head] = laid
        while len(self._kept) > ROOM:
            self._kept.popitem(last=False)
