"""Judge the moves that a player sends in, and look for what would make refused ones legal.

The text is read and played from a position as far as it goes. Nothing is changed: the result says what would happen,
and the caller decides what to do with it.
"""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from engine.game import CHANCE, GameRules, Ply, Seat
from engine.verdict import Proposal, Remedy, Verdict, after, first_legal
from notation import Fault, read_moves, write_moves
from notation.phrases import phrases
from pbem.judging import record_rules

if TYPE_CHECKING:
    from pbem.judging.result import ReplayResult


class SubmissionResult(NamedTuple):
    """What came of a submission.

    One of three: `fault` says that the text could not be read, `verdict` that move number `refused` (from 0) breaks a
    rule, and otherwise all moves are legal and lead to `position`. `phrase` is the text in canonical form, `complete`
    says whether the seat's turn ends with it.
    """

    seat: Seat
    turn: int
    moves: tuple[object, ...] = ()
    phrase: str = ""
    fault: Fault | None = None
    verdict: Verdict | None = None
    refused: int | None = None
    position: object = None
    complete: bool = False
    still: int = 0
    """Moves that the seat still has to make in this turn, where the game can tell."""
    later: tuple[object, ...] = ()
    """Moves that were not judged, because chance or others come first; `moves` and `phrase` are without them."""
    awaits: tuple[Seat, ...] = ()
    """Whose answers `later` waits for; it is played once they are there, as far as it is legal then."""
    disclosed: bool = False
    """Whether `later` was not judged only because the last move shows something hidden."""
    withheld: bool = False
    """True for a preview whose last move is legal but would show something hidden: `position` is the one before."""
    stopped: Verdict | None = None
    """Why the first of `later` is illegal now that chance has spoken."""
    answers: bool = False
    """Whether the moves only answered something in somebody else's turn."""
    ahead: bool = False
    """True for a preview of a turn that is not due yet."""
    until: str = ""
    """When an offer among the moves ends, as events write it, if its maker has named a time."""
    begun: object = None
    """The position in which the first move was judged; nothing if what was written could not be judged."""

    @property
    def is_legal(self) -> bool:
        """True if every move is legal."""
        return self.fault is None and self.verdict is None


def judge_submission(replayed: "ReplayResult", seat: Seat, text: str) -> SubmissionResult:
    """Judge what `seat` wrote, after a record that was replayed without a refusal; CHANCE is a seat, too."""
    game, position = replayed.game, replayed.position
    if game is None or replayed.refusal is not None:
        raise ValueError("a submission needs a legal record")
    turn = game.turn(position)
    if replayed.ending is not None:
        facts = {"ending": replayed.ending.kind, "turn": turn}
        return SubmissionResult(
            seat, turn, verdict=Verdict(record_rules.E1, "the record is closed: {ending} in turn {turn}", facts)
        )
    seats = replayed.record.setup.seats
    reader = phrases(game.key)
    seat = reader.seat(seat) if reader is not None else seat
    if seat not in (*seats, CHANCE):
        facts = {"seat": seat, "seats": ", ".join(seats)}
        return SubmissionResult(
            seat, turn, verdict=Verdict(record_rules.W1, "nobody sits at {seat}; the seats are {seats}", facts)
        )
    return judge_at(game, position, seat, text)


def judge_at(game: GameRules, position: object, seat: Seat, text: str) -> SubmissionResult:
    """Judge what `seat` wrote, in a position of its game."""
    turn = game.turn(position)
    moves = read_moves(game, text)
    if isinstance(moves, Fault):
        return SubmissionResult(seat, turn, fault=moves)
    return judge_moves(game, position, seat, moves)


def judge_moves(game: GameRules, position: object, seat: Seat, moves: tuple[object, ...]) -> SubmissionResult:
    """Judge moves up to the last, or up to the first after which the player learns something new.

    That is where chance or others go on, and where the move itself shows something hidden. Later moves are not judged
    yet: a refusal would tell what the player could not know when writing them.
    """
    turn, begun = game.turn(position), position
    disclosed = False
    for index, move in enumerate(moves):
        asked = index and game.turn(position) == turn and _is_asked(game, position, seat, moves[index - 1])
        if seat != CHANCE and (asked or disclosed):
            made, later = moves[:index], moves[index:]
            phrase = write_moves(game, made)
            return SubmissionResult(
                seat,
                turn,
                made,
                phrase,
                position=position,
                later=later,
                disclosed=disclosed and not asked,
                begun=begun,
            )
        ply = Ply(seat, move)
        verdict = game.judge(position, ply)
        if verdict is not None:
            phrase = write_moves(game, moves)
            return SubmissionResult(seat, turn, moves, phrase, verdict=verdict, refused=index, begun=begun)
        disclosed = game.discloses(position, ply)
        position = game.apply(position, ply)
    done = SubmissionResult(seat, turn, moves, write_moves(game, moves), position=position, begun=begun)
    return add_turn_state(game, done)


