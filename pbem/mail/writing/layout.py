"""Blocks set in type: each becomes galleys of lines, by the macro of its kind in a mail's template.

Most blocks stand in many mails, alike to the byte: to every seat at a table, turn after turn. So galleys are kept by
what they say, and with them their encoding. Boards keep their own.

A page laid out twice: as text for the ear and as HTML for the eye.

Both come from the same blocks through templates, and are galleys one after the other.
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
"""Galleys that are kept in each layout and language, of a few hundred bytes each."""
RENDERER_CACHE: Final = 32
"""Layouts that are kept, two for each language that readers have."""

_MACROS: Final[Mapping[type, str]] = {
    Heading: "heading",
    Paragraph: "paragraph",
    Lines: "lines",
    Notation: "notation",
    Preformatted: "fixed",
    Points: "points",
}
"""The macros of blocks that are set of what they say, in both layouts."""


class BlockRenderer:
    """One of the two layouts in one language."""

    def __init__(self, name: str, locale: Locale) -> None:
        self._is_text = name == TEXT
        self._tongue = locale
        self._macros: Any = environment(locale).get_template(name).module
        self.set = lru_cache(maxsize=LINES_CACHE)(self._set)
        """The lines that a macro makes of some facts."""

    def _set(self, macro: str, *facts: Hashable) -> EncodedLines:
        written = str(getattr(self._macros, macro)(self._tongue, *facts))
        return EncodedLines(fold(written) if self._is_text else written)

    def set_block(self, block: Block) -> tuple[EncodedLines, ...]:
        """A block in type. Text has no words for links and pictures."""
        macro = _MACROS.get(type(block))
        if macro is not None:
            return (self.set(macro, *block),)
        if isinstance(block, Owners):
            return (block.board.owners_lines if self._is_text else block.board.owners_markup,)
        if self._is_text:
            return ()
        # A galley is kept longer than a board with its picture should be.
        facts = (block.board.cid, block.alt) if isinstance(block, Picture) else block
        return (self.set("picture" if isinstance(block, Picture) else "links", *facts),)


@lru_cache(maxsize=RENDERER_CACHE)
def find_renderer(name: str, locale: Locale) -> BlockRenderer:
    """The sheet for a layout and a language."""
    return BlockRenderer(name, locale)


_GAP: Final = EncodedLines("\n")


def render_text(context: MailContext, page: Page) -> list[EncodedLines]:
    """The text part, complete in itself."""
    sheet = find_renderer(TEXT, context.sentences.locale)
    encoded = _lay_out(sheet, context, page)
    if page.board is not None:
        encoded += (_GAP, sheet.set("drawing", context.say("drawn")), page.board.drawn_lines)
    return encoded


def render_html(context: MailContext, page: Page) -> list[EncodedLines]:
    """The HTML part."""
    return _lay_out(find_renderer(HTML, context.sentences.locale), context, page)


def _lay_out(sheet: BlockRenderer, context: MailContext, page: Page) -> list[EncodedLines]:
    table = context.table
    about = f"{context.sentences.gettext(table.game.title)}, {table.id}"
    headline = page.headline[:1].upper() + page.headline[1:]
    hint = context.say("above") if context.envelope.takes_answers else ""
    return [
        sheet.set("opening", about),
        sheet.set("greeting", REPLY_MARK, headline, hint, about),
        sheet.set("headline", headline),
        *[lines for block in page.blocks for lines in sheet.set_block(block)],
        sheet.set(
            "closing", tuple(_footer(context)), context.say("chained", table.seq), table.head, format_log_line(context)
        ),
    ]


def _footer(context: MailContext) -> Iterator[str]:
    numbered = context.say("numbered", context.envelope.number, context.table.id)
    missing = context.envelope.number > 1 and context.table.position is not None and context.envelope.takes_answers
    yield f"{numbered} {context.say('missing')}" if missing else numbered
    if context.table.stage == PLAYING and context.seat in context.table.seats:
        yield context.say("quieter", context.envelope.to.notices, context.envelope.to.plain)
