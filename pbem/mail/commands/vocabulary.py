"""The words that players use in each language, as `templates/locale/<code>/commands.toml` has them.

Every language is understood in every letter, in any mix. Files are read once in a
process, when the first letter is parsed. English stands first, then the other languages by their codes.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from string import Template
from typing import Final, Literal

from pbem.locale.languages import LANGUAGE_CODES, LANGUAGES, locale_folder

_ENGLISH: Final = "en"
_NEVER: Final = "(?!)x"
"""Matches nothing, for a list that no language has words for; a grammar does not take a pattern without width."""

Section = Literal["words", "answers", "moves", "doubts", "harmless", "asks"]
Patterns = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """The words of one language; what a file leaves out is empty. See `templates/locale/README.md`."""

    months: list[str] = field(default_factory=list)
    month_prefix: str = ""
    weekdays: list[str] = field(default_factory=list)
    languages: Mapping[str, str] = field(default_factory=dict)
    words: Patterns = field(default_factory=dict)
    answers: Patterns = field(default_factory=dict)
    moves: Patterns = field(default_factory=dict)
    doubts: Patterns = field(default_factory=dict)
    harmless: Patterns = field(default_factory=dict)
    asks: Patterns = field(default_factory=dict)


@cache
def load_languages() -> Mapping[str, LanguageWords]:
    """The words of every language that has a file, by its code."""
    codes = sorted(LANGUAGE_CODES, key=lambda code: (code != _ENGLISH, code))
    files = {code: locale_folder(code) / "commands.toml" for code in codes}
    return {
        code: LanguageWords(**tomllib.loads(path.read_text("utf-8"))) for code, path in files.items() if path.is_file()
    }


def patterns(section: Section, name: str, english: str = "") -> str:
    """One pattern for all the words of a list; `english` stands before what the files have."""
    found = [english] if english else []
    for language in load_languages().values():
        lists: Patterns = getattr(language, section)
        found += lists.get(name, ())
    return "|".join(dict.fromkeys(found)) or _NEVER


_AS_TYPED: Final = str.maketrans("\u2019\u0130\u0131", "'ii")
"""Telephones replace the apostrophe that people type, and Turkish ones the i."""


@cache
def _doubts(*places: str) -> re.Pattern[str]:
    """All patterns of doubt for some places beside a move; compiled when the first letter needs them.

    Each begins with a letter, or at the beginning of the line. That is looked at first, because there are hundreds.
    They are in small letters, and so must be what they are looked for in: ignoring case takes twice the time.
    """
    said = "|".join(patterns("doubts", place) for place in places)
    return re.compile(rf"(?<!\w)(?:\A|(?=\w))(?:{said})(?!\w)")


@lru_cache(maxsize=512)
def holds_doubt(words: str, *places: str) -> bool:
    """Whether words put a move in doubt that they stand beside, at one of some places."""
    return _doubts(*places).search(words.translate(_AS_TYPED).casefold()) is not None


def fill_in(pattern: str, english: Mapping[str, str]) -> str:
    r"""A pattern in which `$name` stands for the words of a list: `(?:$help)(?!\w)`."""
    template = Template(pattern)
    return template.substitute({name: patterns("words", name, english[name]) for name in template.get_identifiers()})


def months() -> Iterator[tuple[str, int]]:
    """How the names of the months begin, each with its number."""
    for number in range(12):
        for language in load_languages().values():
            for beginning in language.months[number].split() if language.months else ():
                yield beginning, number + 1


def weekdays() -> Iterator[tuple[str, int]]:
    """How the names of the days of the week begin, each with its number, from 0 for Monday."""
    for language in load_languages().values():
        for number, beginnings in enumerate(language.weekdays):
            for beginning in beginnings.split("|"):
                yield beginning, number


def month_prefixes() -> str:
    """A pattern for what may be glued to a month's name."""
    return "|".join(each.month_prefix for each in load_languages().values() if each.month_prefix) or _NEVER


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """What does no harm beside a move, in all languages."""

    openings: re.Pattern[str]
    """Greetings, and closings above a name."""
    phrases: re.Pattern[str]
    """Whole sentences."""
    words: frozenset[str]
    stems: tuple[str, ...]
    """What sentences of small talk are made of: words, and how others begin."""

    def knows(self, word: str) -> bool:
        """Whether a word in small letters is one of small talk."""
        return word in self.words or word.startswith(self.stems)


@cache
def small_talk() -> SmallTalk:
    """The small talk of all languages."""
    said = {
        word
        for language in load_languages().values()
        for each in language.harmless.get("words", ())
        for word in each.split()
    }
    openings, sentences = patterns("harmless", "openings"), patterns("harmless", "phrases")
    return SmallTalk(
        re.compile(rf"(?:(?:{openings})(?!\w)\s*)+"),
        re.compile(rf"(?:{sentences})(?![^ ])"),
        frozenset(word for word in said if not word.endswith("*")),
        tuple(sorted(word.rstrip("*") for word in said if word.endswith("*"))),
    )


@cache
def language_codes() -> Mapping[str, str]:
    """The name of a language, in any language -> its code."""
    own = {language.name.lower(): language.code for language in LANGUAGES}
    languages = load_languages().values()
    return own | {name: code for each in languages for code, names in each.languages.items() for name in names.split()}
