"""What would make a refused move legal: the smallest change of the table, where it is a small one.

A game proposes changes (`Game.remedies`), each with the table as it would be then. Whether the move is legal there is
for the game's judge to say, so what is claimed is never wrong.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from engine.verdict import NO_FACTS

if TYPE_CHECKING:
    from engine.game import GameRules, Ply

MOST: Final = 48
"""So many changes are tried at most."""

RemedyKind: TypeAlias = Literal["piece", "stock", "order"]
"""A piece that would stand, or not stand, somewhere; cards, coins or dice to have; a moment for it, or a move first."""


class Remedy(NamedTuple):
    """One change with which a refused move would be legal.

    `says` is a pattern in `str.format` style and `facts` fill it, as in a verdict. `places` are the places of the board
    that it is about, written as marks of a picture are.
    """

    kind: RemedyKind
    says: str
    facts: Mapping[str, object] = NO_FACTS
    places: tuple[str, ...] = ()
    moves: tuple[object, ...] = ()
    """Moves to make first, or all moves in another order; as text they are the fact `moves`."""

    @property
    def detail(self) -> str:
        """The sentence in English: ``it would be legal if D6 were free``."""
        return self.says.format_map(self.facts)


class Proposal(NamedTuple):
    """A change to try, and the table after it."""

    remedy: Remedy
    position: Any


AFTER: Final = "it would be legal after {moves}"
TURN: Final = "it would be legal if it were {seat}'s turn"
FREE: Final = "it would be legal if {place} were free"
"""What several games say."""


def after(move: object, position: object, *places: str) -> Proposal:
    """The proposal to make a legal move first, at some places, which leads to a position."""
    return Proposal(Remedy("order", AFTER, places=places, moves=(move,)), position)


def free(place: str, position: object) -> Proposal:
    """The proposal that nothing stood at a place."""
    return Proposal(Remedy("piece", FREE, {"place": place}, (place,)), position)


def first_legal(game: "GameRules", ply: "Ply", proposals: Iterable[Proposal]) -> Proposal | None:
    """The first proposal with which the ply is legal, of as many as may be tried."""
    tried = islice(proposals, MOST)
    return next((one for one in tried if game.judge(one.position, ply) is None), None)
