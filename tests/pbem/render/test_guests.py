"""Games that are not ours: with templates of their own, and without."""

import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from jinja2 import UndefinedError
from PIL import Image

from engine import View, registry
from pbem.locale import catalogues
from pbem.locale.catalogues import find_locale
from pbem.render import (
    DrawOptions,
    draw_page,
    draw_png,
    draw_quickly,
    draw_svg,
    draw_text,
    list_by_owner,
)
from pbem.render import environment as templates
from pbem.render.plain_scene import PlainScene
from pbem.render.tile_renderer import Placement, TileRenderer
from pbem.render.tiles import SheetPlace
from tests.conftest import Run

VIEW = {
    "seats": ["cat", "dog"],
    "to_act": ["dog"],
    "bowls": {"cat": 3, "dog": 0},
    "map": [["A1", "fish"], []],
    "night": None,
}
HOSTILE = {"note": "<script>&\u202e", "empty": {}}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The package of a guest game called ``bowls``."""
    package = ModuleType("bowls")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "bowls", package)
    for module in (registry, templates, catalogues):
        monkeypatch.setattr(module, "find_package", {"bowls": package}.get)
    monkeypatch.setattr(catalogues, "game_keys", lambda: ("bowls",))
    templates.environment.cache_clear()
    find_locale.cache_clear()
    yield package
    templates.environment.cache_clear()
    find_locale.cache_clear()


@pytest.fixture
def guest(package: ModuleType, tmp_path: Path) -> Path:
    """Its folder of templates."""
    folder = tmp_path / "templates"
    folder.mkdir()
    return folder


def test_a_guest_without_templates_is_shown_as_rows() -> None:
    rows = draw_text("guest", VIEW).split("\n")
    assert rows == [
        "seats: cat, dog",
        "to_act: dog",
        "bowls cat: 3",
        "bowls dog: 0",
        "map 1: A1, fish",
        "map 2: -",
        "night: -",
        "",
    ]
    assert list_by_owner("guest", VIEW) == draw_text("guest", VIEW)


def test_its_rows_are_a_picture_and_a_page_as_well() -> None:
    picture = ElementTree.fromstring(draw_svg("guest", VIEW, DrawOptions(theme="auto")))  # noqa: S314  # our own picture
    assert [text.text for text in picture.iter() if text.text == "fish" or text.text == "bowls cat"] == ["bowls cat"]
    assert draw_png("guest", VIEW).startswith(b"\x89PNG")
    page = draw_page("guest", VIEW)
    assert "<dt>bowls cat</dt><dd><bdi>3</bdi></dd>" in page


def test_a_hostile_view_stays_text() -> None:
    ElementTree.fromstring(draw_svg("guest", HOSTILE))  # noqa: S314  # our own picture
    page = draw_page("guest", HOSTILE, DrawOptions(title="<b>"))
    assert "<script>" not in page
    assert "<b>" not in page
    assert "\u202e" not in page + draw_text("guest", HOSTILE)


def test_a_guest_brings_its_own_templates(guest: Path) -> None:
    (guest / "board.txt").write_text(
        "{% for p in scene.players %}{{ p.name }} {{ scene.view.bowls[p.seat] }};{% endfor %}"
    )
    (guest / "board.svg").write_text('<svg>{{ scene.title }}{{ hexes(10, 20).centre("B1") }}</svg>')
    options = DrawOptions(title="a < b", names={"cat": "Tom & Co"})
    assert draw_text("bowls", VIEW, options) == "Tom & Co 3; 0;"
    assert draw_svg("bowls", VIEW, options) == "<svg>a &lt; bPoint(x=55, y=46)</svg>"
    assert "<svg>Point" in draw_page("bowls", VIEW, options)


def test_a_value_that_is_missing_is_an_error_not_a_gap(guest: Path) -> None:
    (guest / "board.txt").write_text("{{ scene.view.saucers }}")
    with pytest.raises(UndefinedError):
        draw_text("bowls", VIEW)


class BowlScene(PlainScene):
    """A scene with something worked out for the templates."""

    @property
    def fullest(self) -> str:
        return str(max(self.view["bowls"], key=self.view["bowls"].get))


def test_a_guest_brings_its_own_scene(guest: Path, package: ModuleType) -> None:
    package.SCENE = BowlScene  # type: ignore[attr-defined]  # a package made up here
    (guest / "board.txt").write_text("{{ scene.fullest }} of {{ scene.players | length }}")
    assert draw_text("bowls", VIEW) == "cat of 2"


class BowlRenderer(TileRenderer[PlainScene]):
    """One colour: enough to be told from the full picture."""

    folder = "bowls"

    def make_scene(self, view: View, options: DrawOptions) -> PlainScene:
        return PlainScene(view, options)

    def ground_of(self, scene: PlainScene) -> tuple[int, ...]:
        return (len(scene.view["seats"]),)

    def draw_ground(self, *facts: int) -> Image.Image:
        return Image.new("RGB", (facts[0] * 10, 7), "#ff8800")

    def draw_specimen(self) -> Image.Image:
        return self.draw_ground(1)

    def draw_sheet(self, sheet: Sequence[SheetPlace], size: tuple[int, int]) -> str:
        raise AssertionError("there are no tiles")

    def place_tiles(self, scene: PlainScene) -> list[Placement]:
        return []


@pytest.mark.parametrize("offered", [BowlRenderer, "bowls:Renderer"], ids=["the class", "its name"])
def test_a_guest_brings_its_own_quick_picture(package: ModuleType, offered: object) -> None:
    package.Renderer = BowlRenderer  # type: ignore[attr-defined]  # a package made up here
    package.TILE_RENDERER = offered  # type: ignore[attr-defined]  # a package made up here
    assert Image.open(BytesIO(draw_quickly("bowls", VIEW))).size == (20, 7)


def test_what_is_no_tile_renderer_is_an_error_that_says_so(package: ModuleType) -> None:
    package.TILE_RENDERER = BowlScene  # type: ignore[attr-defined]  # a package made up here
    with pytest.raises(TypeError, match="TILE_RENDERER of bowls"):
        draw_quickly("bowls", VIEW)


CATALOGUE = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "a bowl of milk"
msgstr "een kom melk"

msgid "one bowl"
msgid_plural "%(num)s bowls"
msgstr[0] "één kom"
msgstr[1] "%(num)s kommen"
"""


