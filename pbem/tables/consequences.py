"""What happens by itself once something has happened: votes that are carried or overtaken, draws that are due, the end.

Plans and seats without a player are not looked at here: whoever keeps the plans sees to them.
"""

from collections.abc import Iterable

from engine.chance import Dealer
from engine.game import CHANCE
from notation import Ending
from pbem.events.chain import Draft
from pbem.events.to_record import NORMAL, ended
from pbem.tables.chance import dealer_at, must_wait, name_round
from pbem.tables.fold import foresee
from pbem.tables.table import PLAYING, Table
from pbem.tables.veiling import make_draft
from pbem.tables.votes import carry, overtaken


def follow(table: Table, drafts: Iterable[Draft], dealer: Dealer) -> tuple[Draft, ...]:
    """The drafts, and all that happens by itself after them."""
    return follow_up(table, drafts, dealer)[0]


def follow_up(table: Table, drafts: Iterable[Draft], dealer: Dealer) -> tuple[tuple[Draft, ...], Table]:
    """The drafts, all that happens by itself after them, and the table as it would be then."""
    happening: list[Draft] = []

    def happen(draft: Draft) -> Table:
        drafts_now = (*overtaken(table, draft), draft)
        happening.extend(drafts_now)
        return foresee(table, drafts_now)

    for draft in drafts:
        table = happen(draft)
    while (next_draft := _next(table, dealer)) is not None:
        table = happen(next_draft)
    return tuple(happening), table


def _next(table: Table, dealer: Dealer) -> Draft | None:
    """The next thing that happens by itself, if any."""
    if table.stage != PLAYING:
        return None
    if not table.due:
        return ended(table.seats, Ending(NORMAL), table.score)
    if table.due == (CHANCE,) and must_wait(dealer, table):
        return name_round(dealer, table, CHANCE) or carry(table)
    if table.due == (CHANCE,):
        dealt = table.game.deal(table.position, dealer_at(dealer, table))
        return make_draft(table, CHANCE, (dealt.move,), by="dealer")
    return carry(table)
