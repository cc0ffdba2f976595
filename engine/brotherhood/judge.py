"""The course of play: any ply judged and played by the tables of a Law.

The questions that every move has to answer are asked here, the most basic first: is the game still on, does such a move
exist, does the mover sit here and is it their turn, is this the time for it. The rest is for the judge of the move.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.brotherhood.law import BY_CHANCE, ON_TURN, MoveKind, Stage
from engine.brotherhood.position import BUILD, OVER, TRADE, Position
from engine.brotherhood.rules import turns
from engine.brotherhood.table import GOAL, WorkingPosition
from engine.chance import Dealer
from engine.game import CHANCE, Ply, Seat
from engine.verdict import Verdict

OFFERED = 3
"""How many legal moves a refusal names."""


class BrotherhoodRun:
    """A game carried forward in place."""

    def __init__(self, position: Position) -> None:
        self._table = WorkingPosition(position)

    @property
    def turn(self) -> int:
        """The number of the turn being played."""
        return self._table.turn

    @property
    def table(self) -> WorkingPosition:
        """The table being played on; whoever only wants to look at it saves putting a position together."""
        return self._table

    def advance(self, ply: tuple[Seat, Any]) -> Verdict | None:
        """Play a ply if it is legal; else change nothing and say which rule it breaks."""
        seat, move = ply
        table = self._table
        kind, place = table.law.kinds.get(type(move)), table.ground.place.get(seat, -1)
        if kind is None or _is_out_of_place(table, seat, place, kind):
            return _with_offers(table, seat, move, _objection(table, seat, place, kind))
        verdict = kind.judge(table, place, move)
        if verdict is not None:
            return _with_offers(table, seat, move, verdict)
        kind.play(table, place, move)
        table.proceed()
        return None

    def position(self) -> Position:
        """The position reached."""
        return self._table.position()


def judge(position: Position, ply: Ply) -> Verdict | None:
    """None if the ply is legal, else the most basic rule it breaks."""
    seat, move = ply
    table = WorkingPosition(position)
    kind, place = table.law.kinds.get(type(move)), table.ground.place.get(seat, -1)
    if kind is None or _is_out_of_place(table, seat, place, kind):
        return _with_offers(table, seat, move, _objection(table, seat, place, kind))
    verdict = kind.judge(table, place, move)
    return None if verdict is None else _with_offers(table, seat, move, verdict)


def apply(position: Position, ply: Ply) -> Position:
    """Give the position after a legal ply."""
    seat, move = ply
    table = WorkingPosition(position)
    table.law.kinds[type(move)].play(table, table.ground.place.get(seat, -1), move)
    table.proceed()
    return table.position()


def legal(position: Position) -> Iterator[Ply]:
    """The plies of everybody who is due, and offers that others can take back.

    Of discards and offers only a few are listed, and trades with the supply one by one. What can be put in two ways
    that come to the same is listed once: Winter's resources and Mormont's seats in their usual order, an answer with
    the seat it answers, and Tormund without a victim where all his neighbours have empty hands.
    """
    if position.stage != OVER:
        yield from map(Ply._make, choices(WorkingPosition(position)))


def choices(table: WorkingPosition) -> Sequence[tuple[Seat, Any]]:
    """The plies that `legal` lists, as pairs."""
    listing = table.law.stages[table.agenda[0] if table.agenda else table.stage].choices
    return () if listing is None else listing(table)


def deal(position: Position, dealer: Dealer) -> Ply:
    """Settle chance where it is due."""
    table = WorkingPosition(position)
    dealing = table.law.stages[table.now].deal
    if dealing is None:
        raise ValueError("chance is not due")
    return Ply(CHANCE, dealing(table, dealer))


def by_default(position: Position, seat: Seat) -> Any:
    """The move that silence stands for, or None."""
    place = position.ground.place.get(seat)
    if position.stage == OVER or place is None:
        return None
    table = WorkingPosition(position)
    silence = table.law.stages[table.now].silence
    return None if silence is None or seat not in table.due() else silence(table, place)


def judge_end(_table: WorkingPosition, _who: int, _move: Any) -> Verdict | None:
    """A turn can be ended at any time after the roll."""
    return None


def play_end(table: WorkingPosition, who: int, _move: Any) -> None:
    """The next turn begins, unless this one ends the game."""
    if not table.law.ends_at_once and table.points(who) >= GOAL:
        table.finish(who)
    else:
        table.begin_turn(table.turn + 1)
        if table.law.ends_at_once and table.points(table.who) >= GOAL:  # reached in somebody else's turn (BB-E1)
            table.turn -= 1  # a turn that wins as it begins is none
            table.finish(table.who)


def _is_out_of_place(table: WorkingPosition, seat: Seat, place: int, kind: MoveKind) -> bool:
    """Whether this is the wrong time for a kind of move, or the wrong seat; a game that is over has no time for any."""
    if (table.agenda[0] if table.agenda else table.stage) not in kind.when:
        return True
    by = kind.by
    if by == ON_TURN:
        return place != table.who
    return seat != CHANCE if by == BY_CHANCE else place < 0


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
    if now == BUILD and TRADE not in kind.when:
        now = TRADE  # what is wrong is not that trading is over
    stage: Stage = table.law.stages[now]
    return Verdict(stage.rule, stage.says, {"seat": table.on_turn})


def _with_offers(table: WorkingPosition, seat: Seat, move: Any, verdict: Verdict) -> Verdict:
    """A refusal with legal moves of the same seat, those of the same kind first; chance is told nothing of hands."""
    if verdict.instead or table.stage == OVER or seat == CHANCE or seat not in table.due():
        return verdict
    found = [other for owner, other in choices(table) if owner == seat]
    found.sort(key=lambda other: type(other) is not type(move))
    return verdict._replace(instead=tuple(found[:OFFERED]))
