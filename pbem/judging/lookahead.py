"""A complete game played by chance: for trying things out, for tests and for benchmarks.

Every choice is a Dealer's, so a key gives the same game for ever. The players are not wise, but not blind
either: of a few legal plies drawn they make the one after which they seem to stand best, so that what scores in a
game is seen to happen.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import CHANCE, Game, Ply, Seat, Setup
from engine.verdict import Verdict
from notation import END, Ending, Entry, Record, write_result
from notation.headers import FORMAT, arrange
from pbem.judging.end_checks import NORMAL, standings
from pbem.judging.sealing import seal

if TYPE_CHECKING:
    from engine.chance import Dealer

CANDIDATES: Final = 3
"""How many plies a player considers."""


class Played(NamedTuple):
    """A ply, the turn it belongs to, and the position it led to."""

    turn: int
    ply: Ply
    after: Any


def sample(game: Game[Any], *, seats: tuple[Seat, ...], dealer: "Dealer", name: str, digests: int = 0) -> Record:
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
        entries.append(seal(entry, game, position) if digests and turn % digests == 0 else entry)
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


def play_out(game: Game[Any], position: Any, dealer: "Dealer") -> Iterator[Played]:
    """Every ply from a position to the end of the game."""
    while due := game.to_act(position):
        turn = game.turn(position)
        ply = game.deal(position, dealer) if due == (CHANCE,) else choose(game, position, dealer)
        position = game.apply(position, ply)
        yield Played(turn, ply, position)


def choose(game: Game[Any], position: Any, dealer: "Dealer", seat: Seat | None = None) -> Ply:
    """A ply that a sample player makes: of one seat, or of whoever is due."""
    legal = [ply for ply in game.legal(position) if seat is None or ply.seat == seat]
    drawn = [legal[dealer.pick(len(legal), "sample")] for _ in range(min(CANDIDATES, len(legal)))]
    return max(drawn, key=lambda ply: game.prospect(game.apply(position, ply), ply.seat))
