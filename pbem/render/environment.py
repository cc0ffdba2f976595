"""Where templates come from, and how they are filled: the one place that makes a Jinja environment.

Our games' templates are in ``templates/<key>/``; a guest brings a folder ``templates`` inside its package, and both
may use ``templates/any-game/``, which also serves a game without pictures of its own. A template is given a `scene`
(see `pbem.render.plain_scene`), `hexes` to lay out a board, and the filters `own_words` for what players said, `order`
for notation in a sentence, and `signed` for numbers that may be below zero. Names that end in ``.svg`` or ``.html`` are
escaped, a missing value is an error, and all prose goes through the catalogue of the locale.

Many mail programs read no styles but those in the elements themselves. A template of mails says ``style="@heading"``,
and ``mails/style.html`` says what that is; it is written into the template before that is compiled, because every mail
is full of styles and looking them up would take longer than everything else.
"""

import re
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jinja2.ext import Extension

from engine.registry import IN_HOUSE, find_package
from notation.speech import speak
from pbem.locale.catalogues import Locale
from pbem.render.geometry import Layout
from pbem.render.players import show_number, show_order, show_words

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jinja2 import Environment, Template


SHEET: Final = "mails/style.html"

_NAMED: Final = re.compile(r'style="@(\w+)"')


class InlineStyles(Extension):
    """Puts named styles in their places; a name that the sheet does not know is an error."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source of a template with its styles written out."""
        if _NAMED.search(source) is None:
            return source
        sheet: Any = self.environment.get_template(SHEET).module
        escape = self.environment.filters["escape"]
        return _NAMED.sub(lambda named: f'style="{escape(sheet.styles[named[1]])}"', source)


RECALLED: Final = 4096
"""So many results of macros are cached in each language."""


def choose_template(key: str, name: str, locale: Locale) -> "Template":
    """The game's own template, or the one for any game."""
    return environment(locale).select_template([f"{key}/{name}", f"any-game/{name}"])


@lru_cache(maxsize=16)
def environment(locale: Locale) -> "Environment":
    """All templates, speaking one language."""
    # Jinja is loaded here, when something is drawn, so that commands without pictures start quickly.
    from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=ChoiceLoader([PackageLoader("templates", "."), FunctionLoader(_load_from_guest)]),
        autoescape=select_autoescape(enabled_extensions=("svg", "html", "xml"), default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Templates are part of a release; looking at their files for every mail costs more than filling them.
        auto_reload=False,
        extensions=["jinja2.ext.i18n", InlineStyles],
    )
    made.globals["hexes"] = Layout
    made.globals["recall"] = lru_cache(maxsize=RECALLED)(_say)
    made.filters["order"] = partial(show_order, rtl=locale.rtl)
    made.filters["spoken"] = partial(_speak, locale=locale)
    made.filters["signed"] = partial(show_number, rtl=locale.rtl)
    made.filters["own_words"] = partial(show_words, rtl=locale.rtl)
    install: Callable[..., None] = made.install_gettext_translations  # type: ignore[attr-defined]  # added by the extension
    install(locale.translations, newstyle=True)
    return made


def _speak(phrase: str, game: str, *, locale: Locale) -> str:
    """A canonical phrase of a game as an order in the reader's language."""
    return show_order(speak(game, phrase, locale.code), rtl=locale.rtl)


def _say(macro: "Callable[..., str]", *facts: "Hashable") -> str:
    return macro(*facts)


def _load_from_guest(name: str) -> "tuple[str, str | None, Callable[[], bool] | None] | None":
    """The text of ``key/path`` from the package of the guest game `key`."""
    key, _, path = name.partition("/")
    package: Any = None if key in IN_HOUSE else find_package(key)
    for folder in getattr(package, "__path__", ()):
        file = Path(folder, "templates", path)
        if file.is_file():
            return file.read_text(encoding="utf-8"), str(file), None
    return None
