"""Whether an answer is to the question that stands: while a letter is on its way, another offer may take its place.

Mail programs name the mail that a letter answers. What was asked after that mail was written, its reader cannot have
meant.
"""

from datetime import datetime

from engine.game import Seat
from notation import Fault, read_moves
from notation.phrases import phrases
from pbem.clerk.desk import Desk
from pbem.intake import Letter
from pbem.orders.commands import Play
from pbem.referee.submission import asks
from pbem.tables import rules
from pbem.tables.decision import Decision, Refused


def find_overtaken(desk: Desk, seat: Seat, letter: Letter, play: Play) -> Decision | None:
    """The refusal of an answer whose question has changed since the mail it answers; None if it may be given."""
    makers = _answered(desk, play.text)
    mail = desk.transaction.find_message(letter.in_reply_to) if makers and letter.in_reply_to else None
    if mail is None or (mail.game, mail.seat) != (desk.row.id, seat):
        return None
    table = desk.table
    for event in desk.events:
        if event.kind != "played" or event.data["seat"] == seat or event.data["turn"] != table.turn:
            continue
        is_newer = datetime.fromisoformat(event.at) > mail.created_at
        if is_newer and {event.data["seat"], None} & makers and asks(table.game, event.phrase):
            says = "{maker} has made another offer since the mail that this answers; answer the new one"
            return Decision(refused=Refused(rules.T6, says, {"maker": event.data["seat"]}))
    return None


def _answered(desk: Desk, text: str) -> set[Seat | None]:
    """Whose questions some moves say yes to; None among them for whoever has asked."""
    reader = phrases(desk.table.game.key)
    moves = read_moves(desk.table.game, text) if reader is not None and reader.book.answers else ()
    if reader is None or isinstance(moves, Fault):
        return set()
    return {reader.book.answers[type(move)](move) for move in moves if type(move) in reader.book.answers}
