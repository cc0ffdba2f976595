"""A page laid out twice: as text for the ear and as HTML for the eye.

Both come from the same blocks through templates, and are galleys one after the other.
"""

from collections.abc import Iterator
from typing import Final

from pbem.letters.pages.page import Page, Pen
from pbem.letters.pages.proofs import footnote
from pbem.letters.setting import HTML, TEXT, set_block, set_lines
from pbem.letters.wire.galleys import Galley
from pbem.letters.wire.marks import ABOVE
from pbem.tables.table import PLAYING

_GAP: Final = Galley("\n")


def lay_out_text(pen: Pen, page: Page) -> list[Galley]:
    """The text part, complete in itself."""
    galleys = list(_lay_out(TEXT, pen, page))
    if page.board is None:
        return galleys
    return [*galleys, _GAP, set_lines(TEXT, pen.voice.tongue, "drawing", pen.say("drawn")), page.board.drawn_lines]


def lay_out_html(pen: Pen, page: Page) -> list[Galley]:
    """The HTML part."""
    return list(_lay_out(HTML, pen, page))


def _lay_out(sheet: str, pen: Pen, page: Page) -> Iterator[Galley]:
    table, tongue = pen.table, pen.voice.tongue
    about = f"{pen.voice.gettext(table.game.title)}, {table.id}"
    yield set_lines(sheet, tongue, "opening", ABOVE, pen.say("above"), about)
    yield set_lines(sheet, tongue, "headline", page.headline[:1].upper() + page.headline[1:])
    for block in page.blocks:
        yield set_block(sheet, tongue, block)
    chained = pen.say("chained", table.seq)
    yield set_lines(sheet, tongue, "closing", tuple(_footer(pen)), chained, table.head, footnote(pen))


def _footer(pen: Pen) -> Iterator[str]:
    numbered = pen.say("numbered", pen.slip.number, pen.table.id)
    missing = pen.slip.number > 1 and pen.table.position is not None and pen.slip.takes_answers
    yield f"{numbered} {pen.say('missing')}" if missing else numbered
    if pen.table.stage == PLAYING and pen.seat in pen.table.seats:
        yield pen.say("quieter", pen.slip.to.notices, pen.slip.to.plain)
