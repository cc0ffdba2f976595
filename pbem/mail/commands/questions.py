"""Questions by mail that change nothing: help, status, the board, the history, a rule.

Only what the asking seat may know goes into an answer; `mail/writing` makes it from a view.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

from engine.game import GameRules, Seat
from engine.verdict import Rule
from notation import RULES as OF_THE_NOTATION
from pbem.judging.record_rules import RULES as OF_RECORDS
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, CommandTerminal, verb
from pbem.mail.commands.letter_rules import RULES as OF_LETTERS
from pbem.tables import table_rules
from pbem.tables.decision import Answer, AnswerKind, Decision, Refused
from pbem.tables.table import Table


class _PlainQuestion(Command):
    """A question that is one word, which names its answer too."""

    __slots__ = ()
    word: ClassVar[AnswerKind]

    def format(self) -> str:
        """The word."""
        return self.word

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Answer it."""
        return Decision(answers=(Answer(self.word),))


@dataclass(frozen=True, slots=True)
class Help(_PlainQuestion):
    """Explain the commands and the notation."""

    word: ClassVar[AnswerKind] = "help"


@dataclass(frozen=True, slots=True)
class Status(_PlainQuestion):
    """Say whose turn it is, the deadlines and what is asked."""

    word: ClassVar[AnswerKind] = "status"


@dataclass(frozen=True, slots=True)
class ShowBoard(_PlainQuestion):
    """Send the board as it is."""

    word: ClassVar[AnswerKind] = "board"


@dataclass(frozen=True, slots=True)
class ShowHistory(_PlainQuestion):
    """Send the record so far."""

    word: ClassVar[AnswerKind] = "history"


@dataclass(frozen=True, slots=True)
class AskProof(_PlainQuestion):
    """Send everything that is needed to check the game."""

    word: ClassVar[AnswerKind] = "proof"


@dataclass(frozen=True, slots=True)
class AskRule(Command):
    """Send one rule by its code."""

    code: str

    def format(self) -> str:
        """The code after its verb."""
        return f"rule {self.code}"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Quote the rule."""
        rule = find_rule(table.game, self.code)
        if rule is None:
            return Decision(refused=Refused(table_rules.C1, "there is no rule {code}", {"code": self.code}))
        return Decision(answers=(Answer("rule", rule.code),))


def find_rule(game: GameRules, code: str) -> Rule | None:
    """The rule with a code: of the game, of the post, of letters, of records or of the notation."""
    groups = (game.rules, table_rules.RULES, OF_LETTERS, OF_RECORDS, OF_THE_NOTATION)
    return next((rule for rules in groups for rule in rules if rule.code == code.upper()), None)


def _code(text: str) -> str:
    """The code of a rule as it is written: a group, a hyphen, a place; without a hyphen the group has two letters."""
    code = "".join(text.upper().split())
    return code if "-" in code else f"{code[:2]}-{code[2:]}"


_CODE: Final = (
    r"(?:[A-Za-z]{2}\s?-?\s?[A-Za-z]\s?[0-9]{1,2}|[A-Za-z]{2}[0-9]{1,3}"
    r"|[A-Za-z]{1,8}\s?-\s?[A-Za-z]{0,8}[0-9]{1,3})(?!\w)"
)

FAMILY: Final = CommandFamily(
    grammar="""
        help: _HELP _MARK?
        status: _STATUS _MARK?
        board: _BOARD _MARK?
        history: _HISTORY _MARK?
        proof: _PROOF _MARK?
        rule: _RULE CODE _MARK?
    """,
    words={
        "help": "help|commands",
        "status": "status|stat",
        "board": "(?:show )?(?:board|map)",
        "history": "history|hist|record",
        "proof": "proofs?",
        "rule": "rules?",
    },
    terminals=(
        verb("_HELP", begins_prose=True),
        verb("_STATUS", begins_prose=True),
        verb("_BOARD", begins_prose=True),
        verb("_HISTORY", begins_prose=True),
        verb("_PROOF", begins_prose=True),
        verb("_RULE", begins_prose=True),
        CommandTerminal("CODE", _CODE, value=_code, says="the code of a rule, such as TD-C3"),
    ),
    build={
        "help": Help,
        "status": Status,
        "board": ShowBoard,
        "history": ShowHistory,
        "proof": AskProof,
        "rule": AskRule,
    },
)
