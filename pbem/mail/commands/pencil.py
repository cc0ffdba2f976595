"""Pencilled moves by mail: a move beside words that are not known waits; `play it now` plays it, `stop` rubs it out.

A plain yes, or a plain no, in a letter to a table where a move of its writer waits, is an answer about that move.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from engine.game import Seat
from notation import write_moves
from pbem.events.chain import Draft
from pbem.events.post_kinds import MovePencilled
from pbem.mail.commands.command import A_COMMAND, Command, CommandContext, CommandFamily, CommandTerminal
from pbem.mail.commands.consent import Agree, Object
from pbem.mail.commands.invitation import plain_no, plain_yes
from pbem.mail.commands.letter_line import LineContext
from pbem.mail.commands.submit_moves import Play
from pbem.mail.commands.vocabulary import patterns
from pbem.tables import play, table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.pencils import draft_erasure
from pbem.tables.table import Table


@dataclass(frozen=True, slots=True)
class PencilMove(Command):
    """Moves for the turn that is due, beside words that are not known: they are played later, unless it is stopped."""

    is_binding: ClassVar[bool] = True
    is_private: ClassVar[bool] = True

    text: str
    turn: int | None = None
    beside: str = ""
    """The words that are not known."""

    def format(self) -> str:
        """The moves."""
        return self.text

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Judge the moves; those that could be made now are pencilled, and the others are refused at once."""
        decision = play.play(table, seat, self.text, context.dealer, turn=self.turn, letter=context.letter)
        if not decision.drafts or decision.ruling is None:
            return decision
        whole = write_moves(table.game, (*decision.ruling.moves, *decision.ruling.later))
        turn = table.turn if self.turn is None else self.turn
        return Decision((Draft(MovePencilled(seat, turn, context.letter, context.pencil_until, whole)),))


@dataclass(frozen=True, slots=True)
class PlayPencilled(Command):
    """Play now what is pencilled."""

    is_binding: ClassVar[bool] = True

    def format(self) -> str:
        """The words on the button."""
        return "play it now"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Judge the moves again and make them; they stand because of the letter that brought them."""
        pencil = table.pencil(seat)
        if pencil is None:
            return Decision(refused=refuse_no_pencil(seat))
        return play.play(table, seat, pencil.text, context.dealer, turn=pencil.turn, letter=pencil.letter)

    def contradicts(self, other: Command) -> bool:
        """Nobody says go and stop."""
        return isinstance(other, StopPencil)


@dataclass(frozen=True, slots=True)
class StopPencil(Command):
    """Do not play what is pencilled."""

    def format(self) -> str:
        """The word on the button."""
        return "stop"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Rub it out; the turn is open again."""
        pencil = table.pencil(seat)
        if pencil is None:
            return Decision(refused=refuse_no_pencil(seat))
        return Decision((draft_erasure(seat, pencil),))

    def contradicts(self, other: Command) -> bool:
        """A move in the same letter may be the one that is to be stopped."""
        return isinstance(other, Play | PencilMove)


def refuse_no_pencil(seat: Seat) -> Refused:
    """An answer about a pencilled move where there is none."""
    return Refused(table_rules.T7, "no move of yours waits to be played", {"seat": seat})


def find_pencil_answer(context: LineContext, parsed: object) -> Command | None:
    """What a plain yes or no means while a move of its writer waits; None if it is none, or may answer a vote."""
    pending, bare = context.pending, context.line.bare
    if pending is None or not pending.pencil or pending.has_votes:
        return None
    if parsed == Agree() or plain_yes().fullmatch(bare) or _go_ahead().fullmatch(bare):
        return PlayPencilled()
    return StopPencil() if parsed == Object() or plain_no().fullmatch(bare) else None


@cache
def _go_ahead() -> re.Pattern[str]:
    """Words that let something happen."""
    return re.compile(rf"(?:{patterns('answers', 'go_ahead')})[\s.!]*", re.IGNORECASE)


FAMILY: Final = CommandFamily(
    grammar="""
        play_it: _PLAY_IT
        stop: _STOP
    """,
    words={
        "play_it": "play (?:it|this|that)(?: now)?",
        "stop": "stop(?: it| that)?|do(?:n't| not) play (?:it|this|that)",
    },
    terminals=(
        CommandTerminal("_PLAY_IT", r"(?:$play_it)(?=[\s.!]*\Z)", priority=3, begins_prose=True, says=A_COMMAND),
        CommandTerminal("_STOP", r"(?:$stop)(?=[\s.!]*\Z)", priority=3, begins_prose=True, says=A_COMMAND),
    ),
    build={"play_it": PlayPencilled, "stop": StopPencil},
)
