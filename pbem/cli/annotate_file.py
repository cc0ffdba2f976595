"""The file that `pbem annotate` writes into: a game, or the copy of it that holds what people write if it is sealed."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from notation import ANNOTATION, COMMENT, VARIATION, Record
from pbem.archive.rewrite import Rewritten, rewrite_game
from pbem.archive.source import UnreadableFile
from pbem.books.remarks import (
    Place,
    Placed,
    add_remark,
    make_remark,
    own_remarks,
    parse_place,
    place_words,
    remark_text,
    remove_remark,
    without_own,
    wrong_variations,
)
from pbem.judging.entries import PROOF, fill_in_numbers, tidy_headers
from pbem.terminal.inputs import pick_game

if TYPE_CHECKING:
    from notation.reader import Reading
    from pbem.terminal.book_outputs import AnnotatedJson
    from pbem.terminal.report import Report

COPY: Final = ".annotated.turns"
"""How the copy of a sealed record is called that holds what people write beside it."""


class Wish(NamedTuple):
    """A remark to add: its kind and its text."""

    kind: str
    text: str


class AnnotatedFile:
    """A game in a file, the copy that holds its remarks if it is sealed, and what to do with them."""

    def __init__(self, file: Path, number: int, report: "Report") -> None:
        self._file = file
        self._number = number
        self._report = report
        self._copy: Path | None = None

    @property
    def path(self) -> Path:
        """The file with the remarks."""
        return self._copy or self._file

    def read(self) -> Record:
        """The game with its remarks; what cannot be read ends the command."""
        record = self._read(self._file)
        if record.header(PROOF) is not None and not self._file.name.endswith(COPY):
            self._copy = self._file.with_name(self._file.name.removesuffix(".turns") + COPY)
            if self._copy.exists():
                copied = self._read(self._copy)
                if without_own(copied) != without_own(record):
                    self._report.give_up(f"{self._copy}: is not a copy of {self._file}; move it out of the way")
                return copied
        return record

    def _read(self, path: Path) -> Record:
        picked = pick_game(str(path), self._number, self._report)
        if picked is None:
            self._report.end()
        return _canonical(picked[1])

    def change(self, at: str, wishes: list[Wish], remove: list[int]) -> Record:
        """Write all of it or nothing, and give the game as it stands then. What is wrong ends the command."""
        made = self.try_to_change(at, wishes, remove)
        if made.problem or made.record is None:
            self._report.give_up(made.problem, misuse=False)
        return made.record

    def try_to_change(self, at: str, wishes: list[Wish], remove: list[int]) -> Rewritten:
        """The same, with what is wrong as a value."""

        def alter(reading: "Reading") -> Record | str | None:
            if reading.record is None:
                return f"{self.path}: game {self._number} cannot be read any more"
            record = _canonical(reading.record)
            place = parse_place(at, record)
            return place if isinstance(place, str) else self._altered(record, place, wishes, remove)

        try:
            return rewrite_game(self._file, self._number, alter, into=self._copy)
        except UnreadableFile as problem:
            self._report.give_up(str(problem), misuse=problem.misuse)
        except OSError as problem:
            self._report.give_up(f"{self.path}: cannot be written; {(problem.strerror or str(problem)).lower()}")

    def _altered(self, before: Record, place: Place, wishes: list[Wish], remove: list[int]) -> Record | str:
        record = before
        for number in sorted(set(remove), reverse=True):
            taken = remove_remark(record, number)
            if isinstance(taken, str):
                return taken
            record = taken
        for wish in wishes:
            remark = make_remark(wish.kind, wish.text, record)
            added = remark if isinstance(remark, str) else add_remark(record, place, remark)
            if isinstance(added, str):
                return added
            record = added
        for wrong in wrong_variations(before, record):
            self._report.note(f"this variation cannot be played: {wrong.code} {wrong.verdict}")
        return record

    def tell(self, record: Record) -> None:
        """Print the remarks of people, each with its number and its place."""
        placed = list(own_remarks(record))
        self._report.say(*(line for each in placed for line in remark_lines(each, record)))
        if not placed:
            self._report.say(f"{self.path}: no remarks of people")
        said: AnnotatedJson = {
            "file": str(self.path),
            "game": self._number,
            "remarks": [
                {
                    "number": each.number,
                    "at": place_words(each.place, record),
                    "kind": each.remark.kind,
                    "text": remark_text(each.remark, record),
                }
                for each in placed
            ],
        }
        self._report.add(said)


def remark_lines(placed: Placed, record: Record) -> Iterator[str]:
    """A remark of people for the terminal, with its number and its place."""
    at = placed.place.entry
    named = ""
    if at < len(record.entries):
        entry = record.entries[at]
        named = f" ({entry.number}. {entry.who})"
    text = remark_text(placed.remark, record)
    shown = {COMMENT: f"{{{text}}}", ANNOTATION: f"[%{text}]", VARIATION: f"({text})"}.get(placed.remark.kind, text)
    first, *more = shown.split("\n")
    yield f"{placed.number:>4}. {place_words(placed.place, record)}{named}: {first}"
    yield from (f"      {line}" for line in more)


def _canonical(record: Record) -> Record:
    return fill_in_numbers(tidy_headers(record))
