"""A position that is stated instead of played: what the headers ``Pose`` and ``Pose.red`` say, clause by clause.

Referees, puzzles and tests begin with such a position. A game knows its own clauses (`Game.pose`); what they share is
here. A statement need not be reachable by play, but it must be possible on the board and with what is in the box.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from engine.verdict import NO_FACTS

TABLE: Final = ""
"""Under what the header ``Pose``, which speaks of the table as a whole, is found among those of the seats."""

Stated: TypeAlias = Mapping[Seat, str]
"""The text of each header: of the seats, and of TABLE."""


class Misplaced(NamedTuple):
    """Why a statement cannot be: a pattern with facts, and whose header says so (TABLE for the whole)."""

    says: str
    facts: Mapping[str, object] = NO_FACTS
    seat: Seat = TABLE


class Clauses:
    """What one header says: clauses parted by commas, each a word and what belongs to it: ``coins 7, stones M16``."""

    def __init__(self, found: Mapping[str, Sequence[str]], seat: Seat) -> None:
        self._found = found
        self._seat = seat

    def __contains__(self, word: str) -> bool:
        return word in self._found

    def words(self, clause: str) -> tuple[str, ...]:
        """What belongs to a clause; nothing if it is not there."""
        return tuple(self._found.get(clause, ()))

    def number(self, clause: str, usual: int, allowed: range) -> int | Misplaced:
        """The number of a clause, or what it is when nobody says."""
        words = self.words(clause)
        if clause not in self._found:
            return usual
        if len(words) == 1 and words[0].isascii() and words[0].isdigit() and int(words[0]) in allowed:
            return int(words[0])
        facts = {"clause": clause, "least": min(allowed), "most": max(allowed), "given": " ".join(words)}
        return self.misplaced("{clause} needs one number from {least} to {most}, not {given}", facts)

    def misplaced(self, says: str, facts: Mapping[str, object] = NO_FACTS) -> Misplaced:
        """That this header says something impossible."""
        return Misplaced(says, facts, self._seat)


def read_clauses(stated: Stated, seat: Seat, known: Sequence[str]) -> Clauses | Misplaced:
    """The clauses of one header, or what is wrong with it; a missing header has none."""
    found: dict[str, Sequence[str]] = {}
    for clause in stated.get(seat, "").split(","):
        word, *words = clause.split() or [""]
        if not word:
            continue
        if word not in known or word in found:
            facts = {"word": word, "known": ", ".join(known)}
            doubled = "{word} is said twice"
            return Misplaced(doubled if word in found else "{word} cannot be stated; known are {known}", facts, seat)
        found[word] = words
    return Clauses(found, seat)


LATEST: Final = 9999
"""The last turn that can be stated."""
