"""Moves written as a list: lines, or parts of one line, numbered 1, 2 and so on.

The number of a single move may be a turn's, as in a record, and then the move is never played; a list that counts from
one is only a list.
"""

import re
from typing import Final

from engine.game import GameRules
from pbem.mail.commands.letter_line import LetterLine
from pbem.mail.commands.parse_moves import parse_turn
from pbem.mail.commands.prepared_lines import prepare
from pbem.tables.play import Pending

_ITEM: Final = re.compile(r"\s*([1-9][0-9]?)\s?[.)]\s*(\S.*)")
_INLINE_ITEM: Final = re.compile(r"(?:\A|(?<=[\s,;/]))/?\s?([1-9])[.)](?=\s?[^\W\d_])")
_SHORTEST: Final = 2


def drop_list_numbers(lines: list[str], game: GameRules | None, pending: Pending | None) -> list[str]:
    """The lines of a letter; moves that are numbered from one are a list, and lose their numbers."""
    if game is None:
        return lines
    read, run = list(lines), list[tuple[int, str]]()
    for at, line in enumerate([*lines, "."]):
        item = _ITEM.fullmatch(line)
        if item is not None and int(item[1]) == len(run) + 1 and _is_item(game, line, item[2], pending):
            run.append((at, item[2]))
        elif line.strip():
            for place, text in run if len(run) > 1 else ():
                read[place] = text
            run = []
    return [_INLINE_ITEM.sub(" ", line) if _is_inline_list(game, line, pending) else line for line in read]


def _is_item(game: GameRules, line: str, text: str, pending: Pending | None) -> bool:
    """Whether a line is a move only without its number."""
    bare = LetterLine(0, text).bare
    return parse_turn(game, line) is None and parse_turn(game, prepare(game, bare, pending)) is not None


def _is_inline_list(game: GameRules, line: str, pending: Pending | None) -> bool:
    numbers = [int(found[1]) for found in _INLINE_ITEM.finditer(line)]
    if len(numbers) < _SHORTEST or numbers != list(range(1, len(numbers) + 1)):
        return False
    return _is_item(game, line, _INLINE_ITEM.sub(" ", line), pending)
