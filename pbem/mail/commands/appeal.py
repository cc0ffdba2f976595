"""Appeals by mail: a player calls the referee about a turn."""

from dataclasses import dataclass, replace
from typing import Final

from engine.game import Seat
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    verb,
)
from pbem.mail.commands.letter_line import LineContext, MessageWords
from pbem.mail.commands.press import in_braces
from pbem.tables import cases
from pbem.tables.decision import REFEREE, Decision
from pbem.tables.table import Table


@dataclass(frozen=True, slots=True)
class Appeal(Command):
    """Call the referee about a turn; None for the last one that was played."""

    words: str
    turn: int | None = None

    def format(self) -> str:
        """What is wrong, after the turn."""
        verb = "appeal" if self.turn is None else f"appeal {self.turn}"
        return f"{verb}: {in_braces(self.words)}"

    def resolve(self, context: LineContext) -> LineMeaning:
        """The beginning of the words that say what is wrong."""
        asked = "line {line} does not say what is wrong; write it after the turn"
        return MessageWords(context.line.number, REFEREE, self._with_words, asked, is_private=False, lines=[self.words])

    def _with_words(self, words: str) -> "Appeal":
        return replace(self, words=words)

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Open a case."""
        return cases.appeal(table, seat, self.words, self.turn)


def _appeal(*parts: int | str) -> Appeal:
    turn = next((part for part in parts if isinstance(part, int)), None)
    return Appeal(next((part for part in parts if isinstance(part, str)), ""), turn)


FAMILY: Final = CommandFamily(
    grammar="appeal: _APPEAL (_OF_TURN? APPEALED)? WORDS?",
    words={
        "appeal": "appeal|protest",
        "about": "of|about|against",
        "turn": "turn",
    },
    terminals=(
        verb("_APPEAL"),
        CommandTerminal("_OF_TURN", r"(?:(?:$about)\s+)?(?:$turn)\s*(?=[0-9])", priority=4, says="a turn"),
        CommandTerminal(
            "APPEALED", r"[0-9]{1,6}(?!\w|\s?[/-]\s?\w)", priority=4, value=int, says="the number of a turn"
        ),
        CommandTerminal("WORDS", r"[^\s.,;:!].*", priority=3, says="what is wrong"),
    ),
    build={"appeal": _appeal},
)