def test_a_guest_brings_its_own_translations(guest: Path, tmp_path: Path) -> None:
    (guest / "board.txt").write_text(
        '{{ _("a bowl of milk") }}, {% trans num=2 %}one bowl{% pluralize %}{{ num }} bowls{% endtrans %}, '
        '{{ _("dogs") }}'
    )
    messages = tmp_path / "locale" / "nl" / "LC_MESSAGES"
    messages.mkdir(parents=True)
    (messages / "caravan-post.po").write_text(CATALOGUE, "utf-8")
    assert draw_text("bowls", VIEW, DrawOptions(locale=find_locale("nl"))) == "een kom melk, 2 kommen, dogs"
    assert draw_text("bowls", VIEW, DrawOptions(locale=find_locale("pl"))) == "a bowl of milk, 2 bowls, dogs"
    assert draw_text("bowls", VIEW) == "a bowl of milk, 2 bowls, dogs"


def test_a_mail_about_our_own_games_loads_no_guest_for_its_words(run: Run) -> None:
    question = (
        "import sys; from pbem.locale.catalogues import find_locale; find_locale('nl').translations.gettext('a draw');"
        "print(*sys.modules, sep='\\n')"
    )
    loaded = run(sys.executable, "-c", question).stdout.split()
    assert "pbem.locale.catalogues" in loaded
    assert "shy_well" not in loaded
