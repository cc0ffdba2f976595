"""What needs the others' consent, asked for and answered by mail: undo, draw, pause, resume, excuse."""

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, NamedTuple

from engine.game import Seat
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    verb,
)
from pbem.mail.commands.letter_line import LineContext
from pbem.mail.commands.parse_moves import Turn
from pbem.mail.commands.vocabulary import fill_in, patterns, weekdays
from pbem.tables import votes
from pbem.tables.decision import Decision
from pbem.tables.holidays import HOLIDAYS, MOST_COUNTRIES, settle_holidays
from pbem.tables.table import Table
from pbem.tables.terms import DAYS, NAMES, NONE, PACE, POLICIES, REMINDERS, REST_DAYS, SILENCE


@dataclass(frozen=True, slots=True)
class Ask(Command):
    """Ask the others for something that needs consent: undo, draw, pause, resume or excuse."""

    is_binding: ClassVar[bool] = True

    what: str

    def format(self) -> str:
        """What is asked for."""
        return _NO_HOLIDAYS if self.what == f"{HOLIDAYS} {NONE}" else self.what

    def choose(self, context: LineContext, turn: Turn) -> LineMeaning | None:
        """The request, unless the move of the same name can be made now too."""
        if context.pending is None or context.pending.allows(turn.phrase):
            return None
        return self

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Ask for it; holidays with their days, unless the same ones are asked for already."""
        asked = next((what for what in table.votes if what.startswith(f"{self.what} ")), None)
        what = asked or settle_holidays(self.what, context.now.date())
        return context.follow(table, votes.ask(table, seat, what))


@dataclass(frozen=True, slots=True)
class Agree(Command):
    """Say yes to what was asked (``what`` empty: to the one thing that is open)."""

    is_binding: ClassVar[bool] = True

    what: str = ""

    def format(self) -> str:
        """The verb, and what is agreed to."""
        return f"agree {self.what}".strip()

    def choose(self, context: LineContext, turn: Turn) -> LineMeaning | None:
        """Of consent and a move of the same name, the one that makes sense now."""
        if context.pending is None or context.pending.has_votes == context.pending.allows(turn.phrase):
            return None
        return self if context.pending.has_votes else turn

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Count the yes."""
        return context.follow(table, votes.agree(table, seat, self.what))

    def contradicts(self, other: Command) -> bool:
        """Nobody says yes and no to the same thing."""
        return isinstance(other, Object) and other.what == self.what


