"""The catalogues of all languages, as `gettext` translations; guest games add their own sentences.

Our catalogues are `templates/locale/<code>/LC_MESSAGES/caravan-post.po`; a guest brings the same path inside its
package. An installed wheel holds them compiled. A checkout that was not built, or whose `.po` has changed since,
compiles them in memory: about 30 ms, once a process and language. A language without a catalogue is written in English.

Guests are asked only for sentences that our catalogue does not have, so a mail about one of our games loads none of
them. A guest cannot change a sentence of ours, and cannot bring a new language: half of each mail would be in English.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from engine.registry import IN_HOUSE, find_package, game_keys
from pbem.locale.languages import LANGUAGES, locale_folder

DOMAIN: Final = "caravan-post"


@dataclass(frozen=True, slots=True)
class Locale:
    """A language to write in: its code, its catalogue, and whether it runs from right to left."""

    code: str = "en"
    translations: NullTranslations = field(default_factory=NullTranslations)
    rtl: bool = False


ENGLISH: Final = Locale()


class Catalogue(GNUTranslations):
    """A catalogue that ignores the sign when it counts: a noun behind -4 has the form that it has behind 4."""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form of a noun behind `n`."""
        return super().ngettext(msgid1, msgid2, abs(n))


@cache
def find_locale(code: str) -> Locale:
    """The language called `code`; English if we do not have it or it has no catalogue."""
    language = next((each for each in LANGUAGES if each.code == code), None)
    compiled = _load_catalogue(locale_folder(code)) if language is not None else None
    if language is None or compiled is None:
        return ENGLISH
    catalogue = Catalogue(BytesIO(compiled))
    catalogue.add_fallback(GuestTranslations(code))
    return Locale(code, catalogue, rtl=language.rtl)


def known_locales() -> tuple[str, ...]:
    """The codes of all languages that can be written, in alphabetical order."""
    return tuple(sorted(each.code for each in LANGUAGES))


class GuestTranslations(NullTranslations):
    """The sentences of guest games in one language; the message itself where no guest has it."""

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
                    compiled = _load_catalogue(Path(folder, "locale", self._code))
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


def _load_catalogue(folder: Path) -> bytes | None:
    """The compiled catalogue in the folder of a language, or None if it has none."""
    source = folder / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = source.with_suffix(".mo")
    written, built = _modified(source), _modified(compiled)
    if built is not None and (written is None or written <= built):
        return compiled.read_bytes()
    if written is None:
        return None
    from pbem.locale.po_files import compile_mo

    return compile_mo(source.read_text("utf-8"))


def _modified(path: Path) -> float | None:
    """When a file was last written; None if there is none."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return None
