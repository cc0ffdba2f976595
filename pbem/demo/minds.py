"""What goes on in a player's head: moves that seem good, as many as can be sent before chance or others speak.

A mind looks at the table over the shoulder of the post, since that is quicker than reading the mails; it uses nothing
that its seat may not know.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.chance import Dealer
from engine.game import Seat
from notation import write_moves
from pbem.judging.lookahead import choose
from pbem.judging.submission import awaited, judge_at
from pbem.tables.table import Table


class Thought(NamedTuple):
    """Moves to send, and how they are written."""

    moves: tuple[Any, ...]
    phrase: str


def think(table: Table, seat: Seat, dealer: Dealer) -> Thought:
    """What a seat that is due would send."""
    game, position = table.game, table.position
    moves: list[Any] = []
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        ply = choose(game, position, dealer, seat)
        moves.append(ply.move)
        position = game.apply(position, ply)
        if awaited(game, position, seat, ply.move):
            break
    return Thought(tuple(moves), write_moves(game, tuple(moves)))


def blunder(table: Table, seat: Seat, played: Sequence[str]) -> str | None:
    """Something that others have played and that would be illegal now; None if nothing would."""
    for phrase in reversed(played):
        if not judge_at(table.game, table.position, seat, phrase).stands:
            return phrase
    return None
