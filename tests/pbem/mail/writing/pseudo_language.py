"""A language made up for tests: it shows which sentences can be translated."""

import re
from gettext import NullTranslations


class Pseudo(NullTranslations):
    """A language in which every letter of a sentence is another, and that remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[tuple[str, str]] = set()

    def _say(self, message: str, context: str = "") -> str:
        self.asked.add((context, message))
        pieces = re.split(r"(%\(\w+\)s|\{\w+\})", message)
        return "".join(piece if at % 2 else _turn(piece) for at, piece in enumerate(pieces))

    def gettext(self, message: str) -> str:
        return self._say(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self._say(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        return self._say(message, context)

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return self._say(one if n == 1 else many, context)


def _turn(text: str) -> str:
    """Hebrew letters for Latin ones."""
    return re.sub("[A-Za-z]", lambda letter: chr(0x5D0 + ord(letter[0].lower()) - ord("a")), text)
