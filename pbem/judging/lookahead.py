"""A complete game played by chance: for trying things out, for tests and for benchmarks.

Every choice is a Dealer's, so a key gives the same game for ever. The players are not wise, but not blind
either: of a few legal plies drawn they make the one after which they seem to stand best, so that what scores in a
game is seen to happen.

Whole turns that a seat could make, found by looking ahead: a help to choose, and no rule.

There may be millions, so only the most promising tables are followed, move by move. What can be done is the game's to
say, and so is what seems good. A suggestion goes as far as a player can see: chance and other people end it.

Counting positions: how many sequences of legal plies there are, to a depth (perft), and how many ends a turn has.
"""

from collections.abc import Callable, Hashable, Iterator
from heapq import nlargest
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import CHANCE, Game, Ply, Seat, Setup
from engine.verdict import Verdict
from notation import END, NORMAL, Ending, Entry, Record, write_result
from notation.headers import FORMAT, arrange
from pbem.judging.end_checks import standings
from pbem.judging.entry_checks import add_digest

if TYPE_CHECKING:
    from engine.chance import Dealer


CANDIDATES: Final = 3
"""How many plies a player considers."""


class SampledPly(NamedTuple):
    """A ply, the turn it belongs to, and the position it led to."""

    turn: int
    ply: Ply
    after: Any


def sample_game(game: Game[Any], *, seats: tuple[Seat, ...], dealer: "Dealer", name: str, digests: int = 0) -> Record:
    """A game from set-up to its normal ending; with `digests`, the state stands after every so many turns."""
    setup = game.lay_out(Setup(seats), dealer)
    position = game.start(setup)
    if isinstance(position, Verdict):
        raise ValueError(f"{game.key} refuses the set-up it laid out: {position}")
    entries = []
    for (turn, who), played in groupby(play_out(game, position, dealer), key=lambda one: (one.turn, one.ply.seat)):
        plies = tuple(played)
        position = plies[-1].after
        entry = Entry(turn, who, tuple(one.ply.move for one in plies))
        entries.append(add_digest(entry, game, position) if digests and turn % digests == 0 else entry)
    entries.append(Entry(game.turn(position), END, (Ending(NORMAL),)))
    headers = (
        ("Format", FORMAT),
        ("Game", game.key),
        ("Rules", game.edition),
        ("Id", name),
        *((f"Seat.{seat}", seat.capitalize()) for seat in seats),
        *setup.options,
        ("Result", write_result(standings(game.score(position)))),
    )
    return Record(arrange(headers), tuple(entries))


def play_out(game: Game[Any], position: Any, dealer: "Dealer") -> Iterator[SampledPly]:
    """Every ply from a position to the end of the game."""
    while due := game.to_act(position):
        turn = game.turn(position)
        ply = game.deal(position, dealer) if due == (CHANCE,) else choose_ply(game, position, dealer)
        position = game.apply(position, ply)
        yield SampledPly(turn, ply, position)


def choose_ply(game: Game[Any], position: Any, dealer: "Dealer", seat: Seat | None = None) -> Ply:
    """A ply that a sample player makes: of one seat, or of whoever is due."""
    legal = [ply for ply in game.legal(position) if seat is None or ply.seat == seat]
    drawn = [legal[dealer.pick(len(legal), "sample")] for _ in range(min(CANDIDATES, len(legal)))]
    return max(drawn, key=lambda ply: game.prospect(game.apply(position, ply), ply.seat))


WIDTH: Final = 64
"""How many tables are followed at once."""
LONGEST: Final = 24
"""How many moves a suggestion may have."""


class Suggestion(NamedTuple):
    """Moves of one seat, the position after them, and how well the seat would seem to stand."""

    moves: tuple[Any, ...]
    after: Any
    prospect: int


def suggest_turns(
    game: Game[Any], position: Any, seat: Seat, *, width: int = WIDTH, tell: Callable[[int], None] | None = None
) -> list[Suggestion]:
    """Turns of a seat that lead to different positions, the most promising first; none if it is not due.

    `tell` hears now and then how many positions were looked at.
    """
    begun = [Suggestion((), position, 0)]
    known = {game.essence(position)}
    found: list[Suggestion] = []
    for _ in range(LONGEST):
        longer: list[Suggestion] = []
        for moves, before, _ in begun:
            for move, after in new_moves(game, before, seat, known):
                one = Suggestion((*moves, move), after, game.prospect(after, seat))
                (longer if turn_continues(game, before, after, seat) else found).append(one)
            if tell is not None:
                tell(len(known))
        begun = nlargest(width, longer, key=lambda one: one.prospect)
    return sorted(found, key=lambda one: -one.prospect)


def new_moves(game: Game[Any], before: Any, seat: Seat, known: set[Hashable]) -> Iterator[tuple[Any, Any]]:
    """The moves of a seat that lead to what is not known yet, and where they lead; from then on it is known."""
    for ply in game.legal(before):
        if ply.seat == seat:
            after = game.apply(before, ply)
            essence = game.essence(after)
            if essence not in known:
                known.add(essence)
                yield ply.move, after


def turn_continues(game: Game[Any], before: Any, after: Any, seat: Seat) -> bool:
    """Whether a seat can foresee more of its turn: it is still the same, and the seat itself to move."""
    return seat in game.to_act(after) and game.turn(after) == game.turn(before)


def perft(game: Game[Any], position: Any, depth: int, *, tell: Callable[[int], None] | None = None) -> int:
    """The number of ways to make `depth` plies; ways that end sooner do not count.

    `tell` hears now and then how many were counted so far.
    """
    total = 0

    def descend(position: Any, depth: int) -> None:
        nonlocal total
        if depth == 1:
            total += sum(1 for _ in game.legal(position))
            if tell is not None:
                tell(total)
        else:
            for ply in game.legal(position):
                descend(game.apply(position, ply), depth - 1)

    descend(position, depth)
    return total


def count_ends(game: Game[Any], position: Any, seat: Seat, *, tell: Callable[[int], None] | None = None) -> int:
    """In how many different ways a seat's turn can end, or come to where chance or others go on."""
    quickly = game.count_ends(position)
    if quickly is not None:
        return quickly
    known = {game.essence(position)}
    open_positions, ends = [position], 0
    while open_positions:
        before = open_positions.pop()
        for _, after in new_moves(game, before, seat, known):
            if turn_continues(game, before, after, seat):
                open_positions.append(after)
            else:
                ends += 1
        if tell is not None:
            tell(ends)
    return ends
