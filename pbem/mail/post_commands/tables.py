"""Commands about tables that wait for players: list them, open one, join, leave, and who else should come."""

import re
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Final

from engine import registry
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.command import CommandFamily, CommandTerminal, verb
from pbem.mail.commands.consent import find_terms
from pbem.mail.commands.vocabulary import patterns
from pbem.mail.post_commands.reader import PostCommand


@dataclass(frozen=True, slots=True)
class ListTables(PostCommand):
    """Show the tables that wait for players."""

    def format(self) -> str:
        """The word."""
        return "tables"


@dataclass(frozen=True, slots=True)
class ShowTable(PostCommand):
    """Show what would be agreed to at one table."""

    table: str

    def format(self) -> str:
        """The word and the name of the table."""
        return f"table {self.table}"


@dataclass(frozen=True, slots=True)
class OpenTable(PostCommand):
    """Open a table. What was not said is as the post has it."""

    game: str | None
    """The key of the game; None if none that we know was named."""
    seats: tuple[int, int] | None = None
    """How many players at least, and at most."""
    pace: timedelta | None = None
    title: str = ""
    word: str = ""
    reliability: int = 0
    """How many of a hundred answers of whoever joins must have come on time; 0: anybody may join."""
    terms: tuple[str, ...] = ()
    """Other terms, such as `grace 6h`, `rest fri sat` and `holidays NL`."""
    unread: str = ""
    """What nobody understood of it."""

    def format(self) -> str:
        """The words, in an order of their own."""
        seats = "" if self.seats is None else f" seats {'-'.join(dict.fromkeys(map(str, self.seats)))}"
        pace = "" if self.pace is None else f" pace {format_length(self.pace)}"
        title = f' "{self.title}"' if self.title else ""
        word = f" private {self.word}" if self.word else ""
        share = f" reliability {self.reliability}%" if self.reliability else ""
        terms = "".join(f" {each}" for each in self.terms)
        return f"open {self.game or ''}{seats}{pace}{terms}{share}{word}{title}"


@dataclass(frozen=True, slots=True)
class JoinTable(PostCommand):
    """Sit down at a table that waits for players."""

    table: str
    more: str = ""

    def format(self) -> str:
        """The word, the name of the table, and a seat or a secret word."""
        return f"join {self.table} {self.more}".rstrip()


@dataclass(frozen=True, slots=True)
class LeaveTable(PostCommand):
    """Get up again before the game begins."""

    table: str = ""

    def format(self) -> str:
        """The word and the name of the table."""
        return f"leave {self.table}".rstrip()


@dataclass(frozen=True, slots=True)
class StartTable(PostCommand):
    """Begin with those who sit there."""

    table: str = ""

    def format(self) -> str:
        """The word and the name of the table."""
        return f"start {self.table}".rstrip()


@dataclass(frozen=True, slots=True)
class CloseTable(PostCommand):
    """Let a table go away that one has opened."""

    table: str = ""

    def format(self) -> str:
        """The word and the name of the table."""
        return f"close {self.table}".rstrip()


@dataclass(frozen=True, slots=True)
class KeepTable(PostCommand):
    """Let a table wait longer that one has opened."""

    table: str = ""

    def format(self) -> str:
        """The word and the name of the table."""
        return f"keep {self.table}".rstrip()


_SEATS: Final = re.compile(r"(?P<least>[2-9])(?: ?(?:-|to|tot|do|до|עד) ?(?P<most>[2-9]))?")
_ALONE: Final = re.compile(r"(?<![\w-])(?P<least>[2-9])(?P<most>)(?![\w-])")
_PACE: Final = re.compile(r"(?P<count>\d{1,3}) ?(?P<unit>[^\W\d_]+)")
_SHARE: Final = re.compile(r"(?<![\w.])(?P<percent>100|[1-9][0-9]?) ?[%٪]")
_DUALS: Final = {"יומיים": "2 ימים", "שעתיים": "2 שעות"}
_TITLE: Final = re.compile(r'["\u201c\u201e\u00ab](?P<title>[^"\u201c\u201d\u00ab\u00bb]{1,60})["\u201d\u201c\u00bb]')


def read_table(text: str) -> OpenTable:
    """What is said about a new table, in any order: the game, seats, pace, other terms, a secret word, a title."""
    title = _TITLE.search(text)
    rest = _TITLE.sub(" ", text)
    for dual, counted in _DUALS.items():
        rest = rest.replace(dual, counted)
    terms, rest = find_terms(rest)  # while it can be seen that IN is a country
    game, rest = _take_game(rest.lower())
    pace, rest = _take(rest, "pace", _PACE)
    share = _SHARE.search(rest)
    rest = rest if share is None else rest.replace(share[0], " ")
    seats, rest = _take(rest, "seats", _SEATS)
    if seats is None and (alone := _ALONE.search(rest)) is not None:
        seats, rest = alone, rest.replace(alone[0], " ")
    private = re.search(rf"(?<!\w)(?:{_words('private')})\s+(\w{{1,24}})", rest)
    rest = rest if private is None else rest.replace(private[0], " ")
    fillers = rf"\b(?:{_words('table_filler')}|{_words('reliability')}|{_words('seats')}|{_words('pace')})\b"
    unread = " ".join(re.findall(r"\w[\w'-]*", re.sub(fillers, " ", rest)))
    return OpenTable(
        game,
        None if seats is None else _span(seats),
        None if pace is None else _length(pace),
        " ".join(title["title"].split()) if title else "",
        private[1] if private else "",
        0 if share is None else int(share["percent"]),
        terms,
        unread,
    )


