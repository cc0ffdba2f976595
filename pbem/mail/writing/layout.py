"""Renders a page twice, as text and as HTML, block by block through the macros of `templates/mails`.

Most blocks stand in many mails with the same bytes: to every seat at a table, turn after turn. So rendered blocks are
cached by their content, together with their encoding. Boards cache their own.
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from engine.verdict import begin_sentence
from pbem.mail.format import POINT_END, REPLY_MARK, shorten_point
from pbem.mail.writing.blocks import (
    IN_WORDS,
    Block,
    Heading,
    Lines,
    Links,
    Notation,
    Owners,
    Paragraph,
    Picture,
    Points,
    Preformatted,
)
from pbem.mail.writing.encoded_lines import EncodedLines, fold
from pbem.mail.writing.page import MailContext, Page
from pbem.render import Locale
from pbem.render.environment import environment

SHORT_HEAD: Final = 8
"""Characters of the history's hash in the footer, which two players can compare by telephone."""
TEXT: Final = "mails/letter.txt"
HTML: Final = "mails/letter.html"
LINES_CACHE: Final = 4096
"""Rendered blocks that are cached for each layout and language, of a few hundred bytes each."""
RENDERER_CACHE: Final = 32
"""Renderers that are cached, two for each language that readers have."""

_MACROS: Final[Mapping[type, str]] = {
    Heading: "heading",
    Paragraph: "paragraph",
    Lines: "lines",
    Notation: "notation",
    Preformatted: "fixed",
    Points: "points",
}
"""The macros of blocks that hold all they show, the same names in both layouts."""


class BlockRenderer:
    """One of the two layouts in one language."""

    def __init__(self, name: str, locale: Locale) -> None:
        self._is_text = name == TEXT
        self._locale = locale
        self._macros: Any = environment(locale).get_template(name).module
        self.render = lru_cache(maxsize=LINES_CACHE)(self._render)
        """The lines that a macro makes of some facts."""

    def _render(self, macro: str, *facts: Hashable) -> EncodedLines:
        written = str(getattr(self._macros, macro)(self._locale, *facts))
        return EncodedLines(fold(written) if self._is_text else written)

    def render_block(self, block: Block) -> tuple[EncodedLines, ...]:
        """A block as lines. The text part has none for links and pictures."""
        if isinstance(block, Lines) and block.pictured is not None:
            shown = block.lines if self._is_text else block.pictured
            if not shown:
                return ()
            block = block._replace(lines=shown, pictured=None if self._is_text else ())
        if isinstance(block, Paragraph) and block.weight == IN_WORDS and not self._is_text:
            return ()
        macro = _MACROS.get(type(block))
        if macro is not None:
            return (self.render(macro, *block),)
        if isinstance(block, Owners):
            return self._render_owners(block)
        if self._is_text:
            return ()
        # Only the name of the picture goes into the cache, which outlives the board and its picture.
        facts = (block.image.cid, block.alt, block.image.narrow) if isinstance(block, Picture) else block
        return (self.render("picture" if isinstance(block, Picture) else "links", *facts),)

    def _render_owners(self, block: Owners) -> tuple[EncodedLines, ...]:
        if self._is_text:
            title = (self.render("heading", block.title),) if block.title else ()
            return (*title, block.board.owners_lines)
        return () if block.pictured else (self.render("heading", block.title), block.board.owners_markup)


@lru_cache(maxsize=RENDERER_CACHE)
def find_renderer(name: str, locale: Locale) -> BlockRenderer:
    """The renderer for a layout and a language."""
    return BlockRenderer(name, locale)


_GAP: Final = EncodedLines("\n")


def render_text(context: MailContext, page: Page) -> list[EncodedLines]:
    """The text part: all that the HTML part says, the board in words and as a drawing, and what the mail proves."""
    renderer = find_renderer(TEXT, context.sentences.locale)
    parts = _render_page(renderer, context, page)
    if page.board is not None:
        parts += (_GAP, renderer.render("drawing", context.say("drawn")), page.board.drawn_lines)
    proofs = [lines for block in page.proofs for lines in renderer.render_block(block)]
    return [*parts, _GAP, *proofs]


def render_html(context: MailContext, page: Page) -> list[EncodedLines]:
    """The HTML part."""
    return _render_page(find_renderer(HTML, context.sentences.locale), context, page)


def _render_page(renderer: BlockRenderer, context: MailContext, page: Page) -> list[EncodedLines]:
    table = context.table
    about = f"{context.sentences.gettext(table.game.title)}, {table.id}"
    return render_blocks(renderer, about, page, tuple(_footer(context)))


def render_blocks(renderer: BlockRenderer, about: str, page: Page, footer: tuple[str, ...]) -> list[EncodedLines]:
    """A page in one of the two layouts: what it is `about` above it, its blocks, and a footer."""
    headline = page.headline[:1].upper() + page.headline[1:]
    point = shorten_point(begin_sentence(page.point or headline))
    return [
        renderer.render("opening", about),
        renderer.render("greeting", f"{point} {POINT_END}", REPLY_MARK, about),
        renderer.render("headline", headline),
        *[lines for block in _join_links(page.blocks) for lines in renderer.render_block(block)],
        renderer.render("closing", footer),
    ]


def _join_links(blocks: tuple[Block, ...]) -> list[Block]:
    """The same blocks, with small links that follow one another in one row."""
    joined: list[Block] = []
    for block in blocks:
        before = joined[-1] if joined else None
        if isinstance(block, Links) and isinstance(before, Links) and not block.button and not before.button:
            joined[-1] = before._replace(links=(*before.links, *block.links))
        else:
            joined.append(block)
    return joined


def _footer(context: MailContext) -> Iterator[str]:
    if context.envelope.takes_answers:
        yield context.say("words_we_know")
    yield context.say("numbered", context.envelope.number, context.table.head[:SHORT_HEAD])
