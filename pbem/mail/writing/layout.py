"""Renders a page twice, as text and as HTML, block by block through the macros of `templates/mails`.

Most blocks stand in many mails with the same bytes: to every seat at a table, turn after turn. So rendered blocks are
cached by their content, together with their encoding. Boards cache their own.
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from pbem.mail.format import REPLY_MARK
from pbem.mail.writing.blocks import (
    Block,
    Heading,
    Lines,
    Notation,
    Owners,
    Paragraph,
    Picture,
    Points,
    Preformatted,
)
from pbem.mail.writing.encoded_lines import EncodedLines, fold
from pbem.mail.writing.page import MailContext, Page
from pbem.mail.writing.proofs import format_log_line
from pbem.render import Locale
from pbem.render.environment import environment
from pbem.tables.table import PLAYING

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
        macro = _MACROS.get(type(block))
        if macro is not None:
            return (self.render(macro, *block),)
        if isinstance(block, Owners):
            return (block.board.owners_lines if self._is_text else block.board.owners_markup,)
        if self._is_text:
            return ()
        # Only the name of the picture goes into the cache, which outlives the board and its picture.
        facts = (block.image.cid, block.alt, block.image.narrow) if isinstance(block, Picture) else block
        return (self.render("picture" if isinstance(block, Picture) else "links", *facts),)


@lru_cache(maxsize=RENDERER_CACHE)
def find_renderer(name: str, locale: Locale) -> BlockRenderer:
    """The renderer for a layout and a language."""
    return BlockRenderer(name, locale)


_GAP: Final = EncodedLines("\n")


def render_text(context: MailContext, page: Page) -> list[EncodedLines]:
    """The text part; it says everything that the HTML part says."""
    renderer = find_renderer(TEXT, context.sentences.locale)
    parts = _render_page(renderer, context, page)
    if page.board is not None:
        parts += (_GAP, renderer.render("drawing", context.say("drawn")), page.board.drawn_lines)
    return parts


def render_html(context: MailContext, page: Page) -> list[EncodedLines]:
    """The HTML part."""
    return _render_page(find_renderer(HTML, context.sentences.locale), context, page)


def _render_page(renderer: BlockRenderer, context: MailContext, page: Page) -> list[EncodedLines]:
    table = context.table
    about = f"{context.sentences.gettext(table.game.title)}, {table.id}"
    headline = page.headline[:1].upper() + page.headline[1:]
    hint = context.say("above") if context.envelope.takes_answers else ""
    return [
        renderer.render("opening", about),
        renderer.render("greeting", REPLY_MARK, headline, hint, about),
        renderer.render("headline", headline),
        *[lines for block in page.blocks for lines in renderer.render_block(block)],
        renderer.render(
            "closing", tuple(_footer(context)), context.say("chained", table.seq), table.head, format_log_line(context)
        ),
    ]


def _footer(context: MailContext) -> Iterator[str]:
    numbered = context.say("numbered", context.envelope.number, context.table.id)
    missing = context.envelope.number > 1 and context.table.position is not None and context.envelope.takes_answers
    yield f"{numbered} {context.say('missing')}" if missing else numbered
    if context.table.stage == PLAYING and context.seat in context.table.seats:
        yield context.say("quieter", context.envelope.to.notices, context.envelope.to.plain)
