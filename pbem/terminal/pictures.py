"""The board in the form that a file's name asks for."""

from typing import TYPE_CHECKING, Final

from pbem.render import ENGLISH, Tongue, Wishes, draw_page, draw_png, draw_svg, draw_text, marks_of
from pbem.terminal.summaries import outcome

if TYPE_CHECKING:
    from engine.game import Seat
    from pbem.judging.result import Hearing

FORMS: Final = (".svg", ".png", ".txt", ".html", ".json")


def wish(hearing: "Hearing", *, legal: bool = False, tongue: Tongue = ENGLISH) -> Wishes:
    """What a picture of a heard game shows besides the board: names, points, the last turn, legal spaces."""
    record, last = hearing.record, hearing.last
    plies = hearing.table.legal(hearing.position) if legal and hearing.ending is None else ()
    title = record.header("Id") or ""
    if hearing.ending is not None and not hearing.over:
        # The board only shows whose turn it would be.
        title = f"{title}: {outcome(hearing)}".removeprefix(": ")
    return Wishes(
        title=title,
        names={seat: record.header(f"Seat.{seat}") or seat for seat in record.seats},
        marked=marks_of(last.moves if last is not None else ()),
        legal=marks_of(ply.move for ply in plies),
        score=hearing.score,
        tongue=tongue,
    )


def draw(hearing: "Hearing", form: str, *, viewer: "Seat", wishes: Wishes) -> bytes:
    """The board as the bytes of a file whose name ends in `form`, one of FORMS."""
    key, view = hearing.table.key, hearing.table.view(hearing.position, viewer)
    if form == ".png":
        return draw_png(key, view, wishes)
    if form == ".json":
        import json

        return (json.dumps(view, ensure_ascii=False, indent=2) + "\n").encode()
    drawn = {".svg": draw_svg, ".txt": draw_text, ".html": draw_page}[form]
    return drawn(key, view, wishes).encode()
