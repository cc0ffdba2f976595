"""What a player can ask for in a letter: the same verbs for every game.

A command is what was understood, not whether it may be done; that is for the table to decide. The reader of
commands is `reading`; this module knows no text.

What is open at a table for whoever writes: it tells apart the meanings of a word that is an order and a move.

`akkoord` agrees to a draw, or accepts an offer. Where only one of them can be meant, nobody need be asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Play:
    """Moves for the turn that is due, in the game's notation; `turn` if the player named it."""

    text: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Moves for later turns, one text a turn, to be played if they are legal when their turn comes."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetStanding:
    """Do something by itself whenever it can be done, in the game's notation; `this_turn`: until the turn is over."""

    text: str
    this_turn: bool = False


@dataclass(frozen=True, slots=True)
class ListStanding:
    """Tell which orders stand."""


@dataclass(frozen=True, slots=True)
class DropStanding:
    """Forget all orders that stand."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Show what a turn would lead to, and change nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Help:
    """Explain the commands and the notation."""


@dataclass(frozen=True, slots=True)
class Status:
    """Tell whose turn it is, the deadlines and what is asked."""


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """Send the board as it is."""


@dataclass(frozen=True, slots=True)
class ShowHistory:
    """Send the record so far."""


@dataclass(frozen=True, slots=True)
class AskRule:
    """Send one rule by its code."""

    code: str


@dataclass(frozen=True, slots=True)
class Press:
    """Pass words on, to ``all``, to ``referee`` or to a seat."""

    to: str
    words: str


@dataclass(frozen=True, slots=True)
class Appeal:
    """Call the referee about a turn; None for the last one that was played."""

    words: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Vacation:
    """Be away from one day to another, both included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class DropVacation:
    """Be away on no more days than those that have begun."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the others for something that needs consent: undo, draw, pause or resume."""

    what: str


@dataclass(frozen=True, slots=True)
class Agree:
    """Say yes to what was asked (``what`` empty: to the one thing that is open)."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class Object:
    """Say no to what was asked."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""


@dataclass(frozen=True, slots=True)
class AcceptInvitation:
    """Take the seat in an invitation; `entropy` are words that stir the draws."""

    entropy: str = ""


@dataclass(frozen=True, slots=True)
class DeclineInvitation:
    """Turn an invitation down."""


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Be written to in another language."""

    code: str


@dataclass(frozen=True, slots=True)
class SetZone:
    """Be told deadlines in another time zone."""

    name: str


@dataclass(frozen=True, slots=True)
class SetNotices:
    """Hear of each move (``each``), only of the own turn (``turn``), or once a day (``daily``)."""

    choice: str


@dataclass(frozen=True, slots=True)
class SetPlain:
    """Get plain text only, or pictures and HTML again."""

    on: bool


Command: TypeAlias = (
    Play
    | Plan
    | SetStanding
    | ListStanding
    | DropStanding
    | Preview
    | Help
    | Status
    | ShowBoard
    | ShowHistory
    | AskRule
    | Press
    | Appeal
    | Vacation
    | DropVacation
    | Ask
    | Agree
    | Object
    | Resign
    | AcceptInvitation
    | DeclineInvitation
    | SetLanguage
    | SetZone
    | SetNotices
    | SetPlain
)


class Pending(NamedTuple):
    """What a writer can answer or do now."""

    has_votes: bool
    """Whether something is asked of the players that the writer has not agreed to yet."""
    allows: Callable[[str], bool]
    """Whether the game lets the writer make a move now, in the game's notation."""
