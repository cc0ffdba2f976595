"""Moves by mail: play them now, plan them for later turns, or preview what they would lead to.

What the moves say is for the game to read. Most letters leave the verb out; then `parse_line` finds the moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import permutations
from typing import ClassVar, Final

from engine.game import Seat
from pbem.judging.submission import is_on_turn, preview_at
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    ParsedLine,
    PlannedTurns,
    verb,
)
from pbem.mail.commands.consent import Ask
from pbem.mail.commands.letter_line import LineContext, Question, UnreadLine
from pbem.mail.commands.offer_times import find_moment
from pbem.mail.commands.parse_moves import Turn, parse_turn
from pbem.tables import play, table_rules
from pbem.tables.decision import Answer, Decision, Refused
from pbem.tables.table import PLAYING, Table

PLAN: Final = "plan"
PREVIEW: Final = "preview"
"""Verbs that can announce the moves on the lines below."""
FOR_OTHER_TURNS: Final = ("_PREVIEW", "_PLAN", "_IF_LEGAL", "_STANDING")
"""How the grammar calls the verbs of moves that are not to be played now."""


@dataclass(frozen=True, slots=True)
class Play(Command):
    """Moves for the turn that is due, in the game's notation; `turn` if the player named it."""

    is_binding: ClassVar[bool] = True

    text: str
    turn: int | None = None
    until: str = ""
    """Until when the offer among the moves is to be open, as the player wrote it; empty if that is not said."""

    def format(self) -> str:
        """The moves, with the turn they are for and the time of an offer."""
        text = f"{self.text} until {self.until}" if self.until else self.text
        return text if self.turn is None else f"turn {self.turn}: {text}"

    def resolve(self, context: LineContext) -> LineMeaning:
        """The turn that the moves are."""
        return context.turn_of(self.text, self.turn)

    def choose(self, context: LineContext, turn: Turn) -> LineMeaning | None:
        """A verb for moves whose rest is none is itself the move: zet N16."""
        meant = parse_turn(context.game, context.prepare(self.text)) if context.game is not None else None
        return turn if meant is None or meant.moves == turn.moves else None

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Judge the moves and make them."""
        until = _offer_ends(table, seat, self.until, context.now) if self.until else ""
        if isinstance(until, Refused):
            return Decision(refused=until)
        return play.play(table, seat, self.text, context.dealer, turn=self.turn, letter=context.letter, until=until)


def _offer_ends(table: Table, seat: Seat, said: str, now: datetime) -> str | Refused:
    """When an offer ends for which its maker has named a time, as events write it; or why it cannot be."""
    if not table.is_second_form or not table.has_short_offers:
        return Refused(table_rules.T8, "you cannot name a time for an offer here; send it without until")
    if table.stage == PLAYING and not is_on_turn(table.game, table.position, seat):
        says = "only the player on turn can name a time for an offer; send yours without until"
        return Refused(table_rules.T8, says)
    moment = find_moment(said, now)
    if moment is None:
        return Refused(table_rules.T8, "{until} is not a time to come; nothing was offered", {"until": said})
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@dataclass(frozen=True, slots=True)
class Plan(Command):
    """Moves for later turns, one text a turn, to be played if they are legal when their turn comes."""

    is_binding: ClassVar[bool] = True

    texts: tuple[str, ...]

    def format(self) -> str:
        """A line for each turn."""
        return "\n".join(f"plan {text}" for text in self.texts) or "plan none"

    def resolve(self, context: LineContext) -> LineMeaning:
        """The turns that are planned, or an announcement of those below."""
        if len(self.texts) == 1 and context.announces_moves(self.texts[0]):
            return MovesBelow(PLAN)
        turns = [context.turn_of(text) for text in self.texts]
        unread = next((turn for turn in turns if isinstance(turn, UnreadLine)), None)
        return unread or PlannedTurns(tuple(turn for turn in turns if isinstance(turn, Turn)))

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Keep the moves for later."""
        return play.plan(table, seat, self.texts)