def preview_at(game: GameRules, position: object, seat: Seat, text: str) -> SubmissionResult:
    """Judge what `seat` wrote as `judge_at` does, but show nothing that the seat can only know after playing.

    Moves of a seat that is not to move are judged as its next turn, on the table as it stands.
    """
    ruling = judge_at(game, position, seat, text)
    if ruling.verdict is not None and not _has_turn(game, position, seat):
        ahead = game.next_turn(position, Ply(seat, ruling.moves[0]))
        if ahead is not None:
            position = ahead
            ruling = judge_at(game, position, seat, text)._replace(ahead=True)
    if not ruling.is_legal or not ruling.moves:
        return ruling
    *made, last = ruling.moves
    for move in made:
        position = game.apply(position, Ply(seat, move))
    if not game.discloses(position, Ply(seat, last)):
        return ruling
    return ruling._replace(position=position, complete=False, still=0, withheld=True, begun=None)


def _has_turn(game: GameRules, position: object, seat: Seat) -> bool:
    """Whether it is a seat's own turn; if the view does not say, that of who is waited for."""
    view = game.view(position, seat)
    on_turn = view.get("who", view.get("on_turn"))
    return on_turn == seat if on_turn is not None else seat in game.to_act(position)


def _is_asked(game: GameRules, position: object, seat: Seat, last: Any) -> bool:
    """Whether chance or others must go on after a move, before the seat does."""
    return game.to_act(position) == (CHANCE,) or bool(awaited(game, position, seat, last))


def is_script(game: GameRules) -> bool:
    """Whether a turn of the game may have any number of moves."""
    reader = phrases(game.key)
    return reader is not None and reader.book.script


def waits_for_answers(game: GameRules) -> bool:
    """Whether a turn of the game waits while others have something to answer; in some games play goes on."""
    reader = phrases(game.key)
    return reader is not None and reader.book.script and bool(reader.book.asks)


def asks_others(game: GameRules, phrase: str) -> bool:
    """Whether some of these moves ask others something, such as a trade."""
    reader = phrases(game.key)
    if reader is None or not reader.book.asks:
        return False
    moves = read_moves(game, phrase)
    return not isinstance(moves, Fault) and any(isinstance(move, reader.book.asks) for move in moves)


def is_offered(game: GameRules, position: object, seat: Seat) -> bool:
    """Whether a seat is offered something, so that silence says no."""
    reader = phrases(game.key)
    return reader is not None and isinstance(game.by_default(position, seat), reader.book.declines)


def can_accept(game: GameRules, position: object, seat: Seat) -> bool:
    """Whether a seat that is offered something could say yes; where the rules do not say what is a yes, it can.

    The answer is the seat's secret: nothing that others see may follow from it.
    """
    reader = phrases(game.key)
    if reader is None or not reader.book.answers:
        return True
    return any(ply.seat == seat and isinstance(ply.move, tuple(reader.book.answers)) for ply in game.legal(position))


def awaited(game: GameRules, position: object, seat: Seat, last: Any = None) -> tuple[Seat, ...]:
    """Whose answers the rest of a seat's turn waits for after its last move; none if turns have a fixed length.

    It waits when the seat itself cannot go on, and after a move that asks others something.
    """
    reader = phrases(game.key)
    if reader is None or not reader.book.script:
        return ()
    due = game.to_act(position)
    if seat in due and not isinstance(last, reader.book.asks):
        return ()
    return tuple(other for other in due if other not in (seat, CHANCE))


def is_on_turn(game: GameRules, position: object, seat: Seat) -> bool:
    """Whether it is a seat's own turn; if the view does not say, it is."""
    view = game.view(position, seat)
    return bool(view.get("who", view.get("on_turn", seat)) == seat)


def add_turn_state(game: GameRules, ruling: SubmissionResult) -> SubmissionResult:
    """The result with `complete` and `still` filled in from its position."""
    due, over = game.to_act(ruling.position), game.turn(ruling.position) != ruling.turn
    if ruling.seat == CHANCE:
        return ruling._replace(complete=CHANCE not in due)
    complete = over or (ruling.seat not in due and due != (CHANCE,) and not _goes_on(game, ruling))
    still = 0 if complete else int(game.view(ruling.position, ruling.seat).get("left", 0))
    return ruling._replace(complete=complete, still=still)


def _goes_on(game: GameRules, ruling: SubmissionResult) -> bool:
    """Whether a turn that waits for the answers of others is the seat's own."""
    if not awaited(game, ruling.position, ruling.seat):
        return False
    view = game.view(ruling.position, ruling.seat)
    return bool(view.get("who", view.get("on_turn")) == ruling.seat)


# What would make a refused submission legal. It is looked for when a refusal is written to the player who sent the
# moves, and at no other time: replays and archives do without. All that is claimed was judged legal before.

LONGEST: Final = 12
"""Moves of a submission whose order is changed."""

Moves: TypeAlias = tuple[object, ...]


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
