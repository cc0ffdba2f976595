"""What is played for a seat that does not answer: what its table declared for that, or legal moves by chance."""

from typing import Final

from engine.chance import Dealer
from engine.game import Ply, Seat
from notation import write_moves
from pbem.judging.submission import awaited
from pbem.tables.chance import dealer_at
from pbem.tables.table import Table

DEFAULT: Final = "default"
"""What a table's terms call the move that is made for a silent seat where it is legal, such as ``pass``."""


def chosen_by_chance(table: Table, seat: Seat, dealer: Dealer) -> str:
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
