"""A move that a player sends in, judged after a record.

The text is read and played on the record's last position as far as it goes. Nothing is changed anywhere: the
ruling says what would happen, and the caller decides what to do with it.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.game import Game, Ply, Seat
from engine.verdict import Verdict
from notation import Fault, read_moves, write_moves
from pbem.referee import rules

if TYPE_CHECKING:
    from pbem.referee.hearing import Hearing


class Ruling(NamedTuple):
    """What becomes of a submission.

    Just one of three: `fault` says that the text could not be read, `verdict` that move number `refused` (from
    0) breaks a rule, and otherwise all moves stand and lead to `position`. `phrase` is the text in canonical
    form, `complete` whether the seat's turn ends with it.
    """

    seat: Seat
    turn: int
    moves: tuple[Any, ...] = ()
    phrase: str = ""
    fault: Fault | None = None
    verdict: Verdict | None = None
    refused: int | None = None
    position: Any = None
    complete: bool = False
    still: int = 0
    """Moves that the seat still has to make in this turn, where the game can tell."""

    @property
    def stands(self) -> bool:
        """True if every move is legal."""
        return self.fault is None and self.verdict is None


def judge_submission(hearing: "Hearing", seat: Seat, text: str) -> Ruling:
    """Judge what `seat` wrote, after a record that was heard without a refusal."""
    game, position = hearing.game, hearing.position
    if game is None or hearing.refusal is not None:
        raise ValueError("a submission needs a record that stands")
    turn = game.turn(position)
    if hearing.ending is not None:
        facts = {"ending": hearing.ending.kind, "turn": turn}
        return Ruling(seat, turn, verdict=Verdict(rules.E1, "the record is closed: {ending} in turn {turn}", facts))
    seats = hearing.record.setup.seats
    if seat not in seats:
        facts = {"seat": seat, "seats": ", ".join(seats)}
        return Ruling(seat, turn, verdict=Verdict(rules.W1, "nobody sits at {seat}; the seats are {seats}", facts))
    return judge_at(game, position, seat, text)


def judge_at(game: Game[Any], position: Any, seat: Seat, text: str) -> Ruling:
    """Judge what `seat` wrote, in a position of its game."""
    turn = game.turn(position)
    moves = read_moves(game, text)
    if isinstance(moves, Fault):
        return Ruling(seat, turn, fault=moves)
    phrase = write_moves(game, moves)
    for index, move in enumerate(moves):
        verdict = game.judge(position, Ply(seat, move))
        if verdict is not None:
            return Ruling(seat, turn, moves, phrase, verdict=verdict, refused=index)
        position = game.apply(position, Ply(seat, move))
    complete = seat not in game.to_act(position) or game.turn(position) != turn
    still = 0 if complete else int(game.view(position, seat).get("left", 0))
    return Ruling(seat, turn, moves, phrase, position=position, complete=complete, still=still)
