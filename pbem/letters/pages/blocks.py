"""What stands in a mail, from top to bottom: blocks of plain text.

The text part and the HTML part are two layouts of the same blocks, so they say the same. A block knows nothing of
markup; all of its text is escaped where it is laid out.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, TypeAlias

from pbem.letters.board import Board

LEAD: Final = "lead"
SOFT: Final = "soft"


class Link(NamedTuple):
    """An answer that is already written: what the reader taps, and the mailto address behind it."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows."""

    kind: ClassVar[str] = "heading"
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text: what a reader must not miss (lead), what matters less (soft), or neither."""

    kind: ClassVar[str] = "paragraph"
    text: str
    weight: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a list, each behind a bar: no line of ours may be taken for an order when a program quotes it badly."""

    kind: ClassVar[str] = "lines"
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Lines whose blanks and line ends matter: a record, or a text with a caret below it. Behind a bar too."""

    kind: ClassVar[str] = "fixed"
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The board as a picture. Text has none; there the drawing comes last."""

    kind: ClassVar[str] = "picture"
    board: Board
    alt: str


@dataclass(frozen=True, slots=True)
class Owners:
    """The board in sentences, owner by owner."""

    kind: ClassVar[str] = "owners"
    board: Board


@dataclass(frozen=True, slots=True)
class Points:
    """Who has how many points from where: a row for each source, a column for each player, and their sums."""

    kind: ClassVar[str] = "points"
    caption: str
    players: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    total: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Answers to tap, the first as a button if it is what most readers want.

    Text has none; its sentences say what to write.
    """

    kind: ClassVar[str] = "links"
    links: tuple[Link, ...]
    button: bool = True


Block: TypeAlias = Heading | Paragraph | Lines | Fixed | Picture | Owners | Points | Links
