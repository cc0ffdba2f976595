"""The words of guest games in other languages, for sentences that our own catalogues do not have.

A guest brings ``locale/<code>/LC_MESSAGES/caravan-post.po`` (or ``.mo``) inside its package. Guests are asked one after
the other and only when our catalogue has no answer, so a mail about one of our games loads none of them. A guest cannot
change a sentence of ours, and cannot bring a language that we do not write: half a mail would be in English.
"""

from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from engine.registry import IN_HOUSE, find_package, game_keys

FILE = Path("LC_MESSAGES", "caravan-post")


class GuestTranslations(NullTranslations):
    """What guests say in one language; the message itself where none of them knows it."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code = code

    @cached_property
    def _catalogues(self) -> NullTranslations:
        """The catalogues of all installed guests, each the fallback of the one before."""
        first = NullTranslations()
        for key in game_keys():
            if key not in IN_HOUSE:
                for folder in getattr(find_package(key), "__path__", ()):
                    compiled = _load(Path(folder, "locale", self._code, FILE))
                    if compiled is not None:
                        first.add_fallback(GNUTranslations(BytesIO(compiled)))
        return first

    def gettext(self, message: str) -> str:
        """A message in this language."""
        return self._catalogues.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """A message that counts something."""
        return self._catalogues.ngettext(msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        """A message that has this meaning only in a context."""
        return self._catalogues.pgettext(context, message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """A message that counts something, in a context."""
        return self._catalogues.npgettext(context, msgid1, msgid2, n)


def _load(file: Path) -> bytes | None:
    """A compiled catalogue; the source is compiled in memory where only that is there."""
    compiled, source = file.with_suffix(".mo"), file.with_suffix(".po")
    if compiled.is_file():
        return compiled.read_bytes()
    if not source.is_file():
        return None
    from pbem.render.po_files import compile_mo  # an installed guest mostly has the compiled one

    return compile_mo(source.read_text("utf-8"))
