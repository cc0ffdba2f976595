"""The page is complete in itself, adds up, and keeps strangers' words as text."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from pbem.render import DrawOptions, Locale, draw_page
from tests.pbem.render.conftest import Table

KEY = "through-the-desert"
EMPTY = {"meta", "br", "link", "img", "input", "hr"}


class Reader(HTMLParser):
    """Notes tags, links and words of a page, and that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "action", "data")]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_is_complete_in_itself(any_table: Table) -> None:
    page = draw_page(KEY, any_table.view, DrawOptions(marked=any_table.last, score=any_table.score))
    reader = read(page)
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(reader.tags)
    assert all(link.startswith("#") for link in reader.links)
    assert re.findall(r"https?:[^\"]*", page) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"@import|url\((?!#)", page)


def test_the_page_follows_the_readers_light(table: Callable[[int, int], Table]) -> None:
    page = draw_page(KEY, table(2, 17).view)
    assert page.count("prefers-color-scheme") == 2
    assert '<meta name="color-scheme" content="light dark">' in page


def test_the_score_table_adds_up(table: Callable[[int, int], Table]) -> None:
    scene = table(5, 200)
    page = draw_page(KEY, scene.view, DrawOptions(score=scene.score))
    rows = [
        [int(cell) for cell in re.findall(r"<td>(\d+)", row)] for row in re.findall(r"<tr><th scope=\"row\">.*", page)
    ]
    assert rows[-1] == [sum(column) for column in zip(*rows[:-1], strict=True)]
    assert rows[-1] == [tally.total for tally in scene.score.tallies]
    assert page.count("★") == len(scene.score.winners)


def test_points_are_shown_only_when_asked_for(table: Callable[[int, int], Table]) -> None:
    assert "<table>" not in draw_page(KEY, table(4, 60).view)


def test_the_page_lists_every_camel(any_table: Table) -> None:
    words = {word.strip(",.:") for word in read(draw_page(KEY, any_table.view)).words}
    for caravans in any_table.view["camels"].values():
        assert {space for spaces in caravans.values() for space in spaces} <= words


def test_a_language_may_run_from_right_to_left_and_the_board_does_not(table: Callable[[int, int], Table]) -> None:
    page = draw_page(KEY, table(2, 17).view, DrawOptions(names={"red": "שרה"}, locale=Locale("he", rtl=True)))
    assert '<html lang="he" dir="rtl">' in page
    assert '<figure dir="ltr">' in page
    assert "<bdi>שרה</bdi>" in page
    assert not re.search(r"(margin|padding|border|text-align)[-a-z]*: ?[^;]*\b(left|right)\b", page)


@pytest.mark.parametrize(
    "name", ["</section><script>alert(1)</script>", '"><img src=x>', "{{ 7 * 7 }}", "\u202eevil\0"]
)
def test_a_hostile_name_stays_text(table: Callable[[int, int], Table], name: str) -> None:
    scene = table(2, 17)
    page = draw_page(KEY, scene.view, DrawOptions(title=name, names={"red": name}, score=scene.score))
    reader = read(page)
    assert not {"script", "img"} & set(reader.tags)
    assert "49" not in reader.words
    assert "\u202e" not in page
    assert "\0" not in page


def test_a_page_stays_below_the_size_that_mail_services_clip(any_table: Table) -> None:
    assert len(draw_page(KEY, any_table.view, DrawOptions(score=any_table.score)).encode()) < 102_000
