"""The annals of a game: its events out of the store, and only if each holds on to the one before, up to the head.

Whoever works on a history that somebody has touched would sign what never happened. So it is not given out at all.
"""

from pbem.events.chain import Event, first_broken
from pbem.store.transaction import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.workflow.context import to_event


def read_events(transaction: Transaction, game: str) -> tuple[Event, ...]:
    """All events of a game in order, none without such a game; BrokenHistoryError if they are not what happened."""
    row = transaction.find_game(game)
    if row is None:
        return ()
    try:
        events = tuple(map(to_event, transaction.load_events(game)))
        broken = first_broken(events)
    except (AttributeError, TypeError, ValueError, RecursionError):
        raise BrokenHistoryError(f"{game}: an event cannot be read") from None
    if broken is not None:
        raise BrokenHistoryError(f"{game}: event {broken} does not fit the chain")
    if (events[-1].seq, events[-1].hash) != (row.head_seq, row.head_hash) if events else row.head_seq:
        raise BrokenHistoryError(f"{game}: its last events are gone, up to event {row.head_seq}")
    return events
