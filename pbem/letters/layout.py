"""A page laid out twice: as text for the ear and as HTML for the eye.

Both come from the same blocks through templates. The board in sentences and in characters was set when it was first
shown, and is only put in its place.
"""

from collections.abc import Iterator
from typing import Any, Final

from pbem.letters.blocks import Owners
from pbem.letters.board import Board
from pbem.letters.folding import fold
from pbem.letters.galleys import Galley
from pbem.letters.marks import ABOVE
from pbem.letters.page import Page, Pen
from pbem.letters.proofs import footnote
from pbem.render import choose_template
from pbem.tables.table import PLAYING

_SLOT: Final = "\0board\0"
"""Where the sentences about a board come; nothing else holds this."""


def lay_out_text(pen: Pen, page: Page) -> list[Galley]:
    """The text part, complete in itself."""
    said = _fill("letter.txt", pen, page, drawn=pen.say("drawn") if page.board else "")
    galleys = _put_in(fold(said), [board.owners_lines for board in _boards(page)])
    return [*galleys, page.board.drawn_lines] if page.board else galleys


def lay_out_html(pen: Pen, page: Page) -> list[Galley]:
    """The HTML part."""
    return _put_in(_fill("letter.html", pen, page), [board.owners_markup for board in _boards(page)])


def _boards(page: Page) -> list[Board]:
    """The boards that the page tells in sentences."""
    return [block.board for block in page.blocks if isinstance(block, Owners)]


def _put_in(text: str, boards: list[Galley]) -> list[Galley]:
    """A text with the lines about boards in their places."""
    first, *others = text.split(f"{_SLOT}\n")
    galleys = [Galley(first)]
    for board, rest in zip(boards, others, strict=True):
        galleys += board, Galley(rest)
    return galleys


def _fill(name: str, pen: Pen, page: Page, **more: Any) -> str:
    table = pen.table
    return choose_template("mails", name, pen.voice.tongue).render(
        tongue=pen.voice.tongue,
        mark=ABOVE,
        hint=pen.say("above"),
        title=f"{table.game.title}, {table.id}",
        headline=page.headline[:1].upper() + page.headline[1:],
        blocks=page.blocks,
        slot=_SLOT,
        footer=list(_footer(pen)),
        chained=pen.say("chained", table.seq),
        seal=table.head,
        footnote=footnote(pen),
        **more,
    )


def _footer(pen: Pen) -> Iterator[str]:
    numbered = pen.say("numbered", pen.slip.number, pen.table.id)
    missing = pen.slip.number > 1 and pen.table.position is not None and pen.slip.takes_answers
    yield f"{numbered} {pen.say('missing')}" if missing else numbered
    if pen.table.stage == PLAYING and pen.seat in pen.table.seats:
        yield pen.say("quieter")
