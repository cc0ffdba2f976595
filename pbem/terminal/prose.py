"""Running text on a terminal."""

from collections.abc import Iterable
from textwrap import TextWrapper
from typing import Final

WIDTH: Final = 100
_MOST_LINES: Final = 4
_GLUE: Final = "\u00a0"
"""A blank at which no line is broken."""


def wrap(text: str, *, indent: str = "") -> list[str]:
    """The lines of a paragraph; codes and coordinates are never broken."""
    wrapper = TextWrapper(WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    return wrapper.wrap(text)


def wrap_list(items: Iterable[str], *, indent: str = "") -> list[str]:
    """The lines of a list; no item is broken."""
    glued = "; ".join(item.replace(" ", _GLUE) for item in items)
    return [line.replace(_GLUE, " ") for line in wrap(glued, indent=indent)]


def shorten(text: str, *, indent: int) -> str:
    """As much of an example as a reader wants to see; its lines after the first are indented."""
    lines = [line if len(line) <= WIDTH else f"{line[:WIDTH]}…" for line in text.split("\n")]
    shown = lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], "…"]
    return ("\n" + " " * indent).join(shown)


def count(number: int, noun: str) -> str:
    """``1 game``, ``3 games``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
