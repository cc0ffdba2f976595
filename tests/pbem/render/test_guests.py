"""Games that are not ours: with templates of their own, and without."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from jinja2 import UndefinedError

from pbem.render import DrawOptions, draw_page, draw_png, draw_svg, draw_text, list_by_owner
from pbem.render import environment as templates

VIEW = {
    "seats": ["cat", "dog"],
    "to_act": ["dog"],
    "bowls": {"cat": 3, "dog": 0},
    "map": [["A1", "fish"], []],
    "night": None,
}
HOSTILE = {"note": "<script>&\u202e", "empty": {}}


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The templates folder of a guest game called ``bowls``."""
    package = ModuleType("bowls")
    package.__path__ = [str(tmp_path)]
    folder = tmp_path / "templates"
    folder.mkdir()
    monkeypatch.setattr(templates, "find_package", {"bowls": package}.get)
    templates.environment.cache_clear()
    yield folder
    templates.environment.cache_clear()


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
