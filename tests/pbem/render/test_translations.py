"""All prose of the templates can be said in another language."""

import re
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

import pytest

from pbem.render import DrawOptions, Locale, draw_page, draw_svg, draw_text, list_by_owner
from tests.pbem.render.conftest import Table

KEY = "through-the-desert"


class Guillemets(NullTranslations):
    """A language that says everything in English, but between guillemets."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return f"«{one if n == 1 else many}»"

    def pgettext(self, context: str, message: str) -> str:
        return f"«{message}»"


WISHES = DrawOptions(title="7", locale=Locale("xx", Guillemets()))


def unsaid(text: str) -> list[str]:
    """The words that did not go through the catalogue; signs and spaces have fewer than three letters."""
    while (less := re.sub(r"«[^«»]*»", "", text)) != text:
        text = less
    return re.findall(r"[^\W\d_]{3,}", text)


@pytest.mark.parametrize("draw", [draw_text, list_by_owner])
def test_all_words_of_the_text_can_be_translated(any_table: Table, draw: Any) -> None:
    text = draw(KEY, any_table.view, WISHES)
    assert unsaid(text) == []
    assert "«" in text


def test_all_words_of_the_picture_can_be_translated(any_table: Table) -> None:
    picture = draw_svg(KEY, any_table.view, WISHES)
    assert unsaid(" ".join(re.findall(r"<(?:text|title)[^>]*>([^<]*)", picture))) == []


def test_all_words_of_the_page_can_be_translated(table: Callable[[int, int], Table]) -> None:
    scene = table(5, 200)
    page = draw_page(
        KEY, scene.view, DrawOptions(title="7", score=scene.score, marked=scene.last, locale=WISHES.locale)
    )
    shown = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert unsaid(re.sub(r"<[^>]*>", " ", shown)) == []


def test_two_tongues_do_not_mix(table: Callable[[int, int], Table]) -> None:
    view = table(2, 17).view
    assert "«" in draw_text(KEY, view, WISHES)
    assert "«" not in draw_text(KEY, view)
