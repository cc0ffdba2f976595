"""The mail after a game: who won, and where every point came from."""

from collections.abc import Iterator

from engine.score import Line
from notation import write_record
from pbem.events.to_record import winners
from pbem.mail.writing import passages
from pbem.mail.writing.amendments import amended
from pbem.mail.writing.blocks import LEAD, Block, Heading, Lines, Paragraph
from pbem.mail.writing.occasions import GameOver
from pbem.mail.writing.page import Page, Pen
from pbem.mail.writing.results import is_drawn, say_result


def write_game_over(pen: Pen, over: GameOver) -> Page:
    """The game has ended."""
    return Page(
        "game-over",
        _headline(pen),
        tuple(_game_over(pen, over)),
        record=over.record or write_record(pen.table.record),
        board=pen.board,
    )


def _headline(pen: Pen) -> str:
    table = pen.table
    if is_drawn(pen):
        return pen.say("head_draw")
    won = winners(table.seats, table.ending, table.score) if table.ending is not None else ()
    if won == (pen.seat,):
        return pen.say("head_you_won")
    if won and len(won) < len(table.seats):
        return pen.say("head_won", pen.teller.all_of(won))
    return pen.say("head_over")


def _game_over(pen: Pen, over: GameOver) -> Iterator[Block]:
    yield Paragraph(pen.say("result", say_result(pen)))
    yield from passages.told(pen, over.since, "title_since" if pen.seat in pen.table.seats else "title_happened")
    yield from amended(pen, over.since)
    yield from passages.picture(pen, over.since)
    yield from _every_point(pen)
    yield from passages.owners(pen)
    yield Paragraph(pen.say("record_attached", f"{pen.table.id}.turns"))
    if pen.seat in pen.table.seats:
        yield Paragraph(pen.say("thanks"))


def _every_point(pen: Pen) -> Iterator[Block]:
    """The score line by line, so that nobody has to count again."""
    yield Heading(pen.say("title_points"))
    for tally in pen.table.score.tallies:
        yield Paragraph(pen.say("scorer", pen.teller.who(tally.seat), tally.total), LEAD)
        yield Lines(tuple(_scored(pen, line) for line in tally.lines if line.points))


def _scored(pen: Pen, line: Line) -> str:
    source = pen.voice.source(line.source)
    if not line.says:
        return pen.say("scored_plainly", line.points, source)
    return pen.say("scored", line.points, source, pen.voice.translate(line.says, line.facts))
