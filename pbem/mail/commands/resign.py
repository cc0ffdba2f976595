"""Leaving a seat by mail: giving the game up, or asking to be replaced; each with the whole word, alone."""

from dataclasses import dataclass
from typing import ClassVar, Final

from engine.game import Seat
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, verb
from pbem.mail.commands.consent import Ask
from pbem.mail.commands.submit_moves import Plan, Play
from pbem.tables import table_rules
from pbem.tables.absences import keep_seat, leave_seat, offer_seat, refuse_for_owner, substitute_wanted
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import PLAYING, Table


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Give the game up."""

    is_binding: ClassVar[bool] = True

    def format(self) -> str:
        """The verb."""
        return "resign"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Leave the seat; with more than one player left, the referee looks for another."""
        if table.stage != PLAYING or seat in table.resigned:
            return Decision(refused=Refused(table_rules.T3, "you have no game to give up", {"seat": seat}))
        if seat in table.stand_ins.delegated:
            return Decision(refused=refuse_for_owner())
        drafts = leave_seat(table, seat, "resigned", seat)
        decision = Decision(drafts, notices=(substitute_wanted(seat),) if len(table.active) > 2 else ())
        return context.follow(table, decision)

    def contradicts(self, other: Command) -> bool:
        """A player who resigns does not play on."""
        return isinstance(other, Play | Plan | Ask)


@dataclass(frozen=True, slots=True)
class AskSubstitute(Command):
    """Ask to be replaced, and answer for the seat until somebody has come."""

    is_binding: ClassVar[bool] = True

    def format(self) -> str:
        """The verb."""
        return "substitute"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Offer the seat to others; nothing changes in play."""
        return offer_seat(table, seat)

    def contradicts(self, other: Command) -> bool:
        """Nobody hands on a seat that they give up."""
        return isinstance(other, Resign | DropSubstitute)


@dataclass(frozen=True, slots=True)
class DropSubstitute(Command):
    """Stay, after having asked to be replaced."""

    is_binding: ClassVar[bool] = True

    def format(self) -> str:
        """The verb and none."""
        return "substitute none"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Offer the seat no more."""
        return keep_seat(table, seat)


FAMILY: Final = CommandFamily(
    grammar="""
        resign: _RESIGN
        ask_substitute: _SUBSTITUTE
        drop_substitute: _SUBSTITUTE NONE
    """,
    words={
        "resign": "resign",
        "substitute": "(?:find (?:me )?a |i need a |a )?(?:substitute|replacement)(?: me| for me)?|replace me",
    },
    terminals=(verb("_RESIGN"), verb("_SUBSTITUTE")),
    build={
        "resign": Resign,
        "ask_substitute": AskSubstitute,
        "drop_substitute": lambda _: DropSubstitute(),
    },
)
