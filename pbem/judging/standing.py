"""Which entries of a record still stand: those that no later ``undo`` took back.

Nothing is ever taken out of a record, so whoever needs the game as it is now asks here.
"""

from collections.abc import Iterable

from notation import UNDO, WORDS, Entry


def standing_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The turns that make up the game as it is now, in order; words of the table are left out."""
    line: list[Entry] = []
    for entry in entries:
        if entry.who == UNDO:
            (undone,) = entry.moves
            line = [earlier for earlier in line if (earlier.number or 0) < undone.turn]
        elif entry.who not in WORDS:
            line.append(entry)
    return line
