"""A rule of a game, the verdict that a move breaks it, and the remedy: what would make the move legal.

A verdict is a value, never an exception: players' mistakes are ordinary. Its sentence is kept as a pattern
with facts, so that it can be said in the player's language, which this module does not know.

Remedies are small changes of the table. A game proposes them (`Game.remedies`), each with the table as it would be
then. Whether the move is legal there is for the game's judge to say, so what is claimed is never wrong.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from engine.game import GameRules, Ply

NO_FACTS: Final[Mapping[str, object]] = MappingProxyType({})


class Ruling(NamedTuple):
    """What we decided where a rulebook leaves room.

    `book` tells in our words what the rulebook says here, and is empty where it is silent; `why` gives our reason.
    """

    book: str
    why: str


class Rule(NamedTuple):
    """One rule: what a refusal cites and `pbem rule CODE` prints.

    `name` names the thing that is wrong (or what the rule is about, when no move can break it), `text` is the
    rule in our words, `source` the rulebook and the place in it. `breaks` and `obeys` are an example each, a
    move and why; `breaks` is empty for a rule that no move can break.
    """

    code: str
    name: str
    text: str
    source: str
    obeys: str
    breaks: str = ""
    ruling: Ruling | None = None
    """Set when the rulebooks leave room and the rule, or a part of it, is ours."""

    def __str__(self) -> str:
        return self.code


class Verdict(NamedTuple):
    """A refusal: the rule broken, and the detail of this case.

    `says` is a pattern in `str.format` style and `facts` fill it; `instead` offers legal moves nearest to the
    refused one (it may be empty).
    """

    rule: Rule
    says: str
    facts: Mapping[str, object] = NO_FACTS
    instead: tuple[object, ...] = ()

    @property
    def detail(self) -> str:
        """The sentence in English: ``K7 touches blue's mint camel at K8``."""
        return self.says.format_map(self.facts)

    def __str__(self) -> str:
        return f"{self.rule.code} {self.detail}"


def begin_sentence(said: str) -> str:
    """A detail with a capital, unless it begins with somebody's own text: ``b8 is no palm space`` stays as it is."""
    first = said.split(" ", 1)[0].rstrip(",;:").removesuffix("'s")
    return said[:1].upper() + said[1:] if first.isalpha() else said


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
