"""What a chapter of a book is made of: paragraphs of moves, comments, what was said, boards and variations.

All of it is text that a template still escapes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.game import Seat
from pbem.books.moves_in_words import Clauses
from pbem.books.seal import Seal


class Board(NamedTuple):
    """A board: the picture, the one for telephones where the game has one, the same in words, and what it shows."""

    svg: str
    narrow: str
    words: str
    caption: str


class ToldEntry(NamedTuple):
    """An entry of the main line: `label` is its number where the turn begins, `who` is empty for chance."""

    label: str
    seat: Seat
    who: str
    clauses: tuple[Clauses, ...]
    gains: str = ""


class Moves(NamedTuple):
    """A paragraph of moves."""

    entries: tuple[ToldEntry, ...]
    kind: Literal["moves"] = "moves"


class Comment(NamedTuple):
    """What somebody wrote beside the game."""

    text: str
    kind: Literal["comment"] = "comment"


class Press(NamedTuple):
    """What a player said to all while the game was played."""

    who: str
    words: str
    kind: Literal["press"] = "press"


class Diagram(NamedTuple):
    """A board in the text."""

    board: Board
    kind: Literal["board"] = "board"


class Variation(NamedTuple):
    """What might have been played: moves, comments and variations, and the board it leads to."""

    blocks: "tuple[Block, ...]"
    board: Board | None
    kind: Literal["variation"] = "variation"


Block: TypeAlias = Moves | Comment | Press | Diagram | Variation


class Standing(NamedTuple):
    """A player: seat, name, points (None while hidden), and whether the game was won."""

    seat: Seat
    colour: str
    name: str
    points: int | None
    won: bool


@dataclass(frozen=True)
class Chapter:
    """A game, ready for its template."""

    key: str
    game: str
    title: str
    heading: tuple[str, ...]
    players: tuple[Standing, ...]
    turns: int
    finished: bool
    viewer: str
    blocks: tuple[Block, ...]
    points: Mapping[str, Sequence[tuple[int, int]]]
    """Points after each turn, by seat."""
    rules: str
    text: str
    """The SHA-256 of the record's text."""
    annotators: str
    seal: Seal | None
