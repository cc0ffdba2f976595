"""Questions by mail that change nothing: help, status, the board, a place on it, points, a hand, the history, rules.

Only what the asking seat may know goes into an answer; `mail/writing` makes it from a view.

A rule is asked for by its code or by a word: `rule TD-C3`, `rule oasis`. A letter may also ask in a sentence: "what
does Mormont do?" Beside a move it is answered too, and it is still weighed as words beside the move. A sentence about
the reader's own game ("who is winning?", "what can I do?", "what is at 20?") is answered from the reader's view, not by
a rule; beside a move it is small talk (*Is it my turn again? Great*), and the receipt says how the game stands.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import ClassVar, Final

from engine.game import GameRules, Seat
from engine.verdict import Rule
from notation import RULES as OF_THE_NOTATION
from notation.phrases import phrases
from pbem.judging.record_rules import RULES as OF_RECORDS
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, CommandTerminal, verb
from pbem.mail.commands.letter_line import UnreadLine
from pbem.mail.commands.letter_rules import RULES as OF_LETTERS
from pbem.mail.commands.rule_topics import find_by_word, find_topics, named_topic
from pbem.mail.commands.vocabulary import patterns
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
class ShowPoints(_PlainQuestion):
    """Say who leads, and everybody's points."""

    word: ClassVar[AnswerKind] = "points"

    def format(self) -> str:
        """A sentence: the word alone is a title in our mails."""
        return "who is winning?"


@dataclass(frozen=True, slots=True)
class ShowHand(_PlainQuestion):
    """Say what only the asking player knows."""

    word: ClassVar[AnswerKind] = "hand"

    def format(self) -> str:
        """A sentence, as for points."""
        return "what do I hold?"


@dataclass(frozen=True, slots=True)
class AskTakeBack(_PlainQuestion):
    """Say whether the asking player's last moves can be taken back, and how."""

    word: ClassVar[AnswerKind] = "take-back"

    def format(self) -> str:
        """A sentence, as for points."""
        return "can I take that back?"

    def contradicts(self, other: Command) -> bool:
        """Who asks about moves that were made has not said what to do instead."""
        return other.is_binding


@dataclass(frozen=True, slots=True)
class AskPlace(Command):
    """Say what is on or around a place of the board, who stands there, and what the asking player can play there."""

    place: str

    def format(self) -> str:
        """A sentence."""
        return f"what is at {self.place}?"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Answer it, once there is a board."""
        if table.position is None:
            return Decision(refused=Refused(table_rules.T3, "this game has not begun, or is over"))
        return Decision(answers=(Answer("place", self.place),))

    def contradicts(self, other: Command) -> bool:
        """Who asks what can be done somewhere has not decided yet."""
        return other.is_binding


@dataclass(frozen=True, slots=True)
class ShowHistory(_PlainQuestion):
    """Send the record so far."""

    word: ClassVar[AnswerKind] = "history"


@dataclass(frozen=True, slots=True)
class AskProof(_PlainQuestion):
    """Send everything that is needed to check the game."""

    word: ClassVar[AnswerKind] = "proof"


@dataclass(frozen=True, slots=True)
class ShowRules(_PlainQuestion):
    """Send the whole game on one page."""

    word: ClassVar[AnswerKind] = "rules"


@dataclass(frozen=True, slots=True)
class AskRule(Command):
    """Send one rule, by its code or by a word."""

    topic: str

    def format(self) -> str:
        """The code or the word after its verb."""
        return f"rule {self.topic}"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Quote the rule."""
        rule = find_rule(table.game, self.topic)
        if rule is not None:
            return Decision(answers=(Answer("rule", rule.code),))
        if re.fullmatch(_CODE, self.topic):
            return Decision(refused=Refused(table_rules.C1, "there is no rule {code}", {"code": self.topic}))
        found = find_by_word(table.game, self.topic)
        return Decision(answers=(Answer("no-rule" if found is None else "rule", self.topic),))


def find_rule(game: GameRules, code: str) -> Rule | None:
    """The rule with a code: of the game, of the post, of letters, of records or of the notation."""
    groups = (game.rules, table_rules.RULES, OF_LETTERS, OF_RECORDS, OF_THE_NOTATION)
    return next((rule for rules in groups for rule in rules if rule.code == code.upper()), None)


