"""A letter to the post itself: one thing on a line, in any language. Lines that are none of ours are left alone."""

import pkgutil
from abc import ABC
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, TypeAlias

from pbem.mail.commands import preferences, vacation
from pbem.mail.commands.command import CommandFamily, ParsedLine
from pbem.mail.commands.command_grammar import SHARED, CommandReader, EndOfCommands
from pbem.mail.commands.preferences import Wish
from pbem.mail.commands.vacation import DropVacation, Vacation

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
