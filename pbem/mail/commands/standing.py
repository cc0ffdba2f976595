"""Standing orders by mail: what the game does for a player by itself, whenever it can be done."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from engine.game import Seat
from notation import Fault
from notation.player_text import read_standing, write_standing
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    verb,
)
from pbem.mail.commands.letter_line import LineContext
from pbem.tables import standing_orders
from pbem.tables.decision import Decision
from pbem.tables.table import Table


@dataclass(frozen=True, slots=True)
class SetStanding(Command):
    """Do something by itself whenever it can be done, in the game's notation; `this_turn`: until the turn is over."""

    is_binding: ClassVar[bool] = True
    is_private: ClassVar[bool] = True
    needs_standing: ClassVar[bool] = True

    text: str
    this_turn: bool = False

    def format(self) -> str:
        """The standing order after its verb."""
        return f"standing {self.text}{' this turn' if self.this_turn else ''}"

    def resolve(self, context: LineContext) -> LineMeaning:
        """A standing order that can be read; a question if it cannot. A game without any refuses it at the table."""
        game, line = context.game, context.line
        read = read_standing(game, self.text) if game is not None else None
        if game is None or read is None:
            return self
        if not isinstance(read, Fault):
            return replace(self, text=write_standing(game, read))
        says = "we cannot read the standing order in line {line}"
        # What can be read instead is shown as it is written in a letter: with the word for it.
        readable = not isinstance(read_standing(game, read.example), Fault)
        example = f"standing {read.example}" if readable else "standing"
        return line.unread(letter_rules.L3, read._replace(line=line.number, example=example), says)

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Add it to the sender's standing orders."""
        return standing_orders.add_order(table, seat, self.text, context.standing, this_turn=self.this_turn)


@dataclass(frozen=True, slots=True)
class ListStanding(Command):
    """List the sender's standing orders."""

    needs_standing: ClassVar[bool] = True

    def format(self) -> str:
        """The verb alone."""
        return "standing"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """List them."""
        return standing_orders.list_orders(table, seat, context.standing)


@dataclass(frozen=True, slots=True)
class DropStanding(Command):
    """Forget all standing orders of the sender."""

    def format(self) -> str:
        """The verb and none."""
        return "standing none"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Forget them."""
        return standing_orders.drop_orders()


def _standing(text: str = "", this_turn: str = "") -> SetStanding | ListStanding:
    return SetStanding(text.lower(), bool(this_turn)) if text else ListStanding()


_BIDDING: Final = r"[^\s?](?:.*?(?<![\s,;.!]))??(?=[\s,;.!]*+(?:(?:$this_turn)[\s!.]*+)?\Z)"
"""Up to the signs at the end. What follows is looked at once behind each run of signs, not behind each sign of it."""

FAMILY: Final = CommandFamily(
    grammar="""
        standing: _STANDING (BIDDING THIS_TURN? | _MARK)?
        drop_standing: _STANDING NONE
    """,
    words={
        "standing": "standing(?: orders?)?",
        "this_turn": "(?:in |during |for )?this turn",
    },
    terminals=(
        verb("_STANDING", begins_prose=True),
        CommandTerminal("BIDDING", _BIDDING, says="a standing order"),
        CommandTerminal("THIS_TURN", says="the words this turn"),
    ),
    build={
        "standing": _standing,
        "drop_standing": lambda _: DropStanding(),
    },
)
