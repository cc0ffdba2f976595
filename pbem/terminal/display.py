"""A bar on the terminal while a command takes long; silence in pipes, files and short runs."""

import sys
import time
from types import TracebackType
from typing import Final, Self

_PATIENCE: Final = 0.7  # seconds before a bar appears
_PAUSE: Final = 0.1  # seconds between two looks
_WIDTH: Final = 30


class Progress:
    """Shows how much of `total` is done; a total of 0 means that nobody knows it."""

    def __init__(self, label: str, total: int = 0) -> None:
        self._label = label
        self.total = total
        self._due = time.monotonic() + _PATIENCE
        self._shown = False
        self._alive = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def tell(self, done: int, note: str = "") -> None:
        """Say how far things are; cheap enough for every game of an archive."""
        if not self._alive or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _PAUSE
        self._shown = True
        bar = f"{done:,} " if not self.total else ""
        if self.total:
            share = min(done / self.total, 1.0)
            bar = f"[{'=' * int(share * _WIDTH):<{_WIDTH}}] {share:4.0%} "
        sys.stderr.write(f"\r\x1b[K{self._label} {bar}{note}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away, before something else is printed."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
