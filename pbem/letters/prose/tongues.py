"""The languages that mails are written in: their catalogues, and which of them run from right to left.

Catalogues lie in ``templates/locale/<code>/LC_MESSAGES/caravan-post.mo``. A language without one is not pretended:
its readers get English, and the mail says that it is English.
"""

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import Final

from pbem.render import ENGLISH, Tongue

DOMAIN: Final = "caravan-post"
LEFTWARD: Final = frozenset({"ar", "fa", "he", "ur", "yi"})


@cache
def find_tongue(code: str) -> Tongue:
    """The language called `code`, or English."""
    catalogue = files("templates") / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if not code.isalpha() or not catalogue.is_file():
        return ENGLISH
    with catalogue.open("rb") as opened:
        return Tongue(code, GNUTranslations(opened), leftward=code in LEFTWARD)
