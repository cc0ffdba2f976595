"""Whether a ply is legal, by the tables of a Law.

The questions that every move has to answer are asked here, the most basic first: is the game still on, does such a move
exist, does the mover sit here and is it their turn, is this the time for it. The rest is for the judge of the move.
"""

from engine.brotherhood.law import BY_CHANCE, ON_TURN, MoveKind, Stage
from engine.brotherhood.legal import choices
from engine.brotherhood.position import BUILD, OVER, TRADE, Position
from engine.brotherhood.rules import turns
from engine.brotherhood.table import WorkingPosition
from engine.game import CHANCE, Ply, Seat
from engine.verdict import Verdict

OFFERED = 3
"""How many legal moves a refusal names."""


def judge(position: Position, ply: Ply) -> Verdict | None:
    """None if the ply is legal, else the most basic rule it breaks."""
    return judge_on(WorkingPosition(position), *ply)


def judge_on(table: WorkingPosition, seat: Seat, move: object) -> Verdict | None:
    """The same on a table that is being played on."""
    verdict = judge_plainly(table, seat, move)
    return None if verdict is None else with_offers(table, seat, move, verdict)


def judge_plainly(table: WorkingPosition, seat: Seat, move: object) -> Verdict | None:
    """The same, but nothing is offered instead. Every ply of every replay passes here, so it calls little."""
    kind, place = table.law.kinds.get(type(move)), table.ground.place.get(seat, -1)
    if kind is None or (table.agenda[0] if table.agenda else table.stage) not in kind.when:
        is_due = False
    elif kind.by == ON_TURN:
        is_due = place == table.who
    else:
        is_due = seat == CHANCE if kind.by == BY_CHANCE else place >= 0
    if kind is None or not is_due:
        return _objection(table, seat, place, kind)
    return kind.judge(table, place, move)


def judge_end(_table: WorkingPosition, _who: int, _move: object) -> Verdict | None:
    """A turn can be ended at any time after the roll."""
    return None


def _objection(table: WorkingPosition, seat: Seat, place: int, kind: MoveKind | None) -> Verdict:
    """What is wrong with such a move by such a seat at such a time, the most basic first."""
    if table.stage == OVER:
        return Verdict(turns.E2, "the game is over; {seat} has won", {"seat": table.ground.seats[table.winner]})
    if kind is None:
        return Verdict(turns.O6, "this move belongs to the game of the Night's Watch")
    if (kind.by == BY_CHANCE) != (seat == CHANCE):
        return Verdict(turns.O5, "this is not for {seat} to do", {"seat": seat})
    if place < 0 and seat != CHANCE:
        return Verdict(turns.O4, "{seat} does not sit at this table", {"seat": seat})
    if kind.by == ON_TURN and place != table.who:
        return Verdict(turns.O4, "it is the turn of {seat}", {"seat": table.on_turn})
    return _out_of_season(table, table.now, kind)


def _out_of_season(table: WorkingPosition, now: str, kind: MoveKind) -> Verdict:
    """Why a move cannot be made now: something else comes first, or its time is over."""
    if kind.by == BY_CHANCE and table.due() != (CHANCE,):
        return Verdict(turns.O5, "chance has nothing to settle now", {"seat": table.on_turn})
    if now in (TRADE, BUILD) and kind.missed is not None:
        return Verdict(*kind.missed, {"seat": table.on_turn})
    if now == BUILD and TRADE not in kind.when:
        now = TRADE  # what is wrong is not that trading is over
    stage: Stage = table.law.stages[now]
    return Verdict(stage.rule, stage.says, {"seat": table.on_turn})


def with_offers(table: WorkingPosition, seat: Seat, move: object, verdict: Verdict) -> Verdict:
    """A refusal with legal moves of the same seat, those of the same kind first; chance is told nothing of hands."""
    if verdict.instead or table.stage == OVER or seat == CHANCE or seat not in table.due():
        return verdict
    found = [other for owner, other in choices(table) if owner == seat]
    found.sort(key=lambda other: type(other) is not type(move))
    return verdict._replace(instead=tuple(found[:OFFERED]))