@dataclass(frozen=True, slots=True)
class Preview(Command):
    """Show what a turn would lead to, and change nothing."""

    is_private: ClassVar[bool] = True

    text: str

    def format(self) -> str:
        """The moves after their verb."""
        return f"preview {self.text}"

    def resolve(self, context: LineContext) -> LineMeaning:
        """Itself, or an announcement of the moves below."""
        return MovesBelow(PREVIEW) if context.announces_moves(self.text) else Preview(context.prepare(self.text))

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Judge the moves, and make none of them."""
        if table.stage != PLAYING:
            return Decision(refused=Refused(table_rules.T3, "this game has not begun, or is over"))
        ruling = preview_at(table.game, table.position, seat, self.text)
        return Decision(ruling=ruling, answers=(Answer("preview", self.text),))


@dataclass(frozen=True, slots=True)
class MovesBelow(ParsedLine):
    """The moves on the lines right below this one are not to be played now: `verb` says what they are for."""

    is_private: ClassVar[bool] = True

    verb: str

    def format(self) -> str:
        """The verb alone."""
        return self.verb

    def resolve(self, context: LineContext) -> LineMeaning:
        """Itself; without a game there are no moves to announce."""
        return self if context.game is not None else context.line.unread(letter_rules.L7)


def _play(*parts: str | int) -> Play:
    *turn, text = parts
    return Play(str(text), int(turn[0]) if turn else None)


_CONDITIONAL: Final = r"\S(?:.*?(?<![\s,;.]))??(?=[\s,;.]*+(?:(?:$else)(?!\w)|\Z))"
"""Up to the word else. It is looked for once behind each run of signs: time must not grow with the square of a run."""


def find_contradiction(found: Sequence[Command]) -> Question | None:
    """A question about commands that are clear one by one but not together."""
    if not found:
        return Question(letter_rules.L4, "we found nothing to do in your mail; reply help to see what you can write")
    plays = any(isinstance(command, Play) for command in found)
    if plays and Ask("undo") in found:
        says = "your mail has undo and a move; send undo first, and the move when it is taken back"
        return Question(letter_rules.L6, says)
    if plays and any(isinstance(command, Preview) for command in found):
        says = "your mail has a preview and a move; send the move alone to play it, or with preview to look first"
        return Question(letter_rules.L6, says)
    if any(one.contradicts(other) for one, other in permutations(found, 2)):
        says = "your mail says two things that do not go together; send the one you mean"
        own = tuple(command.text for command in found if isinstance(command, Play))
        return Question(letter_rules.L6, says, suggests=own)
    return None


FAMILY: Final = CommandFamily(
    grammar="""
        preview: _PREVIEW TEXT
        preview_below: _PREVIEW
        play: _PLAY NUMBER? TEXT
        plan: _PLAN TEXT | _IF_LEGAL CONDITIONAL _ELSE_ASK?
        plan_below: _PLAN | _IF_LEGAL _ELSE_ASK?
        forget: _PLAN NONE
    """,
    words={
        "preview": "preview|try|what if",
        "play": "(?:here(?:'s| is) )?(?:my )?(?:moves?|turn)(?: is| are)?|play|ok(?:ay)?",
        "plan": "plan",
        "if_legal": "if (?:it is )?(?:legal|possible|allowed)",
        "else": "else|otherwise",
        "ask": "ask(?: me)?",
    },
    terminals=(
        verb("_PREVIEW", begins_prose=True),
        verb("_PLAY", begins_prose=True),
        verb("_PLAN", begins_prose=True),
        verb("_IF_LEGAL", begins_prose=True),
        CommandTerminal("_ELSE_ASK", r"(?:$else)\s+(?:$ask)(?!\w)", priority=2),
        CommandTerminal("NUMBER", r"[0-9]{1,6}(?=\s*[.:])", priority=3, value=int),
        CommandTerminal("TEXT", r"\S.*", says="a move"),
        CommandTerminal("CONDITIONAL", _CONDITIONAL, says="a move"),
    ),
    build={
        "preview": Preview,
        "preview_below": lambda: MovesBelow(PREVIEW),
        "play": _play,
        "plan": lambda text: Plan((text,)),
        "plan_below": lambda: MovesBelow(PLAN),
        "forget": lambda _: Plan(()),
    },
)
