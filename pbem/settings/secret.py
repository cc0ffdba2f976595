"""A secret that cannot be printed by accident: its text form is `<secret>`."""

from pathlib import Path
from typing import Final, final

MASK: Final = "<secret>"


@final
class Secret:
    """A password or key. Only `reveal` gives it away; logs, tracebacks and reprs show a mask."""

    __slots__ = ("_words", "file")

    def __init__(self, words: str, file: Path | None = None) -> None:
        self._words = words
        self.file = file
        """Where it was read; None if it came otherwise."""

    def reveal(self) -> str:
        """The secret itself, for the one place that needs it."""
        return self._words

    def __str__(self) -> str:
        return MASK

    __repr__ = __str__

    def __format__(self, wish: str) -> str:
        return format(MASK, wish)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._words == self._words

    def __hash__(self) -> int:
        return hash((Secret, self._words))

    def __reduce__(self) -> str:
        raise TypeError("a secret is not pickled")
