"""The draws of a disputed turn: what each is bound to, and whether the committed seed brings it."""

from collections.abc import Iterable, Iterator

from pbem.cases.file import Drawn
from pbem.cases.history import History
from pbem.ledger.event import Event, phrase_of
from pbem.tables.redrawing import redraw


def prove_draws(history: History, events: Iterable[Event], seed: bytes, viewer: str) -> Iterator[Drawn]:
    """Draw again what chance has settled. The picks themselves are shown once the seed is open."""
    for event in events:
        table = history.before(event)
        redrawn = redraw(table, event, seed)
        if redrawn is None or not redrawn.picks:
            continue
        picks = [f"{pick.purpose}: {pick.outcome} of {pick.many}" for pick in redrawn.picks] if history.is_over else []
        said = phrase_of(event, None if history.is_over else viewer)
        yield Drawn(
            event.seq, said, table.epoch, table.moves.length, table.moves.head, redrawn.fits, picks=tuple(picks)
        )
