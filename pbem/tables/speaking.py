"""A round that a table awaits is out: what chance had to settle is settled.

Nobody is asked here and nothing fetched; whoever brings the pulse has checked that it is true.
"""

from dataclasses import replace

from engine.chance import Dealer
from engine.game import CHANCE
from pbem.events.chain import Draft
from pbem.proof.public_beacon import Pulse
from pbem.tables.beacons import PULSE
from pbem.tables.consequences import follow
from pbem.tables.decision import Decision
from pbem.tables.fold import foresee
from pbem.tables.play import start
from pbem.tables.silence import Late, play_by_chance
from pbem.tables.table import INVITING, Table


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
