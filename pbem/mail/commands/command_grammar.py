"""The grammar of all commands by mail, put together, and one line of a letter parsed by it.

Every module of this folder that has a `FAMILY` takes part, in the order of their names; players are shown what could
have followed a word in this order. The same machine that reads the notation of games reads the commands; what moves
say is not looked at here.
"""

import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
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

    @property
    def likeness(self) -> float:
        """How like a word that could have stood there the first one is that cannot be read: from 0 to 1.

        Where the line ends too early, no word is wrong.
        """
        read, meant = find_meant(_reader(), self.text, self.trouble)
        return SequenceMatcher(None, read.lower(), meant).ratio() if meant or not read else 0

    def explain(self, line: int) -> Fault:
        """What is wrong with it."""
        fault_log = FaultLog(Chunk(line, self.text), faults := list[Fault]())
        fault_log.misread_phrase(self.trouble, self.text, 0, reader=_reader())
        return faults[0]


_SHARED: Final = CommandFamily(
    grammar="end: _END",
    words={
        "with": "to|with|for|the|a",
        "with_prefix": "",
        "end": "end|sign ?-?off|eof",
        "filler": "please|pls|thanks|thank you|i|we",
    },
    terminals=(
        verb("_END", begins_prose=True),
        CommandTerminal("_WITH", r"(?:$with)(?!\w)|(?:$with_prefix)-?(?=\w)", priority=2, says="the word to"),
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
    return (*(family for family in found if isinstance(family, CommandFamily)), _SHARED)


def word_lists() -> Mapping[str, str]:
    """The name of every list of words -> its English words; language files have lists of these names."""
    return {name: words for family in families() for name, words in family.words.items()}


def _terminals() -> tuple[CommandTerminal, ...]:
    return tuple(terminal for family in families() for terminal in family.terminals)


def assemble_grammar() -> str:
    """The text of the grammar, the same in every process, for it is the key under which it is kept compiled."""
    lines = [rule for family in families() for rule in family.build]
    rules = "\n".join(line.strip() for family in families() for line in family.grammar.splitlines())
    english = word_lists()
    terminals = "\n".join(_define(terminal, english) for terminal in _terminals())
    ignored = "\n".join(f"%ignore {name}" for name in _IGNORED)
    return f"moves: _command\n_command: {' | '.join(lines)}\n{rules}\n{terminals}\n{ignored}\n"


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
def _reader() -> Phrases:
    """The reader of commands, made when the first line is parsed."""
    terminals = _terminals()
    book = Phrasebook(
        grammar=assemble_grammar(),
        moves={rule: make for family in families() for rule, make in family.build.items()},
        example="help",
        values={each.name: each.value for each in terminals if each.value is not None},
        says={each.name: each.says for each in terminals if each.says},
        join=lambda lines: ", ".join(line.format() for line in lines),
    )
    return Phrases(book)


@cache
def _begin_prose() -> tuple[str, ...]:
    """Verbs that people also begin a sentence with."""
    return tuple(terminal.name for terminal in _terminals() if terminal.begins_prose)


def parse_command(text: str) -> ParsedLine | NotACommand:
    """One line as a command."""
    placed = _reader().parse(text)
    if not isinstance(placed, Unexpected):
        parsed: ParsedLine = placed.moves[0]
        return parsed
    begun = not set(_begin_prose()) <= set(placed.expected)
    return NotACommand(text, placed, begun=begun and not begins_with(text, *_begin_prose()))


def begins_with(text: str, *verbs: str) -> bool:
    """Whether a line begins with one of some verbs."""
    return _beginning(*verbs).match(plain(text)) is not None


@cache
def _beginning(*verbs: str) -> re.Pattern[str]:
    """Matches any of some verbs, with the ignored words before it."""
    parser = _reader().parser
    # Possessive: otherwise a long line of dots would be tried in every way there is to split it.
    return re.compile(f"(?:{parser.regexp(*parser.tables.ignored)})*+(?:{parser.regexp(*verbs)})")
