"""The languages that the house writes in: their catalogues, and which of them run from right to left.

Catalogues lie in ``templates/locale/<code>/LC_MESSAGES/caravan-post.mo``. A language without one is not pretended:
its readers get English, and what they get says that it is English.
"""

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from pbem.render.options import ENGLISH, Locale

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DOMAIN: Final = "caravan-post"
LEFTWARD: Final = frozenset({"ar", "fa", "he", "ur", "yi"})


class Catalogue(GNUTranslations):
    """A catalogue that counts below zero as people do: a noun behind -4 has the form that it has behind 4."""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of a noun behind `n`."""
        return super().ngettext(msgid1, msgid2, abs(n))


@cache
def find_locale(code: str) -> Locale:
    """The language called `code`, or English."""
    catalogue = _catalogue(code)
    if not code.isalpha() or not catalogue.is_file():
        return ENGLISH
    with catalogue.open("rb") as opened:
        return Locale(code, Catalogue(opened), leftward=code in LEFTWARD)


def known_locales() -> tuple[str, ...]:
    """The codes of all languages that can be written."""
    found = (folder.name for folder in (files("templates") / "locale").iterdir() if _catalogue(folder.name).is_file())
    return tuple(sorted({ENGLISH.code, *found}))


def _catalogue(code: str) -> "Traversable":
    return files("templates") / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
