"""What needs the others' consent, asked for and answered by mail: undo, draw, pause, resume, excuse."""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from engine.game import Seat
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    verb,
)
from pbem.mail.commands.letter_line import LineContext
from pbem.mail.commands.parse_moves import Turn
from pbem.tables import votes
from pbem.tables.decision import Decision
from pbem.tables.table import Table


@dataclass(frozen=True, slots=True)
class Ask(Command):
    """Ask the others for something that needs consent: undo, draw, pause, resume or excuse."""

    is_binding: ClassVar[bool] = True

    what: str

    def format(self) -> str:
        """What is asked for."""
        return self.what

    def choose(self, context: LineContext, turn: Turn) -> LineMeaning | None:
        """The request, unless the move of the same name can be made now too."""
        if context.pending is None or context.pending.allows(turn.phrase):
            return None
        return self

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Ask for it."""
        return context.follow(table, votes.ask(table, seat, self.what))


@dataclass(frozen=True, slots=True)
class Agree(Command):
    """Say yes to what was asked (``what`` empty: to the one thing that is open)."""

    is_binding: ClassVar[bool] = True

    what: str = ""

    def format(self) -> str:
        """The verb, and what is agreed to."""
        return f"agree {self.what}".strip()

    def choose(self, context: LineContext, turn: Turn) -> LineMeaning | None:
        """Of consent and a move of the same name, the one that makes sense now."""
        if context.pending is None or context.pending.has_votes == context.pending.allows(turn.phrase):
            return None
        return self if context.pending.has_votes else turn

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Count the yes."""
        return context.follow(table, votes.agree(table, seat, self.what))

    def contradicts(self, other: Command) -> bool:
        """Nobody says yes and no to the same thing."""
        return isinstance(other, Object) and other.what == self.what


@dataclass(frozen=True, slots=True)
class Object(Command):
    """Say no to what was asked."""

    is_binding: ClassVar[bool] = True

    what: str = ""

    @property
    def gives_way(self) -> bool:
        """A bare no may be a move."""
        return not self.what

    def format(self) -> str:
        """The verb, and what is objected to."""
        return f"object {self.what}".strip()

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Count the no."""
        return context.follow(table, votes.object_to_vote(table, seat, self.what))


class Asked(NamedTuple):
    """Something that needs consent, told apart from free words."""

    name: str


_ANYTHING: Final = Asked("")

FAMILY: Final = CommandFamily(
    grammar="""
        ask: _what _MARK?
        agree: _AGREE _WITH* _what?
        object: _OBJECT _WITH* _what?
        _what: UNDO | DRAW | PAUSE | RESUME | EXCUSE
    """,
    words={
        "undo": "undo(?: move)?|take(?: it)? ?back",
        "draw": "(?:offer |propose )?(?:a )?draw",
        "pause": "pause",
        "resume": "resume",
        "excuse": "excuse(?: my (?:missed )?turn)?",
        "agree": "agreed?|consent",
        "object": "object|disagree|do(?:n't| not) agree|oppose|withdraw",
    },
    terminals=(
        verb("_AGREE"),
        verb("_OBJECT", priority=2),
        CommandTerminal("UNDO", priority=2, value=Asked("undo")),
        CommandTerminal("DRAW", priority=2, value=Asked("draw")),
        CommandTerminal("PAUSE", priority=2, value=Asked("pause")),
        CommandTerminal("RESUME", priority=2, value=Asked("resume")),
        CommandTerminal("EXCUSE", priority=2, value=Asked("excuse")),
    ),
    build={
        "ask": lambda what: Ask(what.name),
        "agree": lambda what=_ANYTHING: Agree(what.name),
        "object": lambda what=_ANYTHING: Object(what.name),
    },
)
