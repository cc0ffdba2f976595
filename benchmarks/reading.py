"""Records from text to final points, beside python-chess reading PGN; and how much of that is reading alone.

Every round reads the games in a guise that no earlier round has shown. python-chess has no memory of text, so
its games stay the same.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.chess_games import count_moves, read_trees, sample_chess
from benchmarks.desert_games import DesertGame, points, sample_desert
from benchmarks.measuring import Contender, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from notation import read_games
from pbem.referee.hearing import hear

TARGET = Target(3, at_least=True)


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """The whole way of a record, and its first part."""
    desert, games = sample_desert(sizes.desert_games), sample_chess(sizes.chess_games)
    plies, moves = sum(len(game.plies) for game in desert), sum(len(game.moves) for game in games)
    pgn = "".join(game.text for game in games)
    write, show = partial(_write, desert), lambda number: pgn
    contenders = [
        Contender("judged", plies, judge_records, write, [game.points for game in desert]),
        Contender("read", plies, read_records, write, len(desert)),
        Contender("tree", moves, read_trees, show, moves),
        Contender("visitor", moves, count_moves, show, moves),
    ]
    paces = race(contenders, rounds=sizes.rounds, tell=tell)
    for peer, name in [("read_game", "tree"), ("read_game with a visitor, no tree", "visitor")]:
        yield Row.of_rates(
            "read + judge + apply records",
            "plies/s",
            ours=paces["judged"],
            peer=peer,
            theirs=paces[name],
            target=TARGET,
        )
    yield Row.of_rates(
        f"read alone, {paces['read'].best / paces['judged'].best:.0%} of the above",
        "plies/s",
        ours=paces["read"],
        peer="read_game with a visitor",
        theirs=paces["visitor"],
    )


def judge_records(text: str) -> list[tuple[int, ...]]:
    """The final points of every record in a text, all of which must be in order."""
    results = []
    for reading in read_games(text.split("\n")):
        if reading.record is None or reading.faults:
            raise AssertionError(f"line {reading.line} cannot be read: {reading.faults}")
        hearing = hear(reading.record)
        if hearing.refusal is not None or not hearing.finished:
            raise AssertionError(f"the game at line {reading.line} is refused: {hearing.refusal}")
        results.append(points(hearing.position))
    return results


def read_records(text: str) -> int:
    """The number of records in a text."""
    return sum(reading.record is not None for reading in read_games(text.split("\n")))


def _write(games: Sequence[DesertGame], guise: int) -> str:
    return "\n".join(game.text(guise) for game in games)
