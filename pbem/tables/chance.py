"""Who settles chance at a table: a Dealer that is bound, for every draw, to how the table stands then.

A Dealer that knows nothing of tables, as in a rehearsal, picks wherever it is asked.

What is played for a seat that does not answer: what its table declared for that, or legal moves by chance.

Chance at a table: who settles it, what it is bound to, what it plays for the silent, and draws made again.
"""

from datetime import UTC, datetime
from typing import Final

from engine.chance import Dealer
from engine.game import Ply, Seat
from notation import write_moves
from pbem.events.chain import Draft
from pbem.events.kinds import RoundAwaited
from pbem.judging.submission import awaited
from pbem.proof.draws import BoundDealer, DrawPlace, draw_key
from pbem.proof.public_beacon import Beacon, round_for
from pbem.tables.table import Table

NO_ENTROPY: Final = ""
"""What stands for the acceptance of a seat that never had to accept, at a table that was taken in from a record."""

_STAMP: Final = "%Y-%m-%dT%H:%M:%SZ"


class NoRoundError(Exception):
    """A draw at a table that must await a round of its beacon first."""


class GameDealer:
    """The Dealer of one game, whose every draw follows from the seed and from the table as it is.

    Where draws are bound to a beacon, it takes the hour to name the round that they wait for.
    """

    def __init__(self, seed: bytes, beacon: Beacon | None = None, now: datetime | None = None) -> None:
        self._seed = seed
        self._beacon = beacon
        self._now = now.astimezone(UTC) if now is not None else None

    @property
    def moment(self) -> str:
        """When it deals, as events write it; empty if it does not know."""
        return f"{self._now:{_STAMP}}" if self._now is not None else ""

    def at(self, table: Table) -> BoundDealer:
        """The Dealer for a table as it stands."""
        if must_await_round(self, table):
            raise NoRoundError(table.id)
        entropy = [table.entropy.get(seat, NO_ENTROPY) for seat in table.seats]
        value = table.rounds.value_at(self.moment)
        place = DrawPlace(table.id, table.epoch, table.moves.length, table.moves.head, value)
        return BoundDealer(draw_key(self._seed, table.id, entropy, table.rounds.first), place)

    def name_round(self, table: Table, seat: Seat) -> Draft | None:
        """Name the round that a draw waits for; None if one was named for it already."""
        if (table.rounds.round and table.rounds.seat == seat) or self._beacon is None or self._now is None:
            return None
        number = round_for(self._beacon, self._now)
        out = f"{self._beacon.time_of(number):{_STAMP}}"
        return Draft(RoundAwaited(number, out, seat))

    def pick(self, count: int, purpose: str) -> int:
        """Never: a draw that is bound to no table proves nothing."""
        raise TypeError(f"a draw for {purpose} must be bound to a table")


def dealer_at(dealer: Dealer, table: Table) -> Dealer:
    """The Dealer for a draw at a table as it stands."""
    return dealer.at(table) if isinstance(dealer, GameDealer) else dealer


def must_await_round(dealer: Dealer, table: Table) -> bool:
    """Whether nothing can be drawn at a table before a round of its beacon is out."""
    if not table.awaits_rounds or not isinstance(dealer, GameDealer):
        return False
    return table.rounds.value_at(dealer.moment) is None


def name_round(dealer: Dealer, table: Table, seat: Seat) -> Draft | None:
    """Name the round that a draw waits for; None if one was named for it already."""
    return dealer.name_round(table, seat) if isinstance(dealer, GameDealer) else None


DEFAULT: Final = "default"
"""What a table's terms call the move that is made for a silent seat where it is legal, such as ``pass``."""


def random_moves(table: Table, seat: Seat, dealer: Dealer) -> str:
    """A turn of random legal moves, for a seat that does not answer, as far as it goes without answers of others."""
    game, position, moves = table.game, table.position, []
    dealer = dealer_at(dealer, table)
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        legal = [ply for ply in game.legal(position) if ply.seat == seat]
        ply: Ply = legal[dealer.pick(len(legal), "silence")]
        moves.append(ply.move)
        discloses, position = game.discloses(position, ply), game.apply(position, ply)
        if discloses or awaited(game, position, seat, ply.move):
            break  # a letter would stop here too, and what is drawn must be what is played
    return write_moves(game, tuple(moves))
