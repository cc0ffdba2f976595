"""Text to moves and records, and back.

The Lark grammars in this folder define the notation; docs/notation.md explains it. Reading is lenient, writing is
canonical, and what cannot be read is a Fault, never an exception. Lark itself is imported only when a grammar must be
compiled. The names below are the public ones (docs/library.md).
"""

from notation.chunks import bounded_lines
from notation.faults import Fault
from notation.format_rules import RULES
from notation.phrasebook import Phrasebook
from notation.player_text import read_moves
from notation.reader import Reading, read_games, read_text
from notation.record import (
    ABOVE,
    ADJUDICATED,
    AGREED,
    ANNOTATION,
    COMMENT,
    GLYPH,
    LOSING,
    NORMAL,
    VARIATION,
    Ending,
    Entry,
    Left,
    Paused,
    Record,
    Remark,
    Resumed,
    Seated,
    Standing,
    Undone,
    Words,
)
from notation.table_words import (
    END,
    PAUSE,
    RESIGN,
    RESUME,
    SUBSTITUTE,
    UNDO,
    UNFINISHED,
    WORDS,
    read_result,
    write_result,
)
from notation.writer import write_entry, write_games, write_moves, write_record

__all__ = [
    "ABOVE",
    "ADJUDICATED",
    "AGREED",
    "ANNOTATION",
    "COMMENT",
    "END",
    "GLYPH",
    "LOSING",
    "NORMAL",
    "PAUSE",
    "RESIGN",
    "RESUME",
    "RULES",
    "SUBSTITUTE",
    "UNDO",
    "UNFINISHED",
    "VARIATION",
    "WORDS",
    "Ending",
    "Entry",
    "Fault",
    "Left",
    "Paused",
    "Phrasebook",
    "Reading",
    "Record",
    "Remark",
    "Resumed",
    "Seated",
    "Standing",
    "Undone",
    "Words",
    "bounded_lines",
    "read_games",
    "read_moves",
    "read_result",
    "read_text",
    "write_entry",
    "write_games",
    "write_moves",
    "write_record",
    "write_result",
]