def _code(text: str) -> str:
    """The code of a rule as it is written: a group, a hyphen, a place; without a hyphen the group has two letters."""
    code = "".join(text.upper().split())
    return code if "-" in code else f"{code[:2]}-{code[2:]}"


def asked_by_name(game: GameRules, text: str) -> AskRule | None:
    """The rule that a line asks for by a word or two: `rule oasis`, and nothing else on the line.

    The word need not name a topic: then the answer says which ones are like it.
    """
    asked = _asking("rule").match(text)
    words = text[asked.end() :].strip(_SIGNS) if asked is not None else ""
    topic = named_topic(game, words)
    if topic is not None:
        return AskRule(topic.name("en").lower())
    return AskRule(words.lower()) if " " not in words and _FEW_WORDS.fullmatch(words) else None


def asked_in_prose(
    game: GameRules, lines: Iterable[UnreadLine], *, beside_move: bool = False
) -> list[tuple[UnreadLine, Command]]:
    """What a letter asks for in a sentence, and its line; beside a move it begins and ends as questions do."""
    prose = [line for line in lines if line.why == letter_rules.L7]
    said = ((line, sentence) for line in prose for sentence in _SENTENCE.findall(line.text))
    for line, sentence in islice(said if not beside_move else (), _MOST_QUESTIONS):
        own = about_own_game(sentence) or _about_place(game, sentence)
        if own is not None:
            return [(line, own)]
    asked = ((line, each) for line in prose for each in _SENTENCE.findall(line.text) if _asks(each))
    for line, sentence in islice(asked, _MOST_QUESTIONS):
        is_plain = sentence.rstrip().endswith("?") and _asking("question").match(sentence.lstrip()) is not None
        if (is_plain or not beside_move) and find_topics(game, sentence):
            return [(line, AskRule(sentence.strip()))]
    for line in prose if not beside_move else ():
        named = _asking("rule").match(line.text.strip())
        words = line.text.strip()[named.end() :].strip(_SIGNS) if named is not None else ""
        if _FEW_WORDS.fullmatch(words):
            return [(line, AskRule(words.lower()))]
    return []


def begins_question(text: str) -> bool:
    """Whether a line begins as questions about rules do: *what*, *how*, *why*."""
    return _asking("question").match(text) is not None


def is_about_rules(game: GameRules, text: str) -> bool:
    """Whether a line with words of moves only asks what they mean: *what does a ranger do?* It has no figures."""
    words = text.split()
    if not _FEWEST <= len(words) <= _LONG or any(map(str.isdecimal, text)):
        return False
    begins = _asking("question").match(text) is not None
    return (begins or text.rstrip().endswith("?")) and _asks(text) and bool(find_topics(game, text))


def _about_place(game: GameRules, sentence: str) -> Command | None:
    """The place that a whole sentence asks about; a letter is one where places are numbers."""
    reader, asked = phrases(game.key), sentence.translate(_AS_TYPED).strip(_SIGNS + "()")
    found = _place_question().fullmatch(asked) if len(asked.split()) <= _LONG else None
    if found is None or reader is None or not (reader.book.half or found["place"].isdecimal()):
        return None
    return AskPlace(found["place"])


@cache
def _place_question() -> re.Pattern[str]:
    filler, after = patterns("harmless", "openings"), patterns("asks", "behind_place")
    return re.compile(
        rf"(?:(?:{filler})(?!\w)[\s,!.]*+)*+(?:{patterns('asks', 'place')})[ :#-]*"
        rf"(?P<place>[1-9][0-9]?|(?-i:[A-U]))(?!\w)(?: (?:{after}))*",
        re.IGNORECASE,
    )


def about_place(text: str, places: Container[str]) -> AskPlace | None:
    """The one place of the board that a whole line asks about: *can I go to C5?*."""
    asked = text.translate(_AS_TYPED).strip(_SIGNS + "()")
    named = {found.upper() for found in _A_PLACE.findall(asked)}
    if len(named) != 1 or len(asked.split()) > _LONG:
        return None
    (place,) = named
    is_asked = place in places and _own_question("space").fullmatch(_A_PLACE.sub("@", asked))
    return AskPlace(place) if is_asked else None


