"""Records from text to final points, beside python-chess reading PGN; and how much of that is reading alone.

Our reader remembers phrases. So that it does not merely recite, it is taken back before every run to what it knew
after some other games, as in the middle of an archive.
"""

from collections.abc import Iterator

from benchmarks.chess_games import count_moves, read_trees, sample_chess
from benchmarks.desert_games import sample_desert
from benchmarks.measuring import Contender, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from engine.through_the_desert import GAME
from notation import read_games
from notation.phrases import phrases
from pbem.judging.record_replay import replay_record


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """The whole way of a record, and its first part."""
    tell("sampling games")
    desert, games = sample_desert(sizes.desert_games), sample_chess(sizes.chess_games)
    others = sample_desert(sizes.desert_games + sizes.other_games)[sizes.desert_games :]
    plies, moves = sum(len(game.plies) for game in desert), sum(len(game.moves) for game in games)
    text, pgn = "\n".join(game.text() for game in desert), "".join(game.text for game in games)
    reader = Reader("\n".join(game.text() for game in others))
    contenders = [
        Contender("judged", plies, judge_records, lambda number: reader.take_back(text), plies),
        Contender("read", plies, read_records, lambda number: reader.take_back(text), len(desert)),
        Contender("tree", moves, read_trees, lambda number: pgn, moves),
        Contender("visitor", moves, count_moves, lambda number: pgn, moves),
    ]
    paces = race(contenders, rounds=sizes.short_rounds, tell=tell)
    what, ours = "read + judge + apply records", paces["judged"]
    target = Target(3, at_least=True)
    yield Row.of_rates(what, "plies/s", ours=ours, peer="read_game", theirs=paces["tree"], target=target)
    yield Row.of_rates(what, "plies/s", ours=ours, peer="read_game, counting only", theirs=paces["visitor"])
    yield Row.of_rates(
        f"read alone, {paces['read'].best / paces['judged'].best:.0%} of the above",
        "plies/s",
        ours=paces["read"],
        peer="read_game, counting only",
        theirs=paces["visitor"],
    )


class Reader:
    """What the house's reader knows after having read some records."""

    def __init__(self, earlier: str) -> None:
        read_records(earlier)
        found = phrases(GAME.key)
        assert found is not None
        self._memory = found.known
        self._known = dict(found.known)

    def take_back(self, text: str) -> str:
        """Let it forget what it has learnt since; then hand it a text."""
        self._memory.clear()
        self._memory.update(self._known)
        return text


def judge_records(text: str) -> int:
    """The number of plies in the records of a text, all of which must be legal and end with the points they claim."""
    plies = 0
    for reading in read_games(text.split("\n")):
        if reading.record is None:
            raise AssertionError(f"line {reading.line} cannot be read: {reading.faults}")
        hearing = replay_record(reading.record)
        if hearing.refusal is not None or not hearing.finished:
            raise AssertionError(f"the game at line {reading.line} is refused: {hearing.refusal}")
        plies += hearing.plies
    return plies


def read_records(text: str) -> int:
    """The number of records in a text."""
    return sum(reading.record is not None for reading in read_games(text.split("\n")))
