"""The languages that mails and pictures are written in: their catalogues as `gettext` translations.

Catalogues are `templates/locale/<code>/LC_MESSAGES/caravan-post.po`. An installed wheel holds them compiled; a checkout
that was not built, or whose `.po` has changed since, compiles them in memory: about 30 ms, once a process and language.
A language without a catalogue is written in English, and what readers get then says that it is English.
"""

from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from typing import TYPE_CHECKING, Final

from pbem.languages import LANGUAGES, locale_folder
from pbem.render.guest_translations import GuestTranslations
from pbem.render.options import ENGLISH, Locale

if TYPE_CHECKING:
    from pathlib import Path

DOMAIN: Final = "caravan-post"


class Catalogue(GNUTranslations):
    """A catalogue that ignores the sign when it counts: a noun behind -4 has the form that it has behind 4."""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of a noun behind `n`."""
        return super().ngettext(msgid1, msgid2, abs(n))


@cache
def find_locale(code: str) -> Locale:
    """The language called `code`; English if we do not have it or it has no catalogue."""
    language = next((each for each in LANGUAGES if each.code == code), None)
    compiled = _load_catalogue(code) if language is not None else None
    if language is None or compiled is None:
        return ENGLISH
    catalogue = Catalogue(BytesIO(compiled))
    catalogue.add_fallback(GuestTranslations(code))
    return Locale(code, catalogue, rtl=language.rtl)


def known_locales() -> tuple[str, ...]:
    """The codes of all languages that can be written, in alphabetical order."""
    return tuple(sorted(each.code for each in LANGUAGES))


def _load_catalogue(code: str) -> bytes | None:
    """The compiled catalogue of a language, or None if it has none."""
    source = locale_folder(code) / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = source.with_suffix(".mo")
    written, built = _modified(source), _modified(compiled)
    if built is not None and (written is None or written <= built):
        return compiled.read_bytes()
    if written is None:
        return None
    from pbem.render.po_files import compile_mo

    return compile_mo(source.read_text("utf-8"))


def _modified(path: "Path") -> float | None:
    """When a file was last written; None if there is none."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return None
