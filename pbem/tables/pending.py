"""What is open at a table for one seat, so that a letter's words can be told apart."""

from engine.game import Seat
from pbem.judging.submission import judge_at
from pbem.mail.commands.pending import Pending
from pbem.tables.table import PLAYING, Table


def find_pending(table: Table, seat: Seat) -> Pending | None:
    """What a seat can answer or do now; None where no game is being played."""
    if table.stage != PLAYING:
        return None
    has_votes = any(seat not in vote.agreed for vote in table.votes.values())
    return Pending(has_votes, lambda text: judge_at(table.game, table.position, seat, text).stands)
