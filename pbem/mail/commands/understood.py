"""What was made of a letter: commands, lines that were not read and why, or a question.

With a question nothing is done: a letter is understood as a whole or asked about.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.verdict import Rule
from notation import Fault
from pbem.mail.commands.commands import Command


@dataclass(frozen=True, slots=True)
class Question:
    """What the player must be asked before anything is done."""

    rule: Rule
    says: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = None
    """The line that the question is about, where it is one."""

    @property
    def detail(self) -> str:
        """The sentence in English."""
        return self.says.format_map(self.facts)


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that became no command: its number from 1, its text, and the rule that says why.

    `fault` tells more exactly what could not be read; its `meant` and `example` are suggestions. A line without a
    `question` does no harm: the rest of the letter is carried out.
    """

    line: int
    text: str
    why: Rule
    fault: Fault | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Orders:
    """A letter, understood. Every line that is not empty is among `read` or `unread`."""

    commands: tuple[Command, ...] = ()
    unread: tuple[UnreadLine, ...] = ()
    question: Question | None = None
    read: tuple[int, ...] = ()
    """The numbers of the lines that were understood."""
