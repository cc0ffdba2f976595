"""How far the reader's own turn has come, and how it is taken back."""

from collections.abc import Iterator

from notation import write_moves
from pbem.judging.standing import standing_entries
from pbem.judging.submission import is_on_turn
from pbem.mail.writing.blocks import SOFT, Block, Paragraph
from pbem.mail.writing.page import Pen
from pbem.tables.votes import goes_back_at_once, last_turn_of


def begun(pen: Pen) -> Iterator[Block]:
    """What stands already of a turn that the reader is in the middle of, and what is still due; nothing before that."""
    table = pen.table
    if pen.seat not in table.due or not is_on_turn(table.game, table.position, pen.seat):
        return
    own = [entry for entry in standing_entries(table.entries) if (entry.who, entry.number) == (pen.seat, table.turn)]
    moves = tuple(move for entry in own for move in entry.moves)
    if moves:
        yield Paragraph(pen.say("begun", table.turn, pen.voice.order(write_moves(table.game, moves))))
        yield still_due(pen, int(table.game.view(table.position, pen.seat).get("left", 0)))
        yield from taken_back(pen, table.turn)


def still_due(pen: Pen, count: int) -> Block:
    """That a turn is not finished, and how many moves it still takes, where the game can tell."""
    return Paragraph(pen.say("still", count) if count else pen.say("unfinished"))


def taken_back(pen: Pen, turn: int) -> Iterator[Block]:
    """How a turn is taken back, if an undo of the reader goes back to its beginning."""
    if last_turn_of(pen.table, pen.seat) == turn:
        at_once = goes_back_at_once(pen.table, turn)
        yield Paragraph(pen.say("take_back_at_once" if at_once else "take_back"), SOFT)
