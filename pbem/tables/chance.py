"""Chance at a table: the Dealer whose draws follow from the seed and the table, and random moves for a silent seat.

At level 3 a draw waits for a round of a public beacon, which `name_round` names first. A Dealer that knows no tables,
as in rehearsals, is used as it is.
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
"""The entropy of a seat that never accepted, at a table that was imported from a record."""

_STAMP: Final = "%Y-%m-%dT%H:%M:%SZ"


class NoRoundError(Exception):
    """Nothing can be drawn before a round of the beacon is published."""


class GameDealer:
    """The Dealer of one game: every draw follows from the seed and from the state of the table.

    `beacon` and `now` are needed where draws depend on a beacon, to name the round that they wait for.
    """

    def __init__(self, seed: bytes, beacon: Beacon | None = None, now: datetime | None = None) -> None:
        self._seed = seed
        self._beacon = beacon
        self._now = now.astimezone(UTC) if now is not None else None

    @property
    def moment(self) -> str:
        """The moment of its draws, as events write it; empty if unknown."""
        return f"{self._now:{_STAMP}}" if self._now is not None else ""

    def at(self, table: Table) -> BoundDealer:
        """The Dealer for the present state of a table."""
        if must_await_round(self, table):
            raise NoRoundError(table.id)
        entropy = [table.entropy.get(seat, NO_ENTROPY) for seat in table.seats]
        value = table.rounds.value_at(self.moment)
        place = DrawPlace(table.id, table.epoch, table.moves.length, table.moves.head, value)
        return BoundDealer(draw_key(self._seed, table.id, entropy, table.rounds.first), place)

    def name_round(self, table: Table, seat: Seat) -> Draft | None:
        """The event that names the round a draw waits for; None if one was named already."""
        if (table.rounds.round and table.rounds.seat == seat) or self._beacon is None or self._now is None:
            return None
        number = round_for(self._beacon, self._now)
        out = f"{self._beacon.time_of(number):{_STAMP}}"
        return Draft(RoundAwaited(number, out, seat))

    def pick(self, count: int, purpose: str) -> int:
        """Refuse: a draw without a table could not be proved."""
        raise TypeError(f"a draw for {purpose} must be bound to a table")


def dealer_at(dealer: Dealer, table: Table) -> Dealer:
    """The Dealer for a draw at the present state of a table."""
    return dealer.at(table) if isinstance(dealer, GameDealer) else dealer


def must_await_round(dealer: Dealer, table: Table) -> bool:
    """Whether a draw at a table has to wait for a round of its beacon."""
    if not table.awaits_rounds or not isinstance(dealer, GameDealer):
        return False
    return table.rounds.value_at(dealer.moment) is None


def name_round(dealer: Dealer, table: Table, seat: Seat) -> Draft | None:
    """The event that names the round a draw waits for; None if one was named already."""
    return dealer.name_round(table, seat) if isinstance(dealer, GameDealer) else None


DEFAULT: Final = "default"
"""The name, in a table's terms, of the move that is played for a silent seat where it is legal, such as ``pass``."""


def random_moves(table: Table, seat: Seat, dealer: Dealer) -> str:
    """A turn of random legal moves for a silent seat, up to the point where others must answer."""
    game, position, moves = table.game, table.position, []
    dealer = dealer_at(dealer, table)
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        legal = [ply for ply in game.legal(position) if ply.seat == seat]
        ply: Ply = legal[dealer.pick(len(legal), "silence")]
        moves.append(ply.move)
        discloses, position = game.discloses(position, ply), game.apply(position, ply)
        if discloses or awaited(game, position, seat, ply.move):
            break  # a letter would stop here too, and all that is drawn must be played
    return write_moves(game, tuple(moves))
