"""A book of annotated games as one HTML page that can be read, sent and printed without a network."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from pbem.books.chapter_parts import Block, Board, Chapter, Diagram, Variation
from pbem.locale.catalogues import Locale
from pbem.render.environment import choose_template, environment
from pbem.render.plots import LinePlot, plot_lines

HOW_TO_PRINT: Final = (
    "a .pdf needs WeasyPrint: install caravan-post[edition]; or write .html and print it from any browser"
)
_KEPT_IN_DATA: Final = "$()*+-./:;=?@_~!"
"""No blank and no comma: they part the pictures of a `srcset`."""


@dataclass(frozen=True)
class _Picture:
    """A board as a page has it: pictures are data, apart from each other and from the styles of the page."""

    picture: str
    narrow: str
    words: str
    caption: str


@dataclass(frozen=True)
class _Part:
    """A chapter as the template has it."""

    told: Chapter
    players_named: str
    subtitle: str
    plot: LinePlot | None
    blocks: tuple[object, ...]


def write_edition(chapters: Sequence[Chapter], locale: Locale, *, title: str = "") -> str:
    """The page of a book with these games."""
    parts = tuple(_part(chapter, locale) for chapter in chapters)
    name = title or (parts[0].told.title or parts[0].told.game if len(parts) == 1 else "")
    template = environment(locale).get_template("books/edition.html")
    return template.render(locale=locale, title=name, chapters=parts)


def have_weasyprint() -> bool:
    """Whether a book can be written as PDF here."""
    from importlib.util import find_spec

    return find_spec("weasyprint") is not None


def print_edition(page: str) -> bytes:
    """The page as PDF. Nothing but what stands in it is loaded."""
    from weasyprint import HTML, default_url_fetcher

    def fetch(url: str, **options: object) -> object:
        if not url.startswith("data:"):
            raise ValueError("a book loads nothing from outside")
        return default_url_fetcher(url, **options)

    printed: bytes = HTML(string=page, url_fetcher=fetch).write_pdf()
    return printed


def _part(chapter: Chapter, locale: Locale) -> _Part:
    words: Any = choose_template("books", "words.txt", locale).module
    in_order = {each.seat: each.name for each in chapter.players}
    seats = [seat for seat in chapter.points if seat in in_order]
    return _Part(
        chapter,
        " \N{EN DASH} ".join(in_order[seat] for seat in seats),
        f"{chapter.game} · {words.turns(chapter.turns)}",
        plot_lines(chapter.points, in_order),
        tuple(map(_block, chapter.blocks)),
    )


def _block(block: Block) -> object:
    if isinstance(block, Diagram):
        return {"kind": block.kind, "board": _picture(block.board)}
    if isinstance(block, Variation):
        board = None if block.board is None else _picture(block.board)
        return {"kind": block.kind, "board": board, "blocks": tuple(map(_block, block.blocks))}
    return block


def _picture(board: Board) -> _Picture:
    narrow = _as_data(board.narrow) if board.narrow else ""
    return _Picture(_as_data(board.svg), narrow, board.words, board.caption)


def _as_data(svg: str) -> str:
    return f"data:image/svg+xml,{quote(svg, safe=_KEPT_IN_DATA)}"
