"""The words of moves in each language: one table that mails write from and grammars read by.

`words/<code>.txt` holds the words of one language for all games, each by the terminal of the game's grammar. A grammar
takes them in where it says ``$words``, beside looser forms of its own, so that whatever is written in any language is
read in every letter. English has no file: it is the notation itself.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

from notation.lalr.grammar import read_word_files

MoveWords: TypeAlias = Mapping[str, Mapping[str, str]]
"""By language, then by terminal: the word that is written for it.

Words that a grammar ignores stand by themselves (``to``), or with the terminal after them (``to PATH``) where that
makes a difference.
"""

LEFT_OUT: Final = "-"
"""Stands for a joining word that a language does not need."""

_SECTION: Final = re.compile(r"\[([\w-]+)\]")
_ENTRY: Final = re.compile(r"(\w+(?: [A-Z_]+)?) {2,}(.+)")
_TERMINAL: Final = re.compile(r"^(\w+)(?:\.\d+)?:.*$", re.MULTILINE)
_PLACE: Final = "$words"
_IGNORED: Final = "BETWEEN"
"""The terminal of the words that only join others."""


@cache
def read_words(game: str) -> MoveWords:
    """The words of one game in every language that has any."""
    return {code: words for code, text in read_word_files().items() if (words := _read_text(text).get(game))}


def fill_words(grammar: str, words: MoveWords) -> str:
    """A grammar with the words of all languages in the terminals that ask for them."""
    read: dict[str, dict[str, None]] = {}
    for language in words.values():
        for key, word in language.items():
            if word != LEFT_OUT:
                read.setdefault(_IGNORED if key[0].islower() else key, {})[re.escape(word)] = None

    def fill(line: re.Match[str]) -> str:
        return line[0].replace(f"|{_PLACE}", "".join(f"|{word}" for word in read.get(line[1], ())))

    return _TERMINAL.sub(fill, grammar)


@cache
def _read_text(text: str) -> Mapping[str, Mapping[str, str]]:
    games: dict[str, dict[str, str]] = {}
    words: dict[str, str] = {}
    for line in text.splitlines():
        if section := _SECTION.fullmatch(line):
            words = games[section[1]] = {}
        elif entry := _ENTRY.fullmatch(line):
            words[entry[1]] = entry[2]
    return games
