"""What a command by mail is: its words and grammar, what it means on a line, and what it does at a table.

Each family of commands has a module in this folder with its classes and its `FAMILY`; `command_grammar` finds them
there. To add a command, add such a module; `resign` is the smallest. Words in other languages stand in
`templates/locale/<code>/commands.toml`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import ClassVar, Final, NamedTuple, TypeAlias

from engine.chance import Dealer
from engine.game import Seat
from pbem.mail.commands.letter_line import LineContext, MessageWords, UnreadLine
from pbem.mail.commands.move_spans import TurnInProse
from pbem.mail.commands.parse_moves import Turn
from pbem.tables import table_rules
from pbem.tables.consequences import add_consequences
from pbem.tables.decision import Decision, HeardPress, Refused, refuse_overlong
from pbem.tables.play import refuse_declined
from pbem.tables.standing_orders import StandingOrder
from pbem.tables.table import CALLED_OFF, Table

A_COMMAND: Final = "an order such as help, or a move"
"""What every verb is called where a player is told what could have been written."""


class ParsedLine(ABC):
    """What the grammar makes of a line, before the game and the table are looked at."""

    __slots__ = ()

    is_private: ClassVar[bool] = False
    """Whether only its writer and the post may see the line."""

    @property
    def gives_way(self) -> bool:
        """Whether a move of the same name is meant instead, once a game is being played."""
        return False

    @abstractmethod
    def format(self) -> str:
        """The line in its canonical words, as a letter could bring it."""

    def resolve(self, context: LineContext) -> "LineMeaning":
        """What the line means in its game: itself, moves, words that follow, or a question."""
        return self

    def choose(self, context: LineContext, turn: Turn) -> "LineMeaning | None":
        """What is meant where the line can be read as a move too; None if that cannot be known."""
        return None


class Command(ParsedLine):
    """Something that a player asks for. The same for every game."""

    __slots__ = ()

    is_binding: ClassVar[bool] = False
    """Whether it changes something for the game, so that it is not done if the letter's prose puts it in doubt."""
    needs_standing: ClassVar[bool] = False
    """Whether its decision needs the sender's standing orders."""
    needs_press: ClassVar[bool] = False
    """Whether its decision needs what others have said to the sender."""

    @abstractmethod
    def decide(self, table: Table, seat: Seat, context: "CommandContext") -> Decision:
        """What comes of the command at a table. Pure: nothing is stored or sent."""

    def contradicts(self, other: "Command") -> bool:
        """Whether one letter cannot mean both this command and another."""
        return False


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a decision may know of the world outside the table."""

    now: datetime
    """In the sender's time zone, whose days are meant by an absence."""
    dealer: Dealer
    """Settles the set-up and any chance that is due."""
    letter: str = ""
    """The digest of the letter, for the record."""
    mark: str = ""
    """The digest of what the sender's own copy of the letter has as well."""
    standing: tuple[StandingOrder, ...] = ()
    """The sender's standing orders so far."""
    heard: tuple[HeardPress, ...] = ()
    """What others have said to the sender, oldest first."""
    pencil_until: str = ""
    """When a move that is pencilled now will be played, as events write it."""
    secret: bytes = b""
    """The post's own, never opened. It blinds the digests of private words, which could be guessed otherwise."""

    def follow(self, table: Table, decision: Decision) -> Decision:
        """A decision with all events that follow from its own by themselves."""
        return replace(decision, drafts=add_consequences(table, decision.drafts, self.dealer))


@dataclass(frozen=True, slots=True)
class PlannedTurns:
    """Turns for later; none: forget those that were planned before."""

    turns: tuple[Turn, ...]

    is_private: ClassVar[bool] = True


LineMeaning: TypeAlias = ParsedLine | Turn | TurnInProse | PlannedTurns | MessageWords | UnreadLine


class CommandTerminal(NamedTuple):
    """A kind of word in the grammar. A name that begins with `_` is not handed to what builds the command."""

    name: str
    pattern: str = ""
    """A regular expression in which `$name` stands for a list of words; empty: the list of the same name, whole."""
    priority: int = 0
    value: object = None
    """What the word stands for, or a function from its text; None: its text."""
    says: str = ""
    """What a player calls it."""
    begins_prose: bool = False
    """Whether people also begin a sentence with the word, which then does no harm."""


def verb(name: str, pattern: str = "", *, priority: int = 0, begins_prose: bool = False) -> CommandTerminal:
    """The word that a command begins with."""
    return CommandTerminal(name, pattern, priority, says=A_COMMAND, begins_prose=begins_prose)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFamily:
    """How some commands that belong together are written."""

    grammar: str = ""
    """Rules in Lark's language. Those named in `build` are whole lines."""
    words: Mapping[str, str] = field(default_factory=dict)
    """List name -> its English words, as a regular expression. Language files have lists of the same names."""
    terminals: tuple[CommandTerminal, ...] = ()
    build: Mapping[str, Callable[..., ParsedLine]] = field(default_factory=dict)
    """Rule name -> what makes the line of the values of the rule's named terminals."""


def decide(table: Table, seat: Seat, command: Command, context: CommandContext) -> Decision:
    """What comes of a command from `seat`, or its refusal if the record has no room for it.

    Whoever has declined no longer sits there: the seat is free for somebody else.
    """
    if seat in table.free:
        return Decision(refused=refuse_declined(seat))
    decision = refuse_overlong(table, command.decide(table, seat, context))
    if decision.drafts and table.is_second_form and table.stage == CALLED_OFF:
        return Decision(refused=Refused(table_rules.T3, "this game has not begun, or is over"))
    return decision
