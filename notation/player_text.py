"""What a player sends: one phrase without number or seat, or a standing order.

Standing orders are what a player wants done whenever it is possible. Which there are is for the game to say, and its
grammar reads them; a game without them reads none. What they lead to is not known here.
"""

import re
from functools import lru_cache

from engine.game import GameRules
from notation import chunks
from notation.chunks import Chunk
from notation.explain import FaultLog
from notation.faults import Fault
from notation.lalr.parser import Unexpected
from notation.lookalikes import plain
from notation.phrasebook import BARE_STANDING, STANDING, find_phrasebook
from notation.phrases import Phrases, phrases


def read_moves(game: GameRules, text: str) -> tuple[object, ...] | Fault:
    """The moves of one turn, or what could not be understood. Line ends count as blanks."""
    reader = phrases(game.key)
    if reader is None:
        raise LookupError(f"{game.key} has no phrasebook")
    line = text.replace("\n", " ")
    phrase = line.strip()
    moves = reader.read(phrase) if 0 < len(phrase) <= chunks.LINE else None
    if moves is not None and not isinstance(moves, Unexpected):
        return moves
    fault_log = FaultLog(Chunk(1, line), faults := list[Fault]())
    if moves is not None:
        fault_log.misread_phrase(moves, phrase, line.index(phrase), reader=reader)
    elif phrase:
        fault_log.note("NT-F3", chunks.LINE, read="", example=reader.book.example)
    else:
        fault_log.note("NT-T2", 0, read="", expected=("a move",), example=reader.book.example)
    return faults[0]


def has_standing_orders(game: GameRules) -> bool:
    """Whether a game knows standing orders at all."""
    return _reader(game.key, STANDING) is not None


def read_standing(game: GameRules, text: str) -> object:
    """One standing order, or the Fault that keeps a text from being one; None if the game knows none."""
    reader = _reader(game.key, STANDING)
    if reader is None:
        return None
    read = reader.parse(text)
    if not isinstance(read, Unexpected):
        return read.moves[0]
    fault_log = FaultLog(Chunk(1, text), faults := list[Fault]())
    fault_log.misread_phrase(read, text, 0, reader=reader)
    return faults[0]


def may_be_standing(game: GameRules, text: str) -> bool:
    """Whether a line has words in it that `is_bare_standing` may know. Cheap, because it is asked of every line."""
    openings = _openings(game.key)
    return openings is not None and openings.search(plain(text)) is not None


def is_bare_standing(game: GameRules, text: str) -> bool:
    """Whether a line can only be a standing order, even if nothing announces it."""
    reader = _reader(game.key, BARE_STANDING)
    return reader is not None and not isinstance(reader.parse(text), Unexpected)


def write_standing(game: GameRules, order: object) -> str:
    """A standing order in canonical form."""
    book = find_phrasebook(game.key)
    if book is None:
        raise LookupError(f"{game.key} has no phrasebook")
    return book.text(order)


@lru_cache(maxsize=64)
def _openings(key: str) -> re.Pattern[str] | None:
    reader = _reader(key, BARE_STANDING)
    return None if reader is None else re.compile(reader.parser.openings(reader.start))


@lru_cache(maxsize=64)
def _reader(key: str, start: str) -> Phrases | None:
    book = find_phrasebook(key)
    return Phrases(book, start=start) if book is not None and start in book.starts else None
