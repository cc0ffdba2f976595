"""What a game of this box consists of: its kinds of move, its stages, its numbers, and its hooks.

A Law is a table. The base game fills it in `base_game.py`; the full game copies that and adds its own in
`full_game.py`. Nothing else asks which of the two games is being played. The docstring of the package says how to add
to it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from engine.verdict import Rule, Verdict

if TYPE_CHECKING:
    from engine.brotherhood.position import Position
    from engine.brotherhood.table import WorkingPosition
    from engine.chance import Dealer
    from engine.game import Seat
    from engine.score import Line

Judge: TypeAlias = "Callable[[WorkingPosition, int, Any], Verdict | None]"
"""(table, place of the mover, move): None, or the first rule broken. It must not change the table."""
Play: TypeAlias = "Callable[[WorkingPosition, int, Any], None]"
"""(table, place of the mover, move): carry out a legal move on the table."""

ON_TURN: Final = "on turn"
"""Made by the player whose turn it is."""
OTHERS: Final = "others"
"""Made by any player whom the judge of the move allows it."""
BY_CHANCE: Final = "chance"


class MoveKind(NamedTuple):
    """One kind of move: when it can be made at all, by whom, how it is judged and what it does."""

    when: frozenset[str]
    """The stages and items of the agenda during which it can be made."""
    judge: Judge
    play: Play
    by: str = ON_TURN
    missed: tuple[Rule, str] | None = None
    """For a move with a moment of its own: the rule that names the moment, and what to say in the rest of a turn."""


class Stage(NamedTuple):
    """A stage of a turn, or an item of the agenda."""

    rule: Rule
    """The rule that a move breaks which is made at the wrong time."""
    says: str
    """Why it cannot be done now: a pattern with {seat}, the player on turn."""
    due: "Callable[[WorkingPosition], tuple[Seat, ...]] | None" = None
    """Who may or must move; None: the player on turn."""
    choices: "Callable[[WorkingPosition], Sequence[tuple[Seat, object]]] | None" = None
    """The legal plies, as `Game.legal` lists them."""
    deal: "Callable[[WorkingPosition, Dealer], Any] | None" = None
    """Chance's move, where chance is due."""
    effect: "Callable[[WorkingPosition], None] | None" = None
    """For an item that waits for no seat: what happens. It is taken off the agenda before."""
    silence: "Callable[[WorkingPosition, int], Any] | None" = None
    """The move that silence stands for (`Game.by_default`)."""


def _law_of(module: str) -> "Law":
    """The law of one of the modules of this package."""
    law: Law = import_module(f"engine.brotherhood.{module}").LAW
    return law


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law:
    """One of the two games."""

    module: str
    """The module of this package whose LAW it is; a position that is pickled names it."""
    kinds: Mapping[type, MoveKind]
    stages: Mapping[str, Stage]
    deck: int
    """The development cards, as a hand."""
    rate: int
    """What the supply asks without a trade route."""
    special: int
    """The points of Longest Road and of Largest Patrol."""
    faces: tuple[int, ...]
    """The sides of the dice."""
    rounds: tuple[str, ...]
    """The stage that opens a placement, for each round of set-up."""
    after_roll: tuple[str, ...] = ()
    """Items of the agenda that follow production, or the seven and all it brings."""
    ends_at_once: bool
    """Whether ten points end the game in mid-turn, or only when the turn is over."""

    # What the Watch hooks in. Each is called where the base game has done its own part.
    placed: "Callable[[WorkingPosition, int], None]"
    """(table, place): a settlement was placed in set-up."""
    settled: "Callable[[WorkingPosition, int], None]"
    """(table, place): a settlement was built and paid; special cards have not been compared yet."""
    fortified: "Callable[[WorkingPosition, int], None]"
    """(table, place): a keep was built and paid."""
    honoured: "Callable[[WorkingPosition, int], None]"
    """(table, place): somebody has received Longest Road or Largest Patrol."""
    held: "Callable[[WorkingPosition], int]"
    """The hexes, as bits, that produce nothing for another reason than Tormund."""
    other_points: "Callable[[WorkingPosition, int], int]"
    """(table, place): public points from sources that the base game does not know."""
    lines: "Callable[[Position, int], list[Line]]"
    """(position, place): the same points, explained."""
    look: "Callable[[Position, Seat], Mapping[str, object] | None]"
    """(position, viewer): the view's part ``watch``."""
    told: "Mapping[type, Callable[[Position, Any, Seat], Any]]"
    """Move kind -> (position, move, viewer): the move as the viewer may read it."""

    def __reduce__(self) -> "tuple[Callable[[str], Law], tuple[str]]":
        """Pickle it by its place: its functions are code, and there is only one of it."""
        return _law_of, (self.module,)
