"""The picture in dots is the same everywhere, and small."""

import re
import struct
from collections.abc import Callable

import pytest

from pbem.render import DrawOptions, draw_png, draw_svg
from tests.pbem.render.conftest import Table

KEY = "through-the-desert"


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert picture[12:16] == b"IHDR"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def test_the_same_view_gives_the_same_bytes_and_few_of_them(table: Callable[[int, int], Table]) -> None:
    scene = table(4, 60)
    options = DrawOptions(title="Sirocco 7", names={"red": "Анна", "blue": "שרה"}, marked=scene.last, score=scene.score)
    picture = draw_png(KEY, scene.view, options)
    assert picture == draw_png(KEY, scene.view, options)
    assert len(picture) < 150_000
    asked = re.search(r'width="(\d+)" height="(\d+)"', draw_svg(KEY, scene.view, options))
    assert asked
    assert size(picture) == (int(asked[1]), int(asked[2]))


def test_the_picture_can_be_as_wide_as_asked(table: Callable[[int, int], Table]) -> None:
    assert size(draw_png(KEY, table(2, 17).view, width=600))[0] == 600


def test_the_letters_come_from_our_own_fonts(
    table: Callable[[int, int], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = table(2, 17)
    ours = draw_png(KEY, scene.view, width=600)
    monkeypatch.setattr("pbem.render.raster._font_files", tuple)
    assert draw_png(KEY, scene.view, width=600) != ours


@pytest.mark.parametrize(("name", "other"), [("Łódź", "Żółć"), ("Юрий", "Осип"), ("משה", "נחל")])
def test_names_in_latin_cyrillic_and_hebrew_are_drawn(name: str, other: str) -> None:
    # Letters that a font lacks all look the same.
    assert draw_png("any", {"name": name}) != draw_png("any", {"name": other})
    assert draw_png("any", {"name": "李"}) == draw_png("any", {"name": "王"})
