"""Moves as mails tell them: the order itself, in the reader's language and with the names of players.

The canonical text is taken word by word, and each word that the language has another one for is replaced. So there is
one spoken form for each move, it has the same parts in the same order as the notation, and the grammar that took it
apart reads it back.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple

from notation.headers import quote, unquote
from notation.lalr.parser import LexToken
from notation.move_words import LEFT_OUT
from notation.phrasebook import Phrasebook
from notation.phrases import phrases

_WORD: Final = re.compile(r"[^\W\d_]+(?:[- ][^\W\d_]+)*")
_NAME: Final = re.compile(r"[^\W\d_]+")
_QUOTED: Final = '"'
_HYPHEN: Final = "-"


def speak(
    key: str,
    phrase: str,
    language: str,
    *,
    start: str = "moves",
    names: Mapping[str, str] | None = None,
    show: Callable[[str], str] = quote,
) -> str:
    """A canonical phrase of a game in another language: ``мятный M10, лососевый P12``.

    `names` are written for seats; `show` puts what a player has said into quotation marks. What the game has no words
    for stays in English, and what is no phrase stays as it is.
    """
    reader = phrases(key)
    tokens = reader.parser.tokens(phrase, start) if reader is not None and start in reader.book.starts else None
    if reader is None or tokens is None:
        return phrase
    known = partial(speak_word, key, language=language)
    tongue = _Tongue(reader.book, reader.parser.tables.ignored, language, names or {}, show, known)
    spoken = [tongue.say(tokens, at) for at in range(len(tokens))]
    # Where a joining word is left out, one of the blanks around it goes too.
    return "".join(word for at, word in enumerate(spoken) if word != " " or at == 0 or spoken[at - 1] != "")


@lru_cache(maxsize=4096)
def speak_word(key: str, word: str, language: str) -> str:
    """One word of a game's notation in another language; a word that is not in its grammar stays as it is."""
    reader = phrases(key)
    if reader is None:
        return word
    own = reader.book.words.get(language, {})
    kinds = (terminal.name for terminal in reader.parser.tables.terminals if re.fullmatch(terminal.regexp, word))
    return next((own[kind] for kind in kinds if kind in own), word)


def is_name_in_moves(key: str, name: str) -> bool:
    """Whether a player's name can stand in a move: one word, and none that means something in the game."""
    return _NAME.fullmatch(name) is not None and not is_word_of_moves(key, name)


@lru_cache(maxsize=1024)
def is_word_of_moves(key: str, word: str) -> bool:
    """Whether a word means something in the moves of a game, in any language."""
    return _words_of_moves(key).fullmatch(word) is not None


@lru_cache(maxsize=64)
def _words_of_moves(key: str) -> re.Pattern[str]:
    reader = phrases(key)
    return re.compile(reader.parser.regexp(*reader.parser.terminals) if reader is not None else "(?!)")


class _Tongue(NamedTuple):
    """How a game is spoken to one reader."""

    book: Phrasebook
    ignored: tuple[str, ...]
    language: str
    names: Mapping[str, str]
    show: Callable[[str], str]
    known: Callable[[str], str]
    """A word of the game by itself, for words that are put together of several."""

    def say(self, tokens: Sequence[LexToken], at: int) -> str:
        """What is written for one of the words of a phrase."""
        kind, text, *_ = tokens[at]
        words = self.book.words.get(self.language, {})
        if text.startswith(_QUOTED):
            return self.show(unquote(text))
        if not _WORD.fullmatch(text):
            return text
        if kind in self.book.names and (seat := str(self.book.values.get(kind, text))) in self.names:
            return self.names[seat]
        if kind not in self.ignored:
            return words.get(kind) or _HYPHEN.join(self.known(part) for part in text.split(_HYPHEN))
        following = next((each.kind for each in tokens[at + 1 :] if each.kind not in self.ignored), "")
        said = words.get(f"{text} {following}") or words.get(text, text)
        return "" if said == LEFT_OUT else said
