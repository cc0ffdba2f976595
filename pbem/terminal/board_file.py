"""The board as a file: a picture, a page, text or data, as the ending of the file's name says."""

from typing import TYPE_CHECKING, Final

from pbem.render import (
    ENGLISH,
    DrawOptions,
    Locale,
    draw_page,
    draw_png,
    draw_svg,
    draw_text,
    marks_of,
)
from pbem.terminal.summaries import outcome

if TYPE_CHECKING:
    from engine.game import Seat
    from pbem.judging.result import ReplayResult

FORMS: Final = (".svg", ".png", ".txt", ".html", ".json")


def draw_options(
    replayed: "ReplayResult",
    *,
    legal: bool = False,
    narrow: bool = False,
    reader: "Seat" = "",
    locale: Locale = ENGLISH,
) -> DrawOptions:
    """What to draw besides the board: names, points, the last turn, and legal spaces if `legal`.

    The narrow board also marks the pieces of `reader`.
    """
    record, last = replayed.record, replayed.last
    plies = tuple(replayed.table.legal(replayed.position)) if legal and replayed.ending is None else ()
    title = record.header("Id") or ""
    if replayed.ending is not None and not replayed.over:
        # The board alone would only show whose turn it is.
        title = f"{title}: {outcome(replayed)}".removeprefix(": ")
    return DrawOptions(
        title=title,
        names={seat: record.header(f"Seat.{seat}") or seat for seat in record.seats},
        marked=marks_of(last.moves if last is not None else ()),
        legal=marks_of(ply.move for ply in plies),
        score=replayed.score,
        locale=locale,
        narrow=narrow,
        reader=reader,
        open=tuple(ply.move for ply in plies if ply.seat == reader or reader not in record.seats),
    )


def draw_board(replayed: "ReplayResult", form: str, *, viewer: "Seat", options: DrawOptions) -> bytes:
    """The content of a file whose name ends in `form`, one of FORMS."""
    key, view = replayed.table.key, replayed.table.view(replayed.position, viewer)
    if form == ".png":
        return draw_png(key, view, options)
    if form == ".json":
        import json

        return (json.dumps(view, ensure_ascii=False, indent=2) + "\n").encode()
    drawn = {".svg": draw_svg, ".txt": draw_text, ".html": draw_page}[form]
    return drawn(key, view, options).encode()
