"""Where templates come from, and how they are filled: the one place that makes a Jinja environment.

Our games' templates lie in ``templates/<key>/``; a guest brings a folder ``templates`` inside its package, and both
may use what lies in ``templates/any-game/``, which also serves a game without pictures of its own. A template is
given a `scene` (see `pbem.render.scenes`), and `hexes` to lay out a board. Names that end in ``.svg`` or ``.html``
are escaped, a missing value is an error, and all prose goes through the tongue's catalogue.
"""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.registry import HOUSE, home
from pbem.render.geometry import Layout
from pbem.render.wishes import Tongue

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment, Template


def choose_template(key: str, name: str, tongue: Tongue) -> "Template":
    """The game's own template, or the one for any game."""
    return environment(tongue).select_template([f"{key}/{name}", f"any-game/{name}"])


@lru_cache(maxsize=16)
def environment(tongue: Tongue) -> "Environment":
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
        extensions=["jinja2.ext.i18n"],
    )
    made.globals["hexes"] = Layout
    install: Callable[..., None] = made.install_gettext_translations  # type: ignore[attr-defined]  # added by the extension
    install(tongue.translations, newstyle=True)
    return made


def _load_from_guest(name: str) -> "tuple[str, str | None, Callable[[], bool] | None] | None":
    """The text of ``key/path`` from the package of the guest game `key`."""
    key, _, path = name.partition("/")
    package: Any = None if key in HOUSE else home(key)
    for folder in getattr(package, "__path__", ()):
        file = Path(folder, "templates", path)
        if file.is_file():
            return file.read_text(encoding="utf-8"), str(file), None
    return None
