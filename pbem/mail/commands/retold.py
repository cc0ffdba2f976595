"""Lines of prose that tell the move of the same letter once more: *Marsh turns wool into brick, then flip him*.

Such a line looks like a move that cannot be read, and would be asked about. But if all that it names of the game stands
in the one legal turn that was read elsewhere, it is only talk about that turn; then the letter is pencilled. A line
that names anything else stays a question.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.game import GameRules
from notation.phrases import Phrases, phrases
from pbem.mail.commands import letter_rules
from pbem.mail.commands.letter_line import LetterLine, UnreadLine
from pbem.mail.commands.parse_moves import is_near_word_of
from pbem.mail.commands.submit_moves import Play
from pbem.mail.commands.weigh_prose import MoveNeighbour
from pbem.tables.play import Pending

_WORD: Final = re.compile(r"\w+(?:['\u2019-]\w+)*")
_PRONOUNS: Final = frozenset(("I", "A"))
"""Words of one letter that are no regions."""
_LONGEST: Final = 160
"""Characters of a line that may be such talk; of a longer one only the beginning is kept."""
_FEWEST: Final = 2
"""Things that it names."""


def pass_over_retold(
    unread: Sequence[UnreadLine],
    beside: Sequence[MoveNeighbour],
    play: Play | None,
    game: GameRules | None,
    pending: Pending | None,
) -> tuple[list[UnreadLine], list[MoveNeighbour]]:
    """The lines that were not read, and all lines beside the moves, with those that tell the turn again as prose."""
    reader = phrases(game.key) if game is not None else None
    asked = [line for line in unread if line.question is not None]
    if play is None or game is None or reader is None or pending is None or not pending.allows(play.text):
        return [*unread], [*beside]
    retells = [line.why == letter_rules.L1 and _retells(game, reader, line.text, play.text) for line in asked]
    if not asked or not all(retells):
        return [*unread], [*beside]
    talk = {line.line: replace(line, why=letter_rules.L7, fault=None, question=None) for line in asked}
    told = [MoveNeighbour(LetterLine(line.line, line.text), line, is_retold=True) for line in talk.values()]
    return [talk.get(line.line, line) for line in unread], sorted([*beside, *told], key=lambda each: each.line.number)


def _retells(game: GameRules, reader: Phrases, text: str, move: str) -> bool:
    """Whether all that a line names of the game is in a move, and it names several things."""
    tokens = reader.parser.tokens(move, "moves")
    if tokens is None or len(text) > _LONGEST:
        return False
    own = {token.kind for token in tokens}
    own |= {said for said, kind in reader.book.retold.items() if kind in own}
    placed = {word.upper() for word in re.findall(r"[0-9]+|[A-Z][0-9]*(?![A-Za-z])", move)}
    named = 0
    for word in _WORD.findall(text):
        if any(map(str.isdigit, word)):
            numbers = re.findall(r"[A-Z]?[0-9]+", word.upper())
            if not numbers or not placed.issuperset(numbers):
                return False
            named += 1
        elif len(word) == 1:
            if word.isascii() and word.isupper() and word not in _PRONOUNS and word not in placed:
                return False
        elif kinds := _kinds(game.key, word):
            if not kinds & own:
                return False
            named += 1
        elif is_near_word_of(game, word):
            return False
    return named >= _FEWEST


@lru_cache(maxsize=2_048)
def _kinds(key: str, word: str) -> frozenset[str]:
    """Which terminals with a meaning a word can be."""
    reader = phrases(key)
    tables = reader.parser.tables if reader is not None else None
    terminals = tables.terminals if tables is not None else ()
    ignored = tables.ignored if tables is not None else ()
    fitting = {each.name for each in terminals if re.fullmatch(each.regexp, word)}
    return frozenset() if fitting.intersection(ignored) else frozenset(fitting)
