"""Colours for a terminal, and for nothing else."""

import os
from typing import Final, TextIO

_CODES: Final = {"bold": "1", "faint": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34"}


class Ink:
    """Colours what is written to a stream if that is a terminal and nobody asked for plain text (NO_COLOR)."""

    def __init__(self, stream: TextIO) -> None:
        self.wet = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, *styles: str) -> str:
        """The text in the given styles, or as it is."""
        if not self.wet:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"
