"""Who settles chance at a table: a Dealer that is bound, for every draw, to how the table stands then.

A Dealer that knows nothing of tables, as in a rehearsal, picks wherever it is asked.
"""

from typing import Final

from engine.chance import Dealer
from pbem.proof.draws import BoundDealer, Place, draw_key
from pbem.tables.table import Table

UNSTIRRED: Final = ""
"""What stands for the acceptance of a seat that never had to accept, at a table that was taken in from a record."""


class GameDealer:
    """The Dealer of one game, whose every draw follows from the seed and from the table as it is."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def at(self, table: Table) -> BoundDealer:
        """The Dealer for a table as it stands."""
        stirred = [table.stirred.get(seat, UNSTIRRED) for seat in table.seats]
        place = Place(table.id, table.epoch, table.moves.length, table.moves.head)
        return BoundDealer(draw_key(self._seed, table.id, stirred), place)

    def pick(self, count: int, purpose: str) -> int:
        """Never: a draw that is bound to no table proves nothing."""
        raise TypeError(f"a draw for {purpose} must be bound to a table")


def dealer_at(dealer: Dealer, table: Table) -> Dealer:
    """The Dealer for a draw at a table as it stands."""
    return dealer.at(table) if isinstance(dealer, GameDealer) else dealer
