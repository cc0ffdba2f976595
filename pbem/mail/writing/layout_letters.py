"""A page laid out twice: as text for the ear and as HTML for the eye.

Both come from the same blocks through templates, and are galleys one after the other.
"""

from collections.abc import Iterator
from typing import Final

from pbem.mail.marks import ABOVE
from pbem.mail.writing.encoded_lines import Galley
from pbem.mail.writing.layout import HTML, TEXT, Sheet, find_sheet
from pbem.mail.writing.page import Page, Pen
from pbem.mail.writing.proofs import footnote
from pbem.tables.table import PLAYING

_GAP: Final = Galley("\n")


def lay_out_text(pen: Pen, page: Page) -> list[Galley]:
    """The text part, complete in itself."""
    sheet = find_sheet(TEXT, pen.voice.tongue)
    galleys = _lay_out(sheet, pen, page)
    if page.board is not None:
        galleys += (_GAP, sheet.set("drawing", pen.say("drawn")), page.board.drawn_lines)
    return galleys


def lay_out_html(pen: Pen, page: Page) -> list[Galley]:
    """The HTML part."""
    return _lay_out(find_sheet(HTML, pen.voice.tongue), pen, page)


def _lay_out(sheet: Sheet, pen: Pen, page: Page) -> list[Galley]:
    table = pen.table
    about = f"{pen.voice.gettext(table.game.title)}, {table.id}"
    headline = page.headline[:1].upper() + page.headline[1:]
    hint = pen.say("above") if pen.slip.takes_answers else ""
    return [
        sheet.set("opening", about),
        sheet.set("greeting", ABOVE, headline, hint, about),
        sheet.set("headline", headline),
        *[galley for block in page.blocks for galley in sheet.set_block(block)],
        sheet.set("closing", tuple(_footer(pen)), pen.say("chained", table.seq), table.head, footnote(pen)),
    ]


def _footer(pen: Pen) -> Iterator[str]:
    numbered = pen.say("numbered", pen.slip.number, pen.table.id)
    missing = pen.slip.number > 1 and pen.table.position is not None and pen.slip.takes_answers
    yield f"{numbered} {pen.say('missing')}" if missing else numbered
    if pen.table.stage == PLAYING and pen.seat in pen.table.seats:
        yield pen.say("quieter", pen.slip.to.notices, pen.slip.to.plain)
