"""Pencilled moves by mail: a move beside words that are not known waits; `play it now` plays it, `stop` rubs it out.

A plain yes, or a plain no, in a letter to a table where a move of its writer waits, is an answer about that move. After
a question of ours that offered moves as its answers it is about these. Where it may also answer an offer of the game or
a vote, we ask: a yes is never guessed.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar, Final

from engine.game import Seat
from engine.verdict import Rule
from notation import write_moves
from pbem.events.chain import Draft
from pbem.events.post_kinds import MovePencilled
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import A_COMMAND, Command, CommandContext, CommandFamily, CommandTerminal, LineMeaning
from pbem.mail.commands.consent import Agree, Object
from pbem.mail.commands.invitation import plain_no
from pbem.mail.commands.letter_line import LineContext, Question, UnreadLine
from pbem.mail.commands.parse_moves import Turn, parse_turn
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


def find_plain_answer(context: LineContext, parsed: object, turn: Turn | None) -> LineMeaning | None:
    """What a plain yes or no means to a move of its writer that waits, or to a question of ours; None if it is none.

    `turn` is what the game makes of the same words, such as to accept an offer.
    """
    pending, bare = context.pending, context.line.bare
    if pending is None or not (pending.pencil or pending.asked):
        return None
    is_yes = parsed == Agree() or _says_yes().fullmatch(bare) is not None
    if not is_yes and parsed != Object() and plain_no().fullmatch(bare) is None:
        return None
    own = (pending.pencil,) if pending.pencil else pending.asked
    is_offered = turn is not None and turn.phrase not in own and pending.allows(turn.phrase)
    if pending.has_votes and (parsed == Agree() or parsed == Object()):
        return None  # these are the words for votes
    if pending.has_votes or (is_offered and turn is not None):
        says = "your answer can be about more than one thing; write what you mean"
        if pending.has_votes:
            says = "your answer can be about more than one thing; for the vote write agree or object, or send the move"
        return _ask(context, says, (*own, turn.phrase) if is_offered and turn is not None else own)
    if pending.pencil:
        return PlayPencilled() if is_yes else StopPencil()
    if not is_yes:
        return _ask(context, "then we play nothing; write the move you mean", (), letter_rules.L4)
    if len(own) > 1 or context.game is None:
        return _ask(context, "we gave you more than one move; write the one you mean", own)
    return parse_turn(context.game, own[0])


def _ask(context: LineContext, says: str, readings: tuple[str, ...], rule: Rule = letter_rules.L6) -> UnreadLine:
    line = context.line
    return replace(line.unread(rule), question=Question(rule, says, {"line": line.number}, line.number, readings))


@cache
def _says_yes() -> re.Pattern[str]:
    """A plain yes, or words that let something happen, also several of them."""
    said = "|".join(patterns("answers", name) for name in ("yes", "go_ahead"))
    more = rf"(?:[\s,.!]++(?:{said}|{patterns('answers', 'yes_also')}))*+"
    return re.compile(rf"(?:{said}){more}[\s.!]*", re.IGNORECASE)


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
