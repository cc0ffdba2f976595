"""A word or two beside moves that may be a move as well, with a slip of the finger in it.

Longer prose is weighed as prose. But *lilac B4, lemn C5* must not be played as two lilac camels, and *guard 3, edn* not
without its end: nobody writes a word or two of small talk that is nearly a word of the game.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Final

from engine.game import GameRules
from notation.explain import find_meant
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases
from notation.speech import is_word_of_moves
from pbem.mail.commands.parse_moves import count_words_of
from pbem.mail.commands.vocabulary import holds_doubt, patterns, small_talk

_FEW: Final = 2
_PLACES: Final = ("anywhere", "above", "below", "before", "after", "right_after", "between")
ENDS: Final = ("end", "pass")
"""Moves after which somebody else is next: read alone by mistake, they cost a turn."""
_ALIKE: Final = 0.6
_LONGEST: Final = 12
"""Letters of a word in which slips are looked for; hardly a word of moves is longer."""
_WORD: Final = re.compile(r"\w[\w-]*")
_JOINS: Final = re.compile(
    "and|then|en|dan|i|oraz|potem|\u0438|\u043f\u043e\u0442\u043e\u043c|\u05d5\u05d0\u05d6|\u05d0\u05d6", re.IGNORECASE
)
"""Words between two moves."""
_CLAUSE: Final = re.compile(r"[.!?,;:()]")
_LETTER: Final = re.compile(r"[B-HJ-Zb-hj-z]")


@cache
def _denials() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{patterns('moves', 'denials')})(?!\w)", re.IGNORECASE)


def is_misspelt(game: GameRules, reader: Phrases, line: str, beside: str) -> bool:
    """Whether what stands beside the moves of a line, one word or two, may belong to them."""
    words = [word for word in _WORD.findall(beside) if not _JOINS.fullmatch(word)]
    if not 0 < len(words) <= _FEW or holds_doubt(beside, *_PLACES):
        return False  # words that are known to put moves in doubt are no slips
    if any(map(str.isdigit, beside)):
        return True
    if any(small_talk().knows(word.lower()) for word in words):
        return False
    if any(_LETTER.fullmatch(word) for word in words):
        return True
    strange = [word.lower() for word in words if not is_word_of_moves(game.key, word)]
    slips = (slip for word in strange for slip in _slips(word) if len(slip) > _FEW)
    if any(is_word_of_moves(game.key, slip) for slip in slips):
        return True
    placed = reader.parse(line)
    if not isinstance(placed, Unexpected):
        return False
    read, meant = find_meant(reader, line, placed)
    return bool(meant) and SequenceMatcher(None, read.lower(), meant).ratio() >= _ALIKE


def is_end_alone(game: GameRules, reader: Phrases, moves: Sequence[object], beside: str) -> bool:
    """Whether only the end of a turn was read, and what stands beside it may be the rest of that turn.

    What is not done is no rest: *I buy nothing today. End of turn*.
    """
    if not moves or any(reader.book.text(move) not in ENDS for move in moves):
        return False
    if any(map(str.isdigit, beside)):
        return True
    told = (clause for clause in _CLAUSE.split(beside) if count_words_of(game, clause))
    return any(_denials().search(clause) is None for clause in told)


def _slips(word: str) -> Iterator[str]:
    """What a word would be if two letters had not changed places, or one had not been typed too much."""
    for at in range(min(len(word), _LONGEST)):
        yield word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
        yield word[:at] + word[at + 1 :]
