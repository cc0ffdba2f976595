"""Moves as mails tell them: the order itself, in the reader's language and with the names of players.

The canonical text is taken word by word, and each word that the language has another one for is replaced. So there is
one spoken form for each move, it has the same parts in the same order as the notation, and the grammar that took it
apart reads it back.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from notation.headers import quote, unquote
from notation.lalr.parser import LexToken
from notation.move_words import LEFT_OUT
from notation.phrases import Phrases, phrases

_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NAME: Final = re.compile(r"[^\W\d_]+")
_QUOTED: Final = '"'


def speak_moves(
    key: str,
    moves: Sequence[Any],
    language: str,
    *,
    names: Mapping[str, str] | None = None,
    show: Callable[[str], str] = str,
) -> str:
    """Moves of one turn in a language: ``мятный M10, лососевый P12``. A game without words for it writes English.

    `names` are shown for seats; `show` makes what a player has said safe to be shown.
    """
    reader = phrases(key)
    if reader is None or not moves:
        return ", ".join(str(getattr(move, "text", move)) for move in moves)
    text = reader.book.phrase(tuple(moves))
    tokens = reader.parser.tokens(text, reader.start)
    words = reader.book.words.get(language, {})
    spoken = "".join(_say(reader, tokens, at, words, names or {}, show) for at in range(len(tokens)))
    return " ".join(spoken.split()) if _QUOTED not in spoken else spoken


@lru_cache(maxsize=1024)
def is_name_in_moves(key: str, name: str) -> bool:
    """Whether a player's name can stand in a move: one word, and none that the game has a meaning for."""
    reader = phrases(key)
    if reader is None or not _NAME.fullmatch(name):
        return False
    return not any(re.fullmatch(terminal.regexp, name) for terminal in reader.parser.tables.terminals)


def _say(
    reader: Phrases,
    tokens: Sequence[LexToken],
    at: int,
    words: Mapping[str, str],
    names: Mapping[str, str],
    show: Callable[[str], str],
) -> str:
    token = tokens[at]
    if token.text.startswith(_QUOTED):
        return quote(show(unquote(token.text)))
    if not _WORD.fullmatch(token.text):
        return token.text
    if token.kind in reader.book.names:
        value = str(reader.book.values.get(token.kind, token.text))
        if value in names:
            return names[value]
    if token.kind not in reader.parser.tables.ignored:
        return words.get(token.kind, token.text)
    following = next((each.kind for each in tokens[at + 1 :] if each.kind not in reader.parser.tables.ignored), "")
    said = words.get(f"{token.text} {following}") or words.get(token.text, token.text)
    return "" if said == LEFT_OUT else said
