"""Records kept for the tests, game by game: found, read, and walked move by move."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.game import Game, Ply
from engine.verdict import Verdict
from notation import Ending, Entry, Record, read_text, write_record
from pbem.judging.record_replay import replay_record

TESTS = Path(__file__).parents[1]


class Step(NamedTuple):
    """One move of a record: the position it meets, the one it leads to, and the notes that stand after it."""

    before: Any
    ply: Ply
    after: Any
    notes: list[str]


class Shelf:
    """All records of one game, those that stand or those that are refused, by their names."""

    def __init__(self, game: Game[Any], folder: str = "records") -> None:
        self.game = game
        self.folder = TESTS / folder / game.key
        self.names = sorted(path.stem for path in self.folder.glob("*.turns"))

    def text(self, name: str) -> str:
        """A record to the letter."""
        return (self.folder / f"{name}.turns").read_text("utf-8")

    def read(self, name: str) -> Record:
        """A record that can be read without a fault."""
        return _read(self.folder / f"{name}.turns")

    def having(self, header: str) -> list[str]:
        """The records with a header that begins like this."""
        return [name for name in self.names if any(key.startswith(header) for key, _ in self.read(name).headers)]

    def start(self, name: str) -> Any:
        """Where a record begins."""
        position = self.game.start(self.read(name).setup)
        assert not isinstance(position, Verdict)
        return position

    def steps(self, name: str) -> list[Step]:
        """Every move of a record, its ending apart."""
        return _walk(self, name)[0]

    def last(self, name: str) -> Any:
        """Where a record leads."""
        return _walk(self, name)[1]

    def assert_stands(self, name: str) -> None:
        """A record is legal to its end, written as we write, and has the name of its file."""
        record, replayed = self.read(name), replay_record(self.read(name))
        assert replayed.refusal is None, str(replayed.refusal)
        assert replayed.plies == len(self.steps(name))
        assert replayed.position == self.last(name)
        assert write_record(record) == self.text(name)
        assert record.header("Id") == name


def notes_after(entry: Entry, at: int) -> list[str]:
    """What is noted in an entry after so many of its moves."""
    return [remark.value for remark in entry.remarks if remark.at == at and remark.kind == "annotation"]


def code_of(name: str) -> str:
    """The rule for which a record is named: ``TD-C1-oasis`` breaks ``TD-C1``."""
    return "-".join(name.split("-")[:2])


def without_the_last_move(record: Record) -> Record:
    """A record that stops one move earlier."""
    *entries, last = record.entries
    kept = [last._replace(moves=last.moves[:-1])] if last.moves[1:] else []
    return replace(record, entries=(*entries, *kept))


@cache
def _read(path: Path) -> Record:
    (reading,) = read_text(path.read_text("utf-8"))
    assert not reading.faults
    assert reading.record is not None
    return reading.record


@cache
def _walk(shelf: Shelf, name: str) -> tuple[list[Step], Any]:
    position, steps = shelf.start(name), []
    for entry in shelf.read(name).entries:
        for at, move in enumerate(entry.moves, start=1):
            if not isinstance(move, Ending):
                ply = Ply(entry.who, move)
                after = shelf.game.apply(position, ply)
                steps.append(Step(position, ply, after, notes_after(entry, at)))
                position = after
    return steps, position
