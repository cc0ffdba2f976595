"""A page laid out twice: as text for the ear and as HTML for the eye.

Both come from the same blocks through templates. Text is folded to lines that every program can show; what stands
behind a bar stays behind it.
"""

from collections.abc import Iterator
from textwrap import TextWrapper
from typing import Any, Final

from pbem.letters.marks import ABOVE
from pbem.letters.page import Page, Pen
from pbem.render import choose_template
from pbem.tables.table import PLAYING

WIDTH: Final = 76
BAR: Final = "| "


def lay_out_text(pen: Pen, page: Page) -> str:
    """The text part, complete in itself."""
    said = _fill("letter.txt", pen, page, drawn=pen.say("drawn"), drawing=page.board.drawing if page.board else "")
    return "\n".join(_tidy(fold(said))) + "\n"


def lay_out_html(pen: Pen, page: Page) -> str:
    """The HTML part."""
    return _fill("letter.html", pen, page)


def _fill(name: str, pen: Pen, page: Page, **more: Any) -> str:
    table = pen.table
    return choose_template("mails", name, pen.voice.tongue).render(
        tongue=pen.voice.tongue,
        mark=ABOVE,
        hint=pen.say("above"),
        title=f"{table.game.title}, {table.id}",
        headline=page.headline[:1].upper() + page.headline[1:],
        blocks=page.blocks,
        footer=list(_footer(pen)),
        chained=pen.say("chained", table.seq),
        seal=table.head,
        **more,
    )


def _footer(pen: Pen) -> Iterator[str]:
    numbered = pen.say("numbered", pen.slip.number, pen.table.id)
    missing = pen.slip.number > 1 and pen.table.position is not None
    yield f"{numbered} {pen.say('missing')}" if missing else numbered
    if pen.table.stage == PLAYING and pen.seat in pen.table.seats:
        yield pen.say("quieter")


def fold(text: str) -> Iterator[str]:
    """Lines of a letter's width. A line goes on below with its own indent, a barred one behind its bar."""
    for line in text.splitlines():
        if len(line) <= WIDTH:
            yield line.rstrip()
            continue
        bar = BAR if line.startswith(BAR) else ""
        rest = line.removeprefix(bar)
        indent = rest[: len(rest) - len(rest.lstrip())]
        wrapper = TextWrapper(
            WIDTH,
            initial_indent=bar + indent,
            subsequent_indent=bar + indent + ("  " if bar or indent else ""),
            break_on_hyphens=False,
        )
        yield from wrapper.wrap(rest.strip())


def _tidy(lines: Iterator[str]) -> Iterator[str]:
    """No two empty lines one after the other, and none at either end."""
    before = ""
    for line in lines:
        if line or before:
            if before == "" and line == "":
                continue
            yield line
        before = line
