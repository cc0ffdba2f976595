"""What a player sends: one phrase, without number or seat."""

from typing import Any

from engine.game import Game
from notation import limits
from notation.chunks import Chunk
from notation.explain import Slips
from notation.faults import Fault
from notation.lalr.automaton import Unexpected
from notation.phrases import phrases


def read_moves(game: Game[Any], text: str) -> tuple[Any, ...] | Fault:
    """The moves of one turn, or what could not be understood. Line ends count as blanks."""
    reader = phrases(game.key)
    if reader is None:
        raise LookupError(f"{game.key} has no phrasebook")
    line = text.replace("\n", " ")
    phrase = line.strip()
    moves = reader.read(phrase) if 0 < len(phrase) <= limits.LINE else None
    if moves is not None and not isinstance(moves, Unexpected):
        return moves
    slips = Slips(Chunk(1, line), faults := list[Fault]())
    if moves is not None:
        slips.misread_phrase(moves, phrase, line.index(phrase), reader=reader)
    elif phrase:
        slips.note("NT-F3", limits.LINE, read="", example=reader.book.example)
    else:
        slips.note("NT-T2", 0, read="", expected=("a move",), example=reader.book.example)
    return faults[0]
