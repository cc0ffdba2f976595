"""A letter to the post itself: one thing on a line, in any language. Lines that are none of ours are left alone."""

import pkgutil
import re
from abc import ABC
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from string import Template
from typing import Final, TypeAlias

from pbem.mail.commands import preferences, vacation
from pbem.mail.commands.command import A_COMMAND, CommandFamily, ParsedLine
from pbem.mail.commands.command_grammar import SHARED, CommandReader, EndOfCommands
from pbem.mail.commands.preferences import Wish
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.mail.commands.vocabulary import load_languages

MOST: Final = 10
"""Commands of one letter that are carried out."""
LONGEST: Final = 400
"""Characters of a line that are looked at; nothing that we understand is longer."""


class PostCommand(ParsedLine, ABC):
    """Something that a person asks of the post."""

    __slots__ = ()


PostLine: TypeAlias = PostCommand | Wish | Vacation | DropVacation
"""Wishes and days away can be said to the post as they are to a table, and hold at all tables then."""


@dataclass(frozen=True, slots=True)
class PostLetter:
    """What a letter to the post asks for, and the lines that nobody understood."""

    commands: tuple[PostLine, ...]
    unread: tuple[str, ...] = ()


@cache
def families() -> tuple[CommandFamily, ...]:
    """All families of commands to the post."""
    package = import_module(__package__ or "")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = (getattr(import_module(f"{package.__name__}.{name}"), "FAMILY", None) for name in names)
    own = (family for family in found if isinstance(family, CommandFamily))
    return (*own, preferences.FAMILY, vacation.FAMILY, SHARED)


@cache
def _verbs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The words that orders to the post begin with, by language."""
    english = {name: words for family in families() for name, words in family.words.items()}
    verbs = [each for family in families() for each in family.terminals if each.says == A_COMMAND]
    lists = {name for each in verbs for name in Template(each.pattern or f"${each.name[1:].lower()}").get_identifiers()}
    own = {
        code: [word for name in lists for word in known.words.get(name, ())] for code, known in load_languages().items()
    }
    own["en"] = [*own.get("en", ()), *(english[name] for name in lists)]
    return tuple((code, re.compile(rf"(?:{'|'.join(words)})(?!\w)")) for code, words in own.items() if words)


def find_language(words: str) -> str | None:
    """The language that a letter to the post is written in, by its first order; None if it may be another one."""
    for line in words.splitlines():
        bare = line.strip(" \t*_.!?,;").lower()
        if bare and len(bare) <= LONGEST and isinstance(post_reader().parse(bare), PostLine):
            codes = [code for code, verbs in _verbs() if verbs.match(bare)]
            return codes[0] if len(codes) == 1 else None
    return None


@cache
def post_reader() -> CommandReader:
    """The reader of what people write to the post, made when the first line is parsed."""
    return CommandReader(families(), example="tables")


def parse_post_letter(words: str) -> PostLetter:
    """The commands of a letter to the post, in their order, up to a line that says `end`."""
    commands: list[PostLine] = []
    unread: list[str] = []
    for line in words.splitlines():
        bare = line.strip(" \t*_.!?,;")
        if not bare or bare.startswith((">", "|")):
            continue
        parsed = post_reader().parse(bare) if len(bare) <= LONGEST else None
        if isinstance(parsed, EndOfCommands):
            break
        if not isinstance(parsed, PostLine):
            unread.append(bare)
        elif len(commands) < MOST:
            commands.append(parsed)
    return PostLetter(tuple(commands), tuple(unread))
