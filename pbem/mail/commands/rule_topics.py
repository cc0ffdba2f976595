"""Rules found by a word: a piece, a card, a hero, or what happens, in any of our languages.

Each game has a table of such words beside its templates, `terms.toml`: a topic, its words in every language, and the
codes of its rules, the most important first. A word that no table has is looked for in the rules themselves.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import templates
from engine.game import GameRules
from engine.registry import IN_HOUSE, find_package
from engine.verdict import Rule
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES

TERMS: Final = "terms.toml"
_ENGLISH: Final = "en"
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019\u05f3\u05f4-][^\W_]+)*")
_PREFIXES: Final = "והבלמכש"
"""Letters that Hebrew glues to the beginning of a word: and, the, in, to, from, like, that."""
_SAME: Final = str.maketrans({"\u0451": "\u0435", "\u2019": "'"})
_SHORTEST: Final = 3
"""Letters of a word that is looked for in the texts of rules."""
_LONGEST: Final = 5
"""Words of a name."""
_NEAR: Final = 0.6
_MOST_NEAR: Final = 4


class Topic(NamedTuple):
    """Something that rules are about: its words by language, the first of each being its name, and its rules."""

    key: str
    codes: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    terms: tuple[tuple[str, ...], ...]
    """The words of all languages as they are compared, each split at its blanks."""

    def name(self, language: str) -> str:
        """What it is called in a language; in English where its table has no word."""
        return (self.words.get(language) or self.words[_ENGLISH])[0].rstrip("*")


def _begins(said: list[str], term: tuple[str, ...]) -> bool:
    """Whether some words begin with those of a term; a term that ends with a star goes on as it likes."""
    return len(said) >= len(term) and all(
        any(_is_like(form, wanted) for form in _forms(word)) for word, wanted in zip(said, term, strict=False)
    )


def _is_like(word: str, wanted: str) -> bool:
    """Whether a word is the one that is wanted; a star stands for any ending, but not for a second word."""
    if not wanted.endswith("*"):
        return word == wanted
    return word.startswith(wanted[:-1]) and "-" not in word[len(wanted) - 1 :]


def _forms(word: str) -> Iterator[str]:
    """A word, and what is left of it without what Hebrew glues to its beginning."""
    yield word
    for at in (1, 2):
        if len(word) > at + 1 and all(letter in _PREFIXES for letter in word[:at]):
            yield word[at:]


def _split(text: str) -> list[str]:
    return _WORD.findall(text.translate(_SAME).casefold())


def list_topics(game: GameRules) -> tuple[Topic, ...]:
    """The topics of a game that it has rules for, in the order of its table."""
    return _topics_about(game.key, _codes(game))


def _codes(game: GameRules) -> tuple[str, ...]:
    return tuple([rule.code for rule in game.rules])


@lru_cache(maxsize=16)
def _topics_about(key: str, known: tuple[str, ...]) -> tuple[Topic, ...]:
    kept = (topic._replace(codes=tuple(code for code in topic.codes if code in known)) for topic in _load(key))
    return tuple(topic for topic in kept if topic.codes)


@lru_cache(maxsize=16)
def _terms_by_letter(key: str, known: tuple[str, ...]) -> Mapping[str, list[tuple[int, tuple[str, ...]]]]:
    """The terms by their first letters, each with the place of its topic: a letter may have hundreds of lines."""
    gathered: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for at, topic in enumerate(_topics_about(key, known)):
        for term in topic.terms:
            gathered.setdefault(term[0][0], []).append((at, term))
    return gathered


@cache
def _load(key: str) -> tuple[Topic, ...]:
    """The table of a game; `like` names another game, whose table follows it."""
    path = _find_table(key)
    if path is None:
        return ()
    table = tomllib.loads(path.read_text("utf-8"))
    like = table.pop("like", "")
    own = tuple(_read_topic(name, entry) for name, entry in table.items())
    return own + (_load(like) if like else ())


def _read_topic(name: str, entry: Mapping[str, str]) -> Topic:
    words = {code: tuple(map(str.strip, entry[code].split(","))) for code in LANGUAGE_CODES if entry.get(code)}
    terms = dict.fromkeys(tuple(each.translate(_SAME).casefold().split()) for said in words.values() for each in said)
    return Topic(name, tuple(entry["codes"].split()), words, tuple(terms))


def _find_table(key: str) -> Path | None:
    """The file with a game's table: ours beside our templates, a guest's among its own."""
    if key in IN_HOUSE:
        folders = [Path(folder, key) for folder in templates.__path__]
    else:
        folders = [Path(folder, "templates") for folder in getattr(find_package(key), "__path__", ())]
    return next((path for folder in folders if (path := folder / TERMS).is_file()), None)


@dataclass(frozen=True, slots=True)
class FoundRules:
    """What a search has brought: the rules, the best first, the topic that they belong to, and other topics."""

    rules: tuple[Rule, ...]
    topic: Topic | None = None
    others: tuple[Topic, ...] = ()


def find_topics(game: GameRules, text: str) -> tuple[Topic, ...]:
    """The topics that a text names, the one with the longest name first, then in the order of the table."""
    topics, by_letter = list_topics(game), _terms_by_letter(game.key, _codes(game))
    said, longest = _split(text), dict[int, int]()
    for at, word in enumerate(said):
        for letter in {form[0] for form in _forms(word)}:
            for topic, term in by_letter.get(letter, ()):
                if len(term) > longest.get(topic, 0) and _begins(said[at : at + len(term)], term):
                    longest[topic] = len(term)
    return tuple(topics[each] for each in sorted(longest, key=lambda each: (-longest[each], each)))


def named_topic(game: GameRules, text: str) -> Topic | None:
    """The topic whose name a text is and nothing else."""
    said = _split(text)
    if not 0 < len(said) <= _LONGEST:
        return None
    topics = list_topics(game)
    by_letter = _terms_by_letter(game.key, _codes(game))
    found = (
        at
        for letter in {form[0] for form in _forms(said[0])}
        for at, term in by_letter.get(letter, ())
        if len(term) == len(said) and _begins(said, term)
    )
    first = min(found, default=None)
    return None if first is None else topics[first]


def find_by_word(game: GameRules, text: str) -> FoundRules | None:
    """The rules that words ask for: those of a topic, else those whose text has the words; None if there are none."""
    topics = find_topics(game, text)
    rules = {rule.code: rule for rule in game.rules}
    if topics:
        first, *others = topics
        return FoundRules(tuple(rules[code] for code in first.codes), first, tuple(others))
    said = [word for word in _split(text) if len(word) >= _SHORTEST]
    found = tuple(rule for rule in game.rules if _mentions(rule, said)) if said else ()
    return FoundRules(found) if found else None


def _mentions(rule: Rule, said: list[str]) -> bool:
    """Whether the text of a rule has all of some words in one of our languages."""
    for code in LANGUAGE_CODES:
        words = _split(find_locale(code).translations.gettext(rule.text))
        if all(any(word.startswith(each) for word in words) for each in said):
            return True
    return False


def near_topics(game: GameRules, text: str) -> tuple[Topic, ...]:
    """Topics with a name like the words that brought no rule: they may be misspelt."""
    named = {
        term.rstrip("*").casefold(): topic
        for topic in list_topics(game)
        for words in topic.words.values()
        for term in words
    }
    near = [name for word in _split(text) for name in get_close_matches(word, named, _MOST_NEAR, _NEAR)]
    return tuple({named[name].key: named[name] for name in near}.values())[:_MOST_NEAR]
