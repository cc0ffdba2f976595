"""A refusal: which rule a record breaks, and where in the record.

It points into the record, not into a file; what the reader sees of it is put into words by `notice`.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.game import Seat
    from engine.verdict import Verdict
    from notation import Entry


class Refusal(NamedTuple):
    """What stopped a hearing.

    `entry` is None when a header is at fault, named by `header`. `move` counts the entry's moves from 0; None
    means the entry as a whole. `turn` and `digest` tell the state that the refused move met.
    """

    verdict: "Verdict"
    entry: "Entry | None" = None
    move: int | None = None
    header: str | None = None
    turn: int | None = None
    digest: str | None = None

    @property
    def code(self) -> str:
        """The code of the rule broken."""
        return self.verdict.rule.code

    @property
    def line(self) -> int | None:
        """The line of the entry in the text, where it is known."""
        return self.entry.line if self.entry is not None else None

    @property
    def seat(self) -> "Seat | None":
        """Who wanted to play."""
        return self.entry.who if self.entry is not None else None
