"""A round that a table awaits is out: what chance had to settle is settled.

Nobody is asked here and nothing fetched; whoever brings the pulse has checked that it is true.
"""

from dataclasses import replace

from engine.chance import Dealer
from engine.game import CHANCE
from pbem.ledger.event import Draft
from pbem.proof.beacon import Pulse
from pbem.tables.chance.beacons import PULSE
from pbem.tables.decision import Decision
from pbem.tables.folding import foresee
from pbem.tables.following import follow
from pbem.tables.table import INVITING, Table
from pbem.tables.turns.playing import start
from pbem.tables.turns.silence import Late, play_by_chance


def speak(table: Table, pulse: Pulse, dealer: Dealer) -> Decision:
    """What comes of the round that a table awaits, now that it is out: what chance had to settle, settled."""
    told = Draft(PULSE, {"round": pulse.round, "signature": pulse.signature})
    seat, out = table.bound.seat, foresee(table, [told])
    if table.stage == INVITING:
        begun = start(out, dealer)
        return Decision(follow(table, [told, begun] if begun is not None else [told], dealer))
    if seat == CHANCE or seat in table.resigned or seat not in table.due:
        return Decision(follow(table, [told], dealer))
    made = play_by_chance(Late(out, seat, (), dealer))
    return replace(made, drafts=(told, *made.drafts))
