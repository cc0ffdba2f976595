"""From lines to records, one game at a time.

Most lines of most records are plain and canonical: turns made of pieces that were all read before, or lines that one
regular expression out of the grammar recognises as such. All others are read carefully (`turns.py`). Each way means
the same, and no text makes this module raise: what cannot be read is told in the Reading of its game.
"""

import re
from collections.abc import Iterable, Iterator

from notation.chunks import BOM, HEADER, Chunk, Source, is_blank, shell
from notation.game_in_hand import GameInHand, Reading


def read_text(text: str) -> list[Reading]:
    """All games in a text."""
    return list(read_games(text.split("\n")))


def read_games(lines: Iterable[str]) -> Iterator[Reading]:
    """The games in some lines, one after the other; only the one being read is held in memory.

    Nothing that is read refers to itself, so who reads an archive may switch the garbage collector off meanwhile.
    """
    source = Source(lines)
    is_turn = re.compile(shell().regexp("PLAIN_TURN")).fullmatch
    is_remarked = re.compile(f"({shell().regexp('PLAIN_TURN')})({shell().regexp('PLAIN_REMARKS')})").fullmatch
    is_header = re.compile(shell().regexp("PLAIN_HEADER")).fullmatch
    game = GameInHand(1)
    for line in source.lines:
        if line is None:
            break
        if game.take_known(line, source.number):
            continue
        if is_turn(line):
            if game.take_turn(line, "", source.number):
                continue
        elif (remarked := is_remarked(line)) and game.take_turn(remarked[1], remarked[2], source.number):
            continue
        line = line.removeprefix(BOM)
        if HEADER.match(line):
            if game.ends_before(line):
                yield game.reading()
                game = GameInHand(source.number)
                source.single = False
            game.take_headers(Chunk(source.number, line), plain=is_header(line) is not None)
        elif is_blank(line):
            game.take_blank()
        elif not game.is_given_up:
            game.take_line(source.gather(line))
    if not game.is_empty:
        yield game.reading()