def _words(name: str) -> str:
    """The words of a list in all languages."""
    return patterns("words", name, FAMILY.words[name])


def _take(text: str, name: str, form: re.Pattern[str]) -> tuple[re.Match[str] | None, str]:
    """What stands before or after a word such as `seats`; and the text without it."""
    word = _words(name)
    for pattern in (rf"(?:{word})\s*:?\s*{form.pattern}", rf"{form.pattern}\s*(?:{word})"):
        if (found := re.search(pattern, text)) is not None:
            return found, text.replace(found[0], " ")
    found = form.search(text) if name == "pace" else None
    if found is not None and _unit(found["unit"]) is not None:
        return found, text.replace(found[0], " ")
    return None, text


def _span(found: re.Match[str]) -> tuple[int, int]:
    least = int(found["least"])
    return least, int(found["most"] or least)


def _unit(word: str) -> timedelta | None:
    for name, length in {"days": timedelta(days=1), "hours": timedelta(hours=1)}.items():
        if re.fullmatch(_words(f"unit_{name}"), word):
            return length
    return None


def take_length(text: str) -> tuple[timedelta | None, str]:
    """A length of time in a text, such as `2 days`; and the text without it."""
    for dual, counted in _DUALS.items():
        text = text.replace(dual, counted)
    found, rest = _take(text, "pace", _PACE)
    return (None, text) if found is None else (_length(found), rest)


def _length(found: re.Match[str]) -> timedelta | None:
    unit = _unit(found["unit"])
    return None if unit is None else int(found["count"]) * unit


def format_length(length: timedelta) -> str:
    """A length of time as an order has it: `2d`, `12h`."""
    hours = length // timedelta(hours=1)
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"


def _take_game(text: str) -> tuple[str | None, str]:
    """The game that a text names, in any language, the longest name first; and the text without it."""
    for pattern, key in _games():
        found = pattern.search(text)
        if found is not None:
            return key, f"{text[: found.start()]} {text[found.end() :]}"
    return None, text


@cache
def _games() -> tuple[tuple[re.Pattern[str], str], ...]:
    """How every game is called in letters: by its key, by its title in any language, and by shorter words."""
    named: dict[str, str] = {}
    for key in registry.game_keys():
        game = registry.find_game(key)
        titles = [find_locale(code).translations.gettext(game.title) for code in LANGUAGE_CODES] if game else []
        known = sorted(
            {key, key.replace("-", " "), *(title.lower() for title in titles)}, key=lambda each: (-len(each), each)
        )
        own = "|".join(re.escape(each).replace(":", ":?") for each in known)
        named[key] = patterns("words", f"game_{key.replace('-', '_')}", own)
    longest = sorted(named.items(), key=lambda item: -max(map(len, item[1].split("|"))))
    return tuple((re.compile(rf"(?<!\w)(?:[לבה]-?)?(?:{names})(?!\w)"), key) for key, names in longest)


FAMILY: Final = CommandFamily(
    grammar="""
        list_tables: _TABLES
        show_table: _TABLE NAME
        open_table: _OPEN REST
        join_table: _JOIN NAME REST?
        leave_table: _LEAVE NAME?
        start_table: _START NAME?
        close_table: _CLOSE NAME?
        keep_table: _KEEP NAME?
    """,
    words={
        "tables": "(?:show |list |see )?(?:the )?(?:open )?tables",
        "table": "table",
        "open": "open|start|new table",
        "join": "join|sit down at|play at",
        "leave": "leave|get up(?: from)?",
        "start": "start|begin",
        "close": "close",
        "keep": "keep",
        "seats": "seats?|players?",
        "pace": "pace|(?:a|per|each) turn",
        "private": "private|secret",
        "reliability": "reliability|reliable|on time",
        "table_filler": "a|an|the|for|with|of|and|to|game|please|turn|per|each|in|at|new|table|minutes?",
        "unit_days": "d|days?",
        "unit_hours": "h|hours?|hrs?",
    },
    terminals=(
        verb("_TABLES"),
        verb("_TABLE", r"(?:$table)(?= )"),
        verb("_OPEN", begins_prose=True),
        verb("_JOIN"),
        verb("_LEAVE"),
        verb("_START", r"(?:$start)(?=(?: [a-z][a-z0-9]*-[0-9]+)?\Z)", priority=3),
        verb("_CLOSE"),
        verb("_KEEP"),
        CommandTerminal("NAME", r"[a-z][a-z0-9]*-[0-9]+", value=str.lower, says="a table such as sirocco-8"),
        CommandTerminal("REST", r"[^ ].*", priority=-1, says="what should be played, such as nomadi seats 4 pace 3d"),
    ),
    build={
        "list_tables": ListTables,
        "show_table": ShowTable,
        "open_table": read_table,
        "join_table": JoinTable,
        "leave_table": LeaveTable,
        "start_table": StartTable,
        "close_table": CloseTable,
        "keep_table": KeepTable,
    },
)
