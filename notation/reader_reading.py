"""From lines to records, one game at a time.

Most lines of most records are plain and canonical: turns made of pieces that were all read before, or lines that one
regular expression out of the grammar recognises as such. All others are read carefully (`turns.py`). Each way means
the same, and no text makes this module raise: what cannot be read is told in the Reading of its game.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from notation.chunks import BOM, HEADER, Chunk, Source, is_blank, shell
from notation.reader import GameInHand, Reading


def read_text(text: str) -> list[Reading]:
    """All games in a text."""
    return list(read_games(text.split("\n")))


def read_games(lines: Iterable[str]) -> Iterator[Reading]:
    """The games in some lines, one after the other; only the one being read is held in memory.

    Nothing that is read refers to itself, so who reads an archive may switch the garbage collector off meanwhile.
    """
    source = Source(lines)
    is_plain = re.compile(shell().regexp("PLAIN_HEADER")).fullmatch
    game = GameInHand(1)
    for line in source.lines:
        if line is None:
            break
        if game.take_known(line, source.number):
            continue
        line = line.removeprefix(BOM)
        if HEADER.match(line):
            if game.ends_before(line):
                yield game.reading()
                game = GameInHand(source.number)
                source.single = False
            game.take_headers(Chunk(source.number, line), plain=is_plain(line) is not None)
        elif is_blank(line):
            game.take_blank()
        elif not _take_plain(game, line, source.number) and not game.is_given_up:
            game.take_line(source.gather(line))
    if not game.is_empty:
        yield game.reading()


def _take_plain(game: GameInHand, line: str, number: int) -> bool:
    """Give a game a turn in plain form, with or without remarks after it; False when it must be read carefully."""
    found = _plain_turn()(line)
    return found is not None and game.take_turn(found[1], found[2] or "", number)


@cache
def _plain_turn() -> Callable[[str], re.Match[str] | None]:
    """Recognises a turn in plain form, and parts its remarks from it."""
    turn, remarks = shell().regexp("PLAIN_TURN"), shell().regexp("PLAIN_REMARKS")
    return re.compile(f"({turn})({remarks})?").fullmatch
