"""Drawings as trees: SVG read into tuples that can be compared, and written again without a superfluous byte.

White space between elements means nothing in our drawings and is left out. What a browser makes of the written form is
the same tree, node by node, so a path of child numbers leads to the same place in both.
"""

from collections.abc import Iterator
from html import escape
from typing import Any, Final, NamedTuple, TypeAlias
from xml.parsers import expat


class Element(NamedTuple):
    """One element of a drawing. Its attributes stand in the order of their names, for their order means nothing."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: "tuple[Node, ...]"


Node: TypeAlias = Element | str


def read_tree(drawing: str) -> Element:
    """The tree of a drawing, without its styles, which `styles_in` gives, and what it is, which a page says itself."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.Parse(drawing, True)
    (root,) = reader.top
    bare = without_styles(root)
    return bare._replace(
        attributes=tuple(each for each in bare.attributes if each[0] != ROLE),
        children=tuple(child for child in bare.children if not _is(child, TITLE)),
    )


class _Reader:
    """Puts together what the parser tells."""

    def __init__(self) -> None:
        self.top: list[Element] = []
        self._open: list[tuple[str, tuple[tuple[str, str], ...], list[Node]]] = []

    def start(self, tag: str, attributes: list[str]) -> None:
        self._open.append((tag, tuple(sorted(zip(attributes[::2], attributes[1::2], strict=True))), []))

    def end(self, _: str) -> None:
        tag, attributes, children = self._open.pop()
        made = Element(tag, attributes, tuple(children))
        if self._open:
            self._open[-1][2].append(made)
        else:
            self.top.append(made)

    def text(self, said: str) -> None:
        if said.strip():
            self._open[-1][2].append(said)


STYLE: Final = "style"
TITLE: Final = "title"
ROLE: Final = "role"


def _is(node: Node, tag: str) -> bool:
    return not isinstance(node, str) and node.tag == tag


def without_styles(element: Element) -> Element:
    """The same without the elements that hold styles, which a page keeps in a file of their own."""
    children = tuple(
        child if isinstance(child, str) else without_styles(child)
        for child in element.children
        if not _is(child, STYLE)
    )
    return element if children == element.children else element._replace(children=children)


def styles_in(drawing: str) -> str:
    """The styles of a drawing, which hold for the whole page."""
    found: list[str] = []
    parser: Any = expat.ParserCreate()
    parser.buffer_text = True
    within: list[str] = []
    parser.StartElementHandler = lambda tag, _: within.append(tag)
    parser.EndElementHandler = lambda _: within.pop()
    parser.CharacterDataHandler = lambda said: found.append(said) if within[-1] == STYLE else None
    parser.Parse(drawing, True)
    return "".join(found).strip()


def write_tree(node: Node) -> str:
    """A tree as markup that fits into a page. Every element is closed by name, as HTML wants it."""
    return "".join(_pieces(node))


def _pieces(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield escape(node, quote=False)
        return
    said = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes)
    yield f"<{node.tag}{said}>"
    for child in node.children:
        yield from _pieces(child)
    yield f"</{node.tag}>"
