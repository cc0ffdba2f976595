"""A letter to the post itself: one thing on a line, in any language. Lines that are none of ours are left alone."""

import pkgutil
from abc import ABC
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from pbem.mail.commands.command import CommandFamily, ParsedLine
from pbem.mail.commands.command_grammar import SHARED, CommandReader, EndOfCommands

MOST: Final = 10
"""Commands of one letter that are carried out."""
LONGEST: Final = 400
"""Characters of a line that are looked at; nothing that we understand is longer."""


class PostCommand(ParsedLine, ABC):
    """Something that a person asks of the post."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PostLetter:
    """What a letter to the post asks for, and the lines that nobody understood."""

    commands: tuple[PostCommand, ...]
    unread: tuple[str, ...] = ()


@cache
def families() -> tuple[CommandFamily, ...]:
    """All families of commands to the post."""
    package = import_module(__package__ or "")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = (getattr(import_module(f"{package.__name__}.{name}"), "FAMILY", None) for name in names)
    return (*(family for family in found if isinstance(family, CommandFamily)), SHARED)


@cache
def post_reader() -> CommandReader:
    """The reader of what people write to the post, made when the first line is parsed."""
    return CommandReader(families(), example="tables")


def parse_post_letter(words: str) -> PostLetter:
    """The commands of a letter to the post, in their order, up to a line that says `end`."""
    commands: list[PostCommand] = []
    unread: list[str] = []
    for line in words.splitlines():
        bare = line.strip(" \t*_.!?,;")
        if not bare or bare.startswith((">", "|")):
            continue
        parsed = post_reader().parse(bare) if len(bare) <= LONGEST else None
        if isinstance(parsed, EndOfCommands):
            break
        if not isinstance(parsed, PostCommand):
            unread.append(bare)
        elif len(commands) < MOST:
            commands.append(parsed)
    return PostLetter(tuple(commands), tuple(unread))