@dataclass(frozen=True, slots=True)
class Object(Command):
    """Say no to what was asked."""

    is_binding: ClassVar[bool] = True

    what: str = ""

    @property
    def gives_way(self) -> bool:
        """A bare no may be a move."""
        return not self.what

    def format(self) -> str:
        """The verb, and what is objected to."""
        return f"object {self.what}".strip()

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Count the no."""
        return context.follow(table, votes.object_to_vote(table, seat, self.what))


class Asked(NamedTuple):
    """Something that needs consent, told apart from free words."""

    name: str


_ANYTHING: Final = Asked("")

_NO_HOLIDAYS: Final = "public holidays none"
"""How somebody asks that time runs on holidays; `holidays none` takes days away back."""
_COUNTRY: Final = r"[a-z]{2}(?:-[a-z0-9]{1,3})?(?![\w-])"
_AMBIGUOUS: Final = re.compile(r"a[mnst]|b[ey]|d[eo]|en|i[nst]|la|m[ey]|n[ao]|s[eo]|to|us|za")
"""Words that are countries only in capital letters, where they stand among others."""
_UNIT: Final = r"\d{1,3} ?(?:$length_days|$length_hours)(?!\w)"
_LENGTH: Final = r"(?:\d{1,3} ?(?:$length_days)(?: ?\d{1,2} ?(?:$length_hours))?|\d{1,3} ?(?:$length_hours))(?!\w)"
_TERM: Final = (
    rf"(?:(?:$term_pace|$term_grace):? {_LENGTH}"
    rf"|(?:$term_reminders):? (?:$none|{_UNIT}(?:(?:, ?| )(?:(?:$weekday_and) )?{_UNIT}){{0,2}})"
    r"|(?:$term_rest):? (?:$none|(?:$weekday)(?:(?:, ?| )(?:(?:$weekday_and) )?(?:$weekday)){0,4})(?!\w)"
    rf"|(?:$no_holidays)(?!\w)|(?:$term_holidays):? {_COUNTRY}"
    rf"(?:(?:, ?| )(?:(?:$weekday_and) )?{_COUNTRY}){{0,{MOST_COUNTRIES - 1}}}"
    r"|(?:$term_silence):? (?:$policy_wait|$policy_play|$policy_substitute|$policy_forfeit)(?!\w))"
)
"""A term of a table and the value that somebody wants for it."""


def _read_term(text: str) -> Asked:
    """A term in the form that the rules of the table know: `pace 2d`, `rest sat sun`, `holidays NL`."""
    if re.fullmatch(_words("no_holidays"), text.lower()):
        return Asked(f"{HOLIDAYS} {NONE}")
    name = next((name for name in NAMES if _is(f"term_{name}", text)), "")
    rest = re.sub(rf"\A(?:{_words(f'term_{name}')}):? ", "", text.lower())
    if re.fullmatch(_words("none"), rest):
        return Asked(f"{name} {NONE}")
    if name == SILENCE:
        return Asked(
            next((f"{name} {each}" for each in POLICIES if re.fullmatch(_words(f"policy_{each}"), rest)), text)
        )
    if name == REST_DAYS:
        found = {_weekday(word) for word in re.findall(rf"(?<!\w){_words('weekday')}(?!\w)", rest)}
        return Asked(f"{name} {' '.join(day for day in DAYS if day in found)}")
    if name == HOLIDAYS:
        countries = [word for word in re.split(r"[\s,]+", rest) if not re.fullmatch(_words("weekday_and"), word)]
        return Asked(f"{name} {' '.join(dict.fromkeys(countries)).upper()}")
    days, hours = _words("length_days"), _words("length_hours")
    lengths = re.findall(rf"(\d+) ?(?:({days})|(?:{hours}))(?!\w)", rest)
    joined = (" " if name == REMINDERS else "").join(f"{count}{'d' if is_days else 'h'}" for count, is_days in lengths)
    return Asked(f"{name} {joined}")


def take_terms(text: str) -> tuple[tuple[str, ...], str]:
    """The terms that a text begins with, such as `pace 2d, rest fri sat`, each once; and the rest of the text."""
    found: dict[str, str] = {}
    rest = text.strip()
    while (term := _term_pattern().match(rest)) is not None:
        wanted = _read_term(" ".join(term["term"].lower().split())).name
        found[wanted.partition(" ")[0]] = wanted
        rest = rest[term.end() :]
    return tuple(found.values()), rest


def find_terms(text: str) -> tuple[tuple[str, ...], str]:
    """The terms in a text, in any place and each once, but for the pace; and the text without them."""
    found: dict[str, str] = {}

    def take(term: re.Match[str]) -> str:
        wanted = _read_term(" ".join(term["term"].lower().split())).name
        is_word = wanted.startswith(HOLIDAYS) and any(map(_AMBIGUOUS.fullmatch, term["term"].split()[1:]))
        if wanted.startswith(PACE) or is_word:
            return term[0]
        found[wanted.partition(" ")[0]] = wanted
        return " "

    rest = re.sub(rf"(?<!\w){_term_pattern().pattern}", take, text, flags=re.IGNORECASE)
    return tuple(found.values()), rest


@cache
def _term_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?:[\s,;]+(?:(?:{_words('weekday_and')}) )?)?(?P<term>{fill_in(_TERM, {'none': 'none', **FAMILY.words})})",
        re.IGNORECASE,
    )


def _words(name: str) -> str:
    return rf"(?:{patterns('words', name, FAMILY.words.get(name, 'none'))})"


def _is(name: str, text: str) -> bool:
    return re.match(rf"{_words(name)}:? ", text.lower()) is not None


def _weekday(word: str) -> str:
    """The day that a word names, in any language."""
    return next((DAYS[number] for beginning, number in weekdays() if re.match(beginning, word)), "")


FAMILY: Final = CommandFamily(
    grammar="""
        ask: _wanted _MARK?
        agree: _AGREE _WITH* _what?
        object: _OBJECT _WITH* _what?
        _wanted: UNDO | DRAW | PAUSE | RESUME | EXCUSE | TERM
        _what: _wanted | TERMS
    """,
    words={
        "undo": "undo(?: move)?|take(?: it)? ?back",
        "draw": "(?:offer |propose )?(?:a )?draw",
        "pause": "pause",
        "resume": "resume",
        "terms": "terms?",
        "term_pace": "pace",
        "term_grace": "grace",
        "term_reminders": "reminders?|remind(?: us)?",
        "term_rest": "rest(?: days)?",
        "term_holidays": "(?:public |bank |national )?holidays?(?: of| in)?",
        "no_holidays": "no public holidays?|public holidays?:? none",
        "term_silence": "silence",
        "policy_wait": "wait",
        "policy_play": "play",
        "policy_substitute": "substitute",
        "policy_forfeit": "forfeit",
        "weekday": "mon(?:days?)?|tue(?:s?days?)?|wed(?:nesdays?)?|thu(?:rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|"
        "sun(?:days?)?",
        "weekday_and": "and",
        "length_days": "d|days?",
        "length_hours": "h|hours?|hrs?",
        "excuse": "excuse(?: my (?:missed )?turn)?",
        "agree": "agreed?|consent",
        "object": "object|disagree|do(?:n't| not) agree|oppose|withdraw",
    },
    terminals=(
        verb("_AGREE"),
        verb("_OBJECT", priority=2),
        CommandTerminal("UNDO", priority=2, value=Asked("undo")),
        CommandTerminal("DRAW", priority=2, value=Asked("draw")),
        CommandTerminal("PAUSE", priority=2, value=Asked("pause")),
        CommandTerminal("RESUME", priority=2, value=Asked("resume")),
        CommandTerminal("TERMS", priority=2, value=Asked("terms")),
        CommandTerminal("TERM", _TERM, priority=3, value=_read_term),
        CommandTerminal("EXCUSE", priority=2, value=Asked("excuse")),
    ),
    build={
        "ask": lambda what: Ask(what.name),
        "agree": lambda what=_ANYTHING: Agree(what.name),
        "object": lambda what=_ANYTHING: Object(what.name),
    },
)
