"""The HTML of every mail is short, fetches nothing, and can be read in the dark and by screen readers."""

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from tests.pbem.mail.writing.conftest import POST, all_occasions
from tests.post.secrets.mail_kinds import ASIDE, HELD, every_kind, kinds_of

ROOM = 90_000
"""Bytes of HTML that no program cuts off."""
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "table", "tr", "td", "th", "caption", "p", "div", "span"),
    *("h1", "h2", "h3", "a", "img", "br"),
}
"""All elements that our mails are made of."""


def test_there_is_a_mail_of_every_kind(mails: dict[str, Mail]) -> None:
    reached = {kind for name, _, seat, told in all_occasions() for kind in kinds_of(told, mails[name].kind, seat)}
    # Of two there is no HTML, two are about no table, and what events are told in is the same for all of them.
    others = {
        kind
        for kind in every_kind()
        if kind.startswith((ASIDE, HELD, "lobby", "welcome", "event ", "own ", "decision away"))
    }
    assert every_kind() - others - reached == set()


def test_html_is_short_uses_few_elements_and_fetches_nothing(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    for name, mail in mails.items():
        page = read(mail)["text/html"]
        assert len(page.encode()) < ROOM, name
        top = tree(page)
        assert {element.tag for element in top.iter()} <= TAGS, name
        for element in top.iter():
            for attribute, value in element.attrib.items():
                assert not attribute.startswith("on"), name
                if attribute in ("src", "href", "background", "action"):
                    assert value.startswith(("cid:", "mailto:")), (name, value)
                assert "url(" not in value, name
        assert "url(" not in page, name
        assert "http" not in re.sub(r"http-equiv", "", page), name


def test_html_is_laid_out_for_screen_readers(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    for name, mail in mails.items():
        top = tree(read(mail)["text/html"])
        assert (top.get("lang"), top.get("dir")) == ("en", "ltr"), name
        for table in top.iter("table"):
            assert table.get("dir") == "ltr", name
            if table.get("role") != "presentation":
                assert len(table.findall("caption")) == 1, name
                assert {th.get("scope") for th in table.iter("th")} == {"row"}, name
        for picture in top.iter("img"):
            alt = picture.get("alt", "")
            # The page of rules has an example instead of the table's board.
            assert "board of sirocco-7" in alt or name == "rules", name
            assert "turn" in alt or "over" in alt or "J6 is not" in alt, name
        assert len(top.findall(".//h1")) == 1, name


def test_the_alternative_text_says_whose_turn_it_is_and_what_is_open(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (alt,) = re.findall(r'alt="([^"]*)"', read(mails["turn"])["text/html"])
    assert "It is your turn, turn 61." in alt
    assert re.search(r"Open: N5 N6 [A-Z0-9 ]+\.$", alt)


def test_every_colour_is_given_with_its_background_so_that_dark_screens_stay_readable(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    for name, mail in mails.items():
        top = tree(read(mail)["text/html"])
        (body,) = top.iter("body")
        assert {"background-color", "color"} <= {rule.split(":")[0] for rule in body.get("style", "").split(";")}, name
        for button in top.iterfind('.//a[@class="d-button"]'):
            assert {"background-color", "color"} <= {rule.split(":")[0] for rule in button.get("style", "").split(";")}
        (style,) = top.iter("style")
        assert set(re.findall(r"([\w-]+): ", style.text or "")) <= {
            "prefers-color-scheme",
            "background-color",
            "color",
            "border-color",
        }


def test_the_one_style_rule_is_the_same_in_every_mail(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    rules = [re.findall(r"<style>(.*?)</style>", read(mail)["text/html"], re.DOTALL) for mail in mails.values()]
    assert [len(found) for found in rules] == [1] * len(mails)
    assert len({found[0] for found in rules}) == 1


_UNSEEN = re.compile(r"[\s|\u00b7\u00a0\u200e\u200f\u2066-\u2069]+")
"""Blanks, bars, dots and marks of direction, in which the two parts of a mail differ."""
_ROWS = ("p", "td", "th", "tr", "caption", "div", "h1", "h2", "h3", "table", "br")


def _said(element: Element) -> list[str]:
    """What a page says, piece by piece, without its links: the text part says in sentences what to write.

    Short forms beside a picture are left out too: the text part has the whole list instead.
    """
    pieces = [""]

    def walk(each: Element) -> None:
        if each.tag in ("style", "title", "a") or each.get("class") == "d-short":
            return
        pieces.extend([""] if each.tag in _ROWS else [])
        pieces[-1] += each.text or ""
        for child in each:
            walk(child)
            pieces.extend([""] if child.tag in _ROWS else [])
            pieces[-1] += child.tail or ""

    walk(element)
    return pieces


def _bare(text: str) -> str:
    return _UNSEEN.sub("", text).replace("\u2212", "-").lower()


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_the_text_part_says_all_that_the_page_says(
    language: str,
    write_mails: Callable[..., dict[str, Mail]],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", lambda *_: b"\x89PNG")
    seen = 0
    for name, mail in write_mails(Composer(POST), language).items():
        parts = read(mail)
        text = _bare(parts["text/plain"])
        for piece in filter(None, map(_bare, _said(tree(parts["text/html"])))):
            assert piece in text, (name, piece)
            seen += 1
    assert seen > 1_000
