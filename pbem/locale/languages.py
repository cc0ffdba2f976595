"""The languages of the post: one line each here, and everything else in `templates/locale/<code>/`.

Settings, the command `language` by mail, the CLI, catalogues and word lists all take their languages from this table:
adding a language is its folder and its line. See `templates/locale/README.md`.
"""

from pathlib import Path
from typing import Final, NamedTuple

import templates


class Language(NamedTuple):
    """A language that mails can be written in: its ISO 639-1 code, its own name, and whether it runs right to left."""

    code: str
    name: str
    rtl: bool = False
    fence: tuple[str, str] = ("orders", "end")
    """Two words: all orders of a mail can be put between a line with one and a line with the other."""


LANGUAGES: Final = (
    Language("en", "English"),
    Language("he", "עברית", rtl=True, fence=("הוראות", "סוף")),
    Language("ru", "Русский", fence=("команды", "конец")),
    Language("pl", "Polski", fence=("polecenia", "koniec")),
    Language("nl", "Nederlands", fence=("opdrachten", "einde")),
)
"""In the order in which players and operators see them listed."""

LANGUAGE_CODES: Final = tuple(language.code for language in LANGUAGES)

_NAMES: Final = {language.code: language.name for language in LANGUAGES}
_LOCALES: Final = Path(templates.__path__[0]) / "locale"


def language_name(code: str) -> str:
    """What a language calls itself."""
    return _NAMES[code]


def locale_folder(code: str) -> Path:
    """The folder with the catalogue and the word lists of a language."""
    return _LOCALES / code


def format_codes(form: str = "{}") -> str:
    """All codes in a sentence, in alphabetical order: `en, he, nl, pl or ru`. `form` is put around each."""
    *codes, last = (form.format(code) for code in sorted(LANGUAGE_CODES))
    return f"{', '.join(codes)} or {last}"
