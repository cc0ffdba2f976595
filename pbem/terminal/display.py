"""How text looks on a terminal: a progress bar, colours, wrapped paragraphs.

In pipes and files there are no bars and no colours.
"""

import os
import sys
import time
from collections.abc import Iterable
from textwrap import TextWrapper
from types import TracebackType
from typing import Final, Self, TextIO

_DELAY: Final = 0.7  # seconds before a bar appears
_PAUSE: Final = 0.1  # seconds between two updates
_WIDTH: Final = 30


class Progress:
    """A bar that shows how much of `total` is done; 0 means that the total is not known."""

    def __init__(self, label: str, total: int = 0) -> None:
        self._label = label
        self.total = total
        self._began = time.monotonic()
        self._due = self._began + _DELAY
        self._shown = False
        self.enabled = sys.stderr.isatty()
        """Whether anybody sees it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def tell(self, done: int, note: str = "") -> None:
        """Update the bar; cheap enough to be called for every game of an archive."""
        if not self.enabled or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _PAUSE
        self._shown = True
        bar = f"{done:,} " if not self.total else ""
        if self.total:
            share = min(done / self.total, 1.0)
            bar = f"[{'=' * int(share * _WIDTH):<{_WIDTH}}] {share:4.0%} "
        sys.stderr.write(f"\r\x1b[K{self._label} {bar}{note}")
        sys.stderr.flush()

    def tell_games(self, done: int, games: int, refused: int = 0) -> None:
        """Update the bar of a heap of games: how many, how fast, how long it will take, how many were refused."""
        if not self.enabled or time.monotonic() < self._due:
            return
        passed = max(time.monotonic() - self._began, 0.001)
        parts = [f"{games:,} games", f"{games / passed:,.0f} a second"]
        if self.total and done:
            parts.append(f"{how_long(passed * max(self.total - done, 0) / done)} left")
        if refused:
            parts.append(f"{refused:,} refused so far")
        self.tell(done, "  ".join(parts))

    def clear(self) -> None:
        """Remove the bar, before something else is printed."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


_CODES: Final = {"bold": "1", "faint": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34"}


class Colour:
    """Colours text for a stream, if that is a terminal and NO_COLOR is not set."""

    def __init__(self, stream: TextIO) -> None:
        self.enabled = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, *styles: str) -> str:
        """The text in these styles, or unchanged if there are no colours."""
        if not self.enabled:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


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
    """The beginning of an example, at most a few lines; those after the first are indented."""
    lines = [line if len(line) <= WIDTH else f"{line[:WIDTH]}…" for line in text.split("\n")]
    shown = lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], "…"]
    return ("\n" + " " * indent).join(shown)


def how_long(seconds: float) -> str:
    """``2 h 31 min``, ``3 min``, ``12 s``."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def count(number: int, noun: str) -> str:
    """``1 game``, ``3 games``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
