"""How a game ended, in the reader's words: the points of everybody, and who won or shares it."""

from notation import Fault, Standing, read_result
from pbem.events.to_record import AGREED
from pbem.mail.writing.describe import join_words
from pbem.mail.writing.page import Pen


def say_result(pen: Pen) -> str:
    """The result of a game that is over; as it is written where it cannot be read."""
    table = pen.table
    standings = read_result(table.result)
    if isinstance(standings, Fault) or not standings:
        return pen.voice.order(table.result)
    if is_drawn(pen):
        shared = [_say_standing(pen, each) for each in standings if each.won]
        others = [_say_standing(pen, each) for each in standings if not each.won]
        return "; ".join([pen.say("shared", join_words(shared, "both", pen.voice)), *others])
    return ", ".join(
        pen.say("winner", _say_standing(pen, each)) if each.won else _say_standing(pen, each) for each in standings
    )


def is_drawn(pen: Pen) -> bool:
    """Whether the players have agreed to share the game."""
    return pen.table.ending is not None and pen.table.ending.kind == AGREED


def _say_standing(pen: Pen, standing: Standing) -> str:
    seat = pen.voice.seat(standing.seat)
    return seat if standing.points is None else f"{seat} {standing.points}"
