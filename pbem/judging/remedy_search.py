"""What would make a refused submission legal: its moves in another order, a small change of the table, or a move first.

It is looked for when a refusal is written to the player who sent the moves, and at no other time: replays and archives
do without. Everything that is claimed was judged legal before.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from engine.game import CHANCE, GameRules, Ply, Seat
from engine.remedy import Proposal, Remedy, after, first_legal
from notation import write_moves
from pbem.judging.submission import SubmissionResult, judge_moves

LONGEST: Final = 12
"""Moves of a submission whose order is changed."""

Moves = tuple[object, ...]


def find_remedy(game: GameRules, ruling: SubmissionResult) -> Remedy | None:
    """The smallest change with which the move that stopped a submission would be legal, where one was found."""
    if ruling.seat == CHANCE:
        return None
    if ruling.verdict is not None and ruling.refused is not None and ruling.begun is not None:
        return _search(game, ruling.begun, ruling.seat, ruling.moves, ruling.refused)
    if ruling.stopped is not None and ruling.later:
        return _search(game, ruling.position, ruling.seat, ruling.later, 0)
    return None


def whole_turn(game: GameRules, ruling: SubmissionResult, remedy: Remedy) -> str:
    """The submission with the moves that a remedy names, to be sent again; nothing if all of it would not be legal."""
    begun, moves, at = (
        (ruling.begun, ruling.moves, ruling.refused or 0)
        if ruling.verdict is not None
        else (ruling.position, ruling.later, 0)
    )
    if not remedy.moves:
        return ""
    whole = remedy.moves if len(remedy.moves) == len(moves) > 1 else (*moves[:at], *remedy.moves, *moves[at:])
    return write_moves(game, whole) if _is_legal(game, begun, ruling.seat, whole) else ""


def _search(game: GameRules, position: object, seat: Seat, moves: Moves, refused: int) -> Remedy | None:
    for order in _orders(moves, refused):
        if _is_legal(game, position, seat, order):
            facts = {"moves": write_moves(game, order)}
            return Remedy("order", "it would be legal in this order: {moves}", facts, moves=order)
    for move in moves[:refused]:
        position = game.apply(position, Ply(seat, move))
    ply = Ply(seat, moves[refused])
    found = first_legal(game, ply, chain(game.remedies(position, ply), _offered(game, position, ply)))
    if found is None or not found.remedy.moves:
        return found.remedy if found is not None else None
    return found.remedy._replace(facts=dict(found.remedy.facts, moves=write_moves(game, found.remedy.moves)))


def _orders(moves: Moves, refused: int) -> Iterator[Moves]:
    """The moves with the refused one further back, then with it further forward."""
    if not 1 < len(moves) <= LONGEST:
        return
    others = (*moves[:refused], *moves[refused + 1 :])
    for at in (*range(refused + 1, len(moves)), *reversed(range(refused))):
        yield (*others[:at], moves[refused], *others[at:])


def _is_legal(game: GameRules, position: object, seat: Seat, moves: Moves) -> bool:
    """Whether all of some moves are legal one after the other, and nothing hidden shows before the last."""
    judged = judge_moves(game, position, seat, moves)
    return judged.is_legal and not judged.later


def _offered(game: GameRules, position: object, ply: Ply) -> Iterator[Proposal]:
    """What the refusal offers instead, to be made first."""
    verdict = game.judge(position, ply)
    for move in verdict.instead if verdict is not None else ():
        first = Ply(ply.seat, move)
        if game.judge(position, first) is None and not game.discloses(position, first):
            yield after(move, game.apply(position, first))
