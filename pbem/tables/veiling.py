"""Moves made into events of which everybody may read the public part.

What the game hides from others is sealed, with the names of those who may read all of it. Who is told what in
which words is for the letters.
"""

from typing import Any

from engine.game import CHANCE, PUBLIC, Seat
from notation import Fault, read_moves, write_moves
from pbem.events.chain import Draft, Sealed
from pbem.events.moves import PLIES
from pbem.judging.entries import tell_moves
from pbem.tables.table import Table


def make_draft(table: Table, seat: Seat, moves: tuple[Any, ...], *, by: str, letter: str = "") -> Draft:
    """Legal moves of a seat, or of chance, as an event."""
    game, position = table.game, table.position
    told = tell_moves(game, position, seat, moves, PUBLIC)
    sealed = None
    if hidden := [at for at, move in enumerate(moves) if told[at] != move]:
        readers = [each for each in table.seats if tell_moves(game, position, seat, moves, each) == moves]
        fields = tuple((str(at), write_moves(game, (moves[at],))) for at in hidden)
        sealed = Sealed(write_moves(game, moves), tuple(readers), fields)
    data = {"seat": seat, "turn": table.turn, "phrase": write_moves(game, told), "by": by, "letter": letter}
    if len(told) > 1:
        data[PLIES] = [write_moves(game, (move,)) for move in told]
    return Draft("dealt" if seat == CHANCE else "played", data, sealed)


def veil(table: Table, draft: Draft) -> Draft:
    """A draft of moves that was made without looking at the game, as `make_draft` would have made it."""
    if draft.kind not in ("played", "dealt"):
        return draft
    data = draft.data
    moves = read_moves(table.game, draft.phrase)
    if isinstance(moves, Fault):
        raise ValueError(f"moves that were heard cannot be read: {draft.phrase}")
    return make_draft(table, data["seat"], moves, by=data["by"], letter=data["letter"])