def about_own_game(sentence: str) -> Command | None:
    """What a whole sentence asks about the reader's own game: who leads, whose turn it is, what one holds or can do."""
    asked = sentence.translate(_AS_TYPED).strip(_SIGNS + "()")
    if len(asked.split()) > _LONG:
        return None
    return next((make() for name, make in _ABOUT_OWN_GAME.items() if _own_question(name).fullmatch(asked)), None)


@cache
def _own_question(name: str) -> re.Pattern[str]:
    """Matches one question about the reader's own game, with a greeting before it and small words behind it."""
    filler, after = f"{patterns('harmless', 'openings')}|{patterns('asks', 'ahead')}", patterns("asks", "behind")
    return re.compile(
        rf"(?:(?:{filler})(?!\w)[\s,!.]*+)*+(?:{patterns('asks', name)})(?:,? (?:{after}))*", re.IGNORECASE
    )


def _asks(sentence: str) -> bool:
    """Whether a sentence is a short question; without its mark it must be shorter, and begin as questions do.

    A figure may belong to a move, so a sentence with one must begin as questions do, too.
    """
    words = len(sentence.split())
    begins = _asking("question").match(sentence.lstrip()) is not None
    if not sentence.rstrip().endswith("?"):
        return begins and words <= _SHORT
    return words <= _LONG and (begins or not any(map(str.isdecimal, sentence)))


@cache
def _asking(words: str) -> re.Pattern[str]:
    """Matches how a line begins that asks for something, with what says nothing before it."""
    english = FAMILY.words
    filler = patterns("harmless", "openings")
    return re.compile(
        rf"(?:(?:{filler})(?!\w)[\s,!.]*+)*+(?:{patterns('words', words, english[words])})(?!\w)(?!-)[\s:]*+",
        re.IGNORECASE,
    )


_A_PLACE: Final = re.compile(r"(?<![^\W\u05d0-\u05ea])[A-Z][0-9]{1,2}(?!\w)", re.IGNORECASE)
"""A place, to which Hebrew may glue a letter."""
_ABOUT_OWN_GAME: Final[Mapping[str, Callable[[], Command]]] = {
    "points": ShowPoints,
    "turn": Status,
    "hand": ShowHand,
    "undo": AskTakeBack,
    "options": ShowBoard,
}
_AS_TYPED: Final = str.maketrans("\u2019\u05f3", "''")
_SENTENCE: Final = re.compile(r"[^.!?]+[.!?]*")
_MOST_QUESTIONS: Final = 8
"""Sentences of a letter that are looked at; who asks more gets an answer to one of these."""
_SHORT: Final = 6
_LONG: Final = 14
"""Words of a question without its mark, and with it."""
_SIGNS: Final = " .,;:!?\"'"
_FEWEST: Final = 3
_FEW_WORDS: Final = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")
"""One word or two, without figures: something that may be looked for in the rules."""

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
        rules: _RULE _MARK?
        prices: _PRICES _MARK?
    """,
    words={
        "help": "help(?: me)?|commands",
        "status": "status|stat",
        "board": "(?:show )?(?:board|map)",
        "history": "history|hist|record",
        "proof": "proofs?",
        "rule": "(?:show )?(?:the )?rules?",
        "prices": "(?:show )?(?:the )?(?:costs?|prices?)",
        "question": "what|how|when|why|where|which|who|whose|explain",
    },
    terminals=(
        verb("_HELP", begins_prose=True),
        verb("_STATUS", begins_prose=True),
        verb("_BOARD", begins_prose=True),
        verb("_HISTORY", begins_prose=True),
        verb("_PROOF", begins_prose=True),
        verb("_RULE", begins_prose=True),
        verb("_PRICES", begins_prose=True),
        CommandTerminal("CODE", _CODE, value=_code, says="the code of a rule, such as TD-C3"),
    ),
    build={
        "help": Help,
        "status": Status,
        "board": ShowBoard,
        "history": ShowHistory,
        "proof": AskProof,
        "rule": AskRule,
        "rules": ShowRules,
        "prices": partial(AskRule, "prices"),
    },
)
