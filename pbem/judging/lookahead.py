"""What could be played from a position: random games, suggested turns, and counts of positions (perft).

The game says which plies are legal and which position seems good. The players of random games draw a few legal plies
and make the one that seems best, so that everything that scores in a game happens. A Dealer makes every choice, so the
same key always gives the same game.
"""

from collections.abc import Callable, Hashable, Iterator
from heapq import nlargest
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import CHANCE, GameRules, Ply, Seat, Setup
from engine.verdict import Verdict
from notation import END, NORMAL, Ending, Entry, Record, write_result
from notation.headers import FORMAT, sort_headers
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
    after: object


def sample_game(
    game: GameRules,
    *,
    seats: tuple[Seat, ...],
    dealer: "Dealer",
    name: str,
    digests: int = 0,
    options: tuple[tuple[str, str], ...] = (),
    lively: bool = False,
    aimless: bool = False,
) -> Record:
    """A random game from set-up to its normal ending; with `digests`, a state digest after every so many turns.

    `options` are headers of the set-up that the game accepts. Lively players do whatever can be done now and then;
    aimless ones consider nothing, which is the quickest.
    """
    setup = game.lay_out(Setup(seats, options), dealer)
    position = game.start(setup)
    if isinstance(position, Verdict):
        raise ValueError(f"{game.key} refuses the set-up it laid out: {position}")
    entries = []
    choose = choose_lively if lively else choose_aimlessly if aimless else choose_ply
    plays = play_out(game, position, dealer, choose=choose)
    for (turn, who), played in groupby(plays, key=lambda one: (one.turn, one.ply.seat)):
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
    return Record(sort_headers(headers), tuple(entries))


def play_out(
    game: GameRules,
    position: object,
    dealer: "Dealer",
    choose: "Callable[[GameRules, object, Dealer], Ply] | None" = None,
) -> Iterator[SampledPly]:
    """Every ply from a position to the end of the game."""
    choose = choose or choose_ply
    while due := game.to_act(position):
        turn = game.turn(position)
        is_left_to_chance = due == (CHANCE,) and choose is not choose_lively
        ply = game.deal(position, dealer) if is_left_to_chance else choose(game, position, dealer)
        position = game.apply(position, ply)
        yield SampledPly(turn, ply, position)


def choose_ply(game: GameRules, position: object, dealer: "Dealer", seat: Seat | None = None) -> Ply:
    """A ply of a sample player: of one seat, or of any that is due."""
    legal = [ply for ply in game.legal(position) if seat is None or ply.seat == seat]
    drawn = [legal[dealer.pick(len(legal), "sample")] for _ in range(min(CANDIDATES, len(legal)))]
    return max(drawn, key=lambda ply: game.prospect(game.apply(position, ply), ply.seat))


def choose_aimlessly(game: GameRules, position: object, dealer: "Dealer") -> Ply:
    """Any ply that is legal, as likely as any other."""
    legal = list(game.legal(position))
    return legal[dealer.pick(len(legal), "sample")]


LIVELY: Final = 4
"""How seldom a lively player does something unusual: once in so many plies."""


def choose_lively(game: GameRules, position: object, dealer: "Dealer") -> Ply:
    """A ply of a player who also tries what is seldom worth it: any kind of move, named offers, gifts, answers at once.

    Kinds are drawn first, so that rare ones are not lost among hundreds of places for a piece.
    """
    is_chance = game.to_act(position) == (CHANCE,)
    if dealer.pick(LIVELY, "lively") == 0:
        kinds: dict[type, list[Ply]] = {}
        for ply in (*(() if is_chance else game.legal(position)), *game.liberties(position)):
            kinds.setdefault(type(ply.move), []).append(ply)
        if kinds:
            some = [*kinds.values()][dealer.pick(len(kinds), "kind")]
            return some[dealer.pick(len(some), "sample")]
    return game.deal(position, dealer) if is_chance else choose_ply(game, position, dealer)


WIDTH: Final = 64
"""How many positions are followed at once."""
LONGEST: Final = 24
"""How many moves a suggestion may have."""


class Suggestion(NamedTuple):
    """Moves of one seat, the position after them, and how well the seat would seem to stand."""

    moves: tuple[object, ...]
    after: object
    prospect: int


def suggest_turns(
    game: GameRules,
    position: object,
    seat: Seat,
    *,
    width: int = WIDTH,
    tell: Callable[[int], None] | None = None,
    discreet: bool = False,
) -> list[Suggestion]:
    """Turns of a seat that lead to different positions, the most promising first; none if it is not due.

    There may be millions, so only the most promising positions are followed. A turn ends where chance or others go on.
    `tell` is called now and then with the number of positions seen. With `discreet` no move is tried that would show
    the seat something hidden, so what is suggested follows from what the seat may know.
    """
    begun = [Suggestion((), position, 0)]
    known = {game.essence(position)}
    found: list[Suggestion] = []
    for _ in range(LONGEST):
        longer: list[Suggestion] = []
        for moves, before, _ in begun:
            for move, after in new_moves(game, before, seat, known, discreet=discreet):
                one = Suggestion((*moves, move), after, game.prospect(after, seat))
                (longer if turn_continues(game, before, after, seat) else found).append(one)
            if tell is not None:
                tell(len(known))
        begun = nlargest(width, longer, key=lambda one: one.prospect)
    return sorted(found, key=lambda one: -one.prospect)


def new_moves(
    game: GameRules, before: object, seat: Seat, known: set[Hashable], *, discreet: bool = False
) -> Iterator[tuple[Any, Any]]:
    """The moves of a seat that lead to positions not in `known`, and these positions, which are added to it."""
    for ply in game.legal(before):
        if ply.seat == seat and not (discreet and game.discloses(before, ply)):
            after = game.apply(before, ply)
            essence = game.essence(after)
            if essence not in known:
                known.add(essence)
                yield ply.move, after


def turn_continues(game: GameRules, before: object, after: object, seat: Seat) -> bool:
    """Whether the turn of a seat goes on after a move: the turn is the same, and the seat is to move."""
    return seat in game.to_act(after) and game.turn(after) == game.turn(before)


def perft(game: GameRules, position: object, depth: int, *, tell: Callable[[int], None] | None = None) -> int:
    """The number of ways to make `depth` plies; ways that end sooner do not count.

    `tell` is called now and then with the count so far.
    """
    total = 0

    def descend(position: object, depth: int) -> None:
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


def count_ends(game: GameRules, position: object, seat: Seat, *, tell: Callable[[int], None] | None = None) -> int:
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
