"""HTML pages taken apart: as a tree of elements, and as the lines that a program shows."""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, TreeBuilder

import pytest


class _Builder(HTMLParser):
    """Builds a tree of a page; an element that is never closed, or closed twice, is a mistake of ours."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = TreeBuilder()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tree.start(tag, {name: value or "" for name, value in attrs})
        if tag in ("meta", "br", "img"):
            self.tree.end(tag)
        else:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.tree.end(tag)

    def handle_data(self, data: str) -> None:
        if self.open:
            self.tree.data(data)


def parse(page: str) -> Element:
    """The elements of an HTML page."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert builder.open == []
    return builder.tree.close()


def show(page: str) -> list[str]:
    """The lines of a page as a program shows them that knows no styles."""
    lines = [""]
    for element, text in _walk(parse(page)):
        if element in ("p", "br", "tr", "td", "div", "caption", "h1", "h2", "h3", "table"):
            lines.append("")
        lines[-1] += text
    return [" ".join(line.split()) for line in lines if line.strip()]


def _walk(element: Element) -> Iterator[tuple[str, str]]:
    if element.tag in ("style", "title"):
        return
    yield str(element.tag), element.text or ""
    for child in element:
        yield from _walk(child)
        yield str(child.tag) if child.tag in ("p", "div", "br", "table") else "", child.tail or ""


@pytest.fixture(scope="session")
def tree() -> Callable[[str], Element]:
    return parse


@pytest.fixture(scope="session")
def shown() -> Callable[[str], list[str]]:
    return show
