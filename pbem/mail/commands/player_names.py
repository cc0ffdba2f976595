"""Names of players as people write them: in another alphabet, in another case, with a Hebrew prefix.

A player who is called Chiara at the table is Кьяра, Chiarze and לקיארה in letters. Names are compared by their
consonants, those that sound alike counting as one. That is too little to know a name by, so the caller must see that
the word stands where a move takes a player.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine.game import Seat

_SOUNDS: Final = {
    sign: sound
    for sound, signs in {
        "b": "bvw\u0431\u0432\u05d1",
        "d": "d\u0434\u05d3",
        "g": "g\u0433\u05d2",
        "k": "kqcx\u043a\u0445\u05e7\u05db\u05da\u05d7",
        "l": "l\u0142\u043b\u05dc",
        "m": "m\u043c\u05de\u05dd",
        "n": "n\u043d\u05e0\u05df",
        "p": "pf\u043f\u0444\u05e4\u05e3",
        "r": "r\u0440\u05e8",
        "s": "sz\u0441\u0437\u0448\u0449\u0436\u0446\u0447\u05e1\u05e9\u05d6\u05e6\u05e5",
        "t": "t\u0442\u05d8\u05ea",
    }.items()
    for sign in signs
}
"""Letters of three alphabets, each with the sound that it stands for; vowels and breaths have none."""
_PREFIXES: Final = "\u05dc\u05d5\u05de\u05e9\u05d1"
"""Hebrew letters that are written together with the word after them: to, and, from, that, in."""
_OPEN: Final = ("a\u0430", "e\u0435\u044d", "i\u0438", "o\u043e", "u\u0443")
"""Vowels that begin a name, in two alphabets; a Hebrew I would be an Anna."""
_FEWEST: Final = 2
"""Consonants that a name must have to be known by them."""
_ENDING: Final = 2
"""Letters that a case may add."""
_LONG_ENDING: Final = "owi"
"""What one case adds in Polish: *Borisowi*."""


def find_player(word: str, names: Mapping[str, Seat]) -> Seat:
    """The seat of the only player whom a word may name; empty if there is none, or more than one."""
    said = word.lower()
    return names[said] if said in names else _find_player(said, tuple(names.items()))


@lru_cache(maxsize=2_048)
def _find_player(said: str, names: tuple[tuple[str, Seat], ...]) -> Seat:
    """It remembers: people use few words, and a letter may have a thousand."""
    ways = {said, said[1:]} if said[0] in _PREFIXES else {said}
    found = {seat for name, seat in names if " " not in name and any(_may_name(way, name) for way in ways)}
    return found.pop() if len(found) == 1 else ""


def _may_name(said: str, name: str) -> bool:
    if said == name:
        return True
    known = _consonants(name)
    if len(known) < _FEWEST and not _is_short(said, name, known):
        return False
    longest = _ENDING + said.endswith(_LONG_ENDING)
    if len(name) > _FEWEST and said[:-1].startswith(name[:-1]) and len(said) - len(name) <= longest:
        return True  # in another case
    if said[:1].isascii() == name[0].isascii():
        return False
    heard = _consonants(said)
    return heard.startswith(known) and len(heard) - len(known) <= 1


def _is_short(said: str, name: str, known: str) -> bool:
    """Whether a word is a name with one consonant behind a vowel, in another alphabet or case: Anna, Анне."""
    begins = any(said[:1] in vowels and name[0] in vowels for vowels in _OPEN)
    return begins and len(name) > _FEWEST < len(said) and _consonants(said) == known and known != ""


@lru_cache(maxsize=512)
def _consonants(word: str) -> str:
    """The consonants of a word as they sound, none twice in a row."""
    heard = ""
    for sign in unicodedata.normalize("NFKD", word):
        sound = _SOUNDS.get(sign, "")
        heard += sound if not heard.endswith(sound) or not sound else ""
    return heard
