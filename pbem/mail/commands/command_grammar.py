"""The grammar of all commands by mail, put together, and one line of a letter parsed by it.

Every module of this folder that has a `FAMILY` takes part, in the order of their names; players are shown what could
have followed a word in this order. The same machine that reads the notation of games reads the commands; what moves
say is not looked at here.
"""

import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from importlib import import_module
from typing import Final

from notation import Fault, Phrasebook
from notation.chunks import Chunk
from notation.explain import FaultLog, find_meant
from notation.lalr.parser import Unexpected
from notation.lookalikes import plain
from notation.phrases import Phrases
from pbem.mail.commands.command import CommandFamily, CommandTerminal, ParsedLine, verb
from pbem.mail.commands.vocabulary import fill_in


@dataclass(frozen=True, slots=True)
class EndOfCommands(ParsedLine):
    """Nothing below this line is read."""

    @property
    def gives_way(self) -> bool:
        """A game may have a move called `end`."""
        return True

    def format(self) -> str:
        """The word."""
        return "end"


@dataclass(frozen=True, slots=True)
class NotACommand:
    """A line that the grammar does not take. `begun` if it starts with a verb that nothing harmless starts with."""

    text: str
    trouble: Unexpected
    begun: bool
    phrases: Phrases = field(repr=False)

    @property
    def likeness(self) -> float:
        """How like a word that could have stood there the first one is that cannot be read: from 0 to 1.

        Where the line ends too early, no word is wrong.
        """
        read, meant = find_meant(self.phrases, self.text, self.trouble)
        return SequenceMatcher(None, read.lower(), meant).ratio() if meant or not read else 0

    def explain(self, line: int) -> Fault:
        """What is wrong with it."""
        fault_log = FaultLog(Chunk(line, self.text), faults := list[Fault]())
        fault_log.misread_phrase(self.trouble, self.text, 0, reader=self.phrases)
        return faults[0]


SHARED: Final = CommandFamily(
    grammar="end: _END",
    words={
        "with": "to|with|for|the|a",
        "with_prefix": "",
        "none": "none|nothing|off|clear",
        "end": "end|sign ?-?off|eof",
        "filler": "please|pls|thanks|thank you|i|we",
    },
    terminals=(
        verb("_END", begins_prose=True),
        CommandTerminal("_WITH", r"(?:$with)(?!\w)|(?:$with_prefix)-?(?=\w)", priority=2, says="the word to"),
        CommandTerminal("NONE", r"(?:$none)(?=\W*\Z)", priority=3, says="none"),
        CommandTerminal("_MARK", "[?]+", says="a question mark"),
        CommandTerminal("BLANK", " +", priority=4),
        CommandTerminal("SIGNS", "[.,;:!]+", priority=2),
        CommandTerminal("FILLER", priority=2),
    ),
    build={"end": EndOfCommands},
)
"""The end of a letter's commands, words that several commands use, and words between them that say nothing."""

_IGNORED: Final = ("BLANK", "SIGNS", "FILLER")


@cache
def families() -> tuple[CommandFamily, ...]:
    """All families of commands."""
    package = import_module(__package__ or "")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = (getattr(import_module(f"{package.__name__}.{name}"), "FAMILY", None) for name in names)
    return (*(family for family in found if isinstance(family, CommandFamily)), SHARED)


def word_lists() -> Mapping[str, str]:
    """The name of every list of words -> its English words; language files have lists of these names."""
    return {name: words for family in families() for name, words in family.words.items()}


class CommandReader:
    """Reads lines by the grammar of some families of commands, put together."""

    def __init__(self, families: Sequence[CommandFamily], *, example: str) -> None:
        self._families = families
        self._terminals = tuple(terminal for family in families for terminal in family.terminals)
        self._prose = tuple(terminal.name for terminal in self._terminals if terminal.begins_prose)
        book = Phrasebook(
            grammar=self.assemble_grammar(),
            moves={rule: make for family in families for rule, make in family.build.items()},
            example=example,
            values={each.name: each.value for each in self._terminals if each.value is not None},
            says={each.name: each.says for each in self._terminals if each.says},
            join=lambda lines: ", ".join(line.format() for line in lines),
        )
        self.phrases = Phrases(book)
        self._beginning = cache(self._find_beginning)

    def assemble_grammar(self) -> str:
        """The text of the grammar, the same in every process, for it is the key under which it is kept compiled."""
        lines = [rule for family in self._families for rule in family.build]
        rules = "\n".join(line.strip() for family in self._families for line in family.grammar.splitlines())
        english = {name: words for family in self._families for name, words in family.words.items()}
        terminals = "\n".join(_define(terminal, english) for terminal in self._terminals)
        ignored = "\n".join(f"%ignore {name}" for name in _IGNORED)
        return f"moves: _command\n_command: {' | '.join(lines)}\n{rules}\n{terminals}\n{ignored}\n"

    def parse(self, text: str) -> ParsedLine | NotACommand:
        """One line as a command."""
        placed = self.phrases.parse(text)
        if not isinstance(placed, Unexpected):
            parsed: ParsedLine = placed.moves[0]
            return parsed
        begun = not set(self._prose) <= set(placed.expected)
        begun = begun and not self.begins_with(text, *self._prose)
        return NotACommand(text, placed, begun=begun, phrases=self.phrases)

    def begins_with(self, text: str, *verbs: str) -> bool:
        """Whether a line begins with one of some verbs."""
        return self._beginning(*verbs).match(plain(text)) is not None

    def _find_beginning(self, *verbs: str) -> re.Pattern[str]:
        """Matches any of some verbs, with the ignored words before it."""
        parser = self.phrases.parser
        # Possessive: otherwise a long line of dots would be tried in every way there is to split it.
        return re.compile(f"(?:{parser.regexp(*parser.tables.ignored)})*+(?:{parser.regexp(*verbs)})")


def _define(terminal: CommandTerminal, english: Mapping[str, str]) -> str:
    """The definition of a terminal in Lark's language."""
    name = f"{terminal.name}.{terminal.priority}" if terminal.priority else terminal.name
    if terminal.pattern.startswith('"'):
        return f"{name}: {terminal.pattern}"
    pattern = terminal.pattern or rf"(?:${terminal.name.strip('_').lower()})(?!\w)"
    flags = "i" if "$" in pattern else ""
    regexp = fill_in(pattern, english).replace("/", r"\/")
    return f"{name}: /{regexp}/{flags}"


@cache
def command_reader() -> CommandReader:
    """The reader of what players write to a table, made when the first line is parsed."""
    return CommandReader(families(), example="help")


def parse_command(text: str) -> ParsedLine | NotACommand:
    """One line to a table as a command."""
    return command_reader().parse(text)


def begins_with(text: str, *verbs: str) -> bool:
    """Whether a line to a table begins with one of some verbs."""
    return command_reader().begins_with(text, *verbs)
