"""What a player prefers, set by mail: language, time zone, how often, pictures, calendar, hints, who rolls."""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from engine.game import Seat
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, CommandTerminal, verb
from pbem.mail.commands.vocabulary import language_codes
from pbem.tables import table_rules
from pbem.tables.decision import Answer, Decision, Refused
from pbem.tables.table import Table

NOTICES: Final = ("each", "turn", "daily")
WANTED: Final = "wanted"
"""How players write the second; the store keeps the older word."""

DAILY: Final = "daily"
"""One summary a day. The store keeps its hour behind the word; who chose it before there were hours has none."""
USUAL_HOUR: Final = "08:00"
_HOUR: Final = re.compile(r"(\d{1,2})(?:[:.h](\d{2})?)?\s?(am|pm)?")

_HOURS: Final = r"[0-9]{1,2}(?:[:.hH](?:[0-9]{2})?)?(?: ?[apAP][mM])?(?!\w)"

HERE: Final = "here"
EVERYWHERE: Final = "everywhere"
"""How far a wish reaches, if its line says so: this table alone, or all tables of its writer."""

_UNKNOWN: Final = "we do not know {value}; choose one of {known}"


class Wish(Command):
    """Something about mails that a player says once for all tables, or for one."""

    __slots__ = ()

    reach: str
    """HERE, EVERYWHERE, or empty if the line does not say."""

    @abstractmethod
    def weigh(self) -> Decision:
        """What is chosen, or why it cannot be. No table is needed, so that it can be written to the post as well."""

    @abstractmethod
    def words(self) -> str:
        """The line without its reach."""

    def format(self) -> str:
        """The line in its canonical words."""
        return f"{self.words()} {self.reach}".rstrip()

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Note it."""
        return replace(self.weigh(), reach=self.reach)


@dataclass(frozen=True, slots=True)
class SetLanguage(Wish):
    """Be written to in another language."""

    code: str
    reach: str = ""

    def words(self) -> str:
        """The code after its verb."""
        return f"language {self.code}"

    def weigh(self) -> Decision:
        """One of the languages that there are."""
        if self.code not in LANGUAGE_CODES:
            facts = {"value": self.code, "languages": " ".join(LANGUAGE_CODES)}
            return Decision(refused=Refused(table_rules.S1, "{value} is not known here; there is {languages}", facts))
        return _note("language", self.code)


@dataclass(frozen=True, slots=True)
class SetZone(Wish):
    """Be given deadlines in another time zone."""

    name: str
    reach: str = ""

    def words(self) -> str:
        """The zone after its verb."""
        return f"zone {self.name}"

    def weigh(self) -> Decision:
        """One of the zones that there are."""
        return _prefer("zone", self.name, _zones(), "we do not know {value}; write a name such as Europe/Warsaw")


@dataclass(frozen=True, slots=True)
class SetNotices(Wish):
    """Get a mail for each move (``each``), only when one is wanted (``turn``), or once a day as well (``daily``)."""

    choice: str
    hour: str = ""
    """When the summary comes by the player's own clock, as it was written; empty where none is named."""
    reach: str = ""

    def words(self) -> str:
        """The choice after its verb."""
        return f"notify {WANTED if self.choice == 'turn' else self.choice} {self.hour}".rstrip()

    def weigh(self) -> Decision:
        """One of the choices that there are."""
        if self.choice != DAILY:
            return _prefer("notices", self.choice, {each: each for each in NOTICES})
        hour = parse_hour(self.hour or USUAL_HOUR)
        if hour is None:
            says = "{value} is not an hour; write one such as 08:00"
            return Decision(refused=Refused(table_rules.S1, says, {"value": self.hour}))
        return Decision(settings={"notices": f"{DAILY} {hour}"}, answers=(Answer("settings"),))


@dataclass(frozen=True, slots=True)
class SetPlain(Wish):
    """Get plain text only, or pictures and HTML again."""

    on: bool
    reach: str = ""

    def words(self) -> str:
        """On or off after the verb."""
        return f"plain {'on' if self.on else 'off'}"

    def weigh(self) -> Decision:
        """Always allowed."""
        return Decision(settings={"plain": self.on}, answers=(Answer("settings"),))


@dataclass(frozen=True, slots=True)
class AskFewerMails(Command):
    """Show how often we can write, and what is chosen now."""

    def format(self) -> str:
        """The two words."""
        return "fewer mails"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """List the choices."""
        return Decision(answers=(Answer("fewer"),))


@dataclass(frozen=True, slots=True)
class SetHints(Wish):
    """Get a suggested move with each turn, or no longer; without a word of it beginners get some."""

    on: bool
    reach: str = ""

    def words(self) -> str:
        """On or off after the verb."""
        return f"hints {'on' if self.on else 'off'}"

    def weigh(self) -> Decision:
        """Always allowed."""
        return Decision(settings={"hints": self.on}, answers=(Answer("settings"),))


@dataclass(frozen=True, slots=True)
class SetAutoRoll(Command):
    """Have the dice rolled when one's turn begins, or no longer; only at tables that have agreed on it."""

    on: bool

    def format(self) -> str:
        """On or off after the verb."""
        return f"auto-roll {'on' if self.on else 'off'}"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Note it, where the dice are rolled at once."""
        if not table.plays_forced or table.game.roll is None:
            return Decision(refused=Refused(table_rules.T9, "dice are not rolled at once in this game"))
        return Decision(settings={"auto_roll": self.on}, answers=(Answer("settings"),))


@dataclass(frozen=True, slots=True)
class SetCalendar(Wish):
    """Get an entry for the calendar with each turn, which moves with the deadline and goes when the turn is over."""

    on: bool
    reach: str = ""

    def words(self) -> str:
        """On or off after the verb."""
        return f"calendar {'on' if self.on else 'off'}"

    def weigh(self) -> Decision:
        """Always allowed."""
        return Decision(settings={"calendar": self.on}, answers=(Answer("settings"),))


def parse_hour(text: str) -> str | None:
    """An hour as people write it, ``8``, ``8:30``, ``8 pm``, as ``08:30``; None if no clock shows it."""
    found = _HOUR.fullmatch(text.strip().lower())
    if found is None:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3] and not 1 <= hour <= 12:
        return None
    if found[3]:
        hour = hour % 12 + (12 if found[3] == "pm" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _prefer(what: str, value: str, known: Mapping[str, str], otherwise: str = _UNKNOWN) -> Decision:
    """Note one of the values that are known; `otherwise` says what there is."""
    chosen = known.get(value.lower())
    if chosen is None:
        return Decision(refused=Refused(table_rules.S1, otherwise, {"value": value, "known": ", ".join(known)}))
    return _note(what, chosen)


def _note(what: str, chosen: str) -> Decision:
    return Decision(settings={what: chosen}, answers=(Answer("settings"),))


@cache
def _zones() -> Mapping[str, str]:
    return {name.lower(): name for name in available_timezones()}


class Reach(str):
    """How far a wish reaches, told apart from other words of its line."""

    __slots__ = ()


def _language(name: str, reach: str = "") -> SetLanguage:
    return SetLanguage(language_codes().get(name.lower(), name.lower()), reach)


def _notices(choice: str, *more: str) -> SetNotices:
    hour = next((each for each in more if not isinstance(each, Reach)), "")
    return SetNotices(choice, hour, next((each for each in more if isinstance(each, Reach)), ""))


def _plain(*said: object) -> SetPlain:
    return SetPlain(False not in said, next((each for each in said if isinstance(each, Reach)), ""))


FAMILY: Final = CommandFamily(
    grammar="""
        language: _LANGUAGE TONGUE _reach?
        zone: _ZONE PLACE _reach?
        notify: _NOTIFY (EACH | TURN | DAILY (_AT? HOUR)?) _reach?
        plain: _PLAIN (ON | OFF)? _reach?
        pictures: _PICTURES (ON | OFF) _reach?
        fewer: _FEWER
        hints: _HINTS (ON | OFF) _reach?
        auto_roll: _AUTO_ROLL (ON | OFF)
        calendar: _CALENDAR (ON | OFF) _reach?
        _reach: HERE | EVERYWHERE
    """,
    words={
        "language": "language|lang",
        "zone": "(?:time ?)?zone|tz",
        "notify": "notify|notices?|notifications?",
        "each": "each|every|all",
        "move": "move|turn",
        "own_turn": "(?:only )?(?:my |own )?turn|mine|(?:only )?(?:when )?(?:i am |i'm )?wanted",
        "daily": "daily|digest|once a day",
        "at": "at",
        "plain": "plain(?: text)?",
        "pictures": "pictures?|images?",
        "fewer": "(?:fewer|less) (?:e-?)?(?:mails?|letters?|messages?)|too many (?:e-?)?mails?",
        "hints": "hints?|suggestions?",
        "auto_roll": "auto(?:matic)?[- ]?rolls?",
        "calendar": "calendar|ics",
        "on": "on|yes",
        "off": "off|no",
        "here": "(?:only )?here|(?:only )?(?:at|for) this (?:table|game|one)(?: only)?",
        "everywhere": "everywhere|(?:at|for) all(?: of)?(?: my)? (?:tables|games)",
    },
    terminals=(
        verb("_LANGUAGE"),
        verb("_ZONE"),
        verb("_NOTIFY"),
        verb("_PLAIN"),
        verb("_PICTURES"),
        verb("_FEWER"),
        verb("_HINTS", begins_prose=True),
        verb("_AUTO_ROLL"),
        verb("_CALENDAR", begins_prose=True),
        CommandTerminal("TONGUE", r"[^\W\d_][\w-]*", says="a language such as pl"),
        CommandTerminal("PLACE", r"[A-Za-z][\w+/-]*", says="a zone such as Europe/Warsaw"),
        CommandTerminal("EACH", r"(?:$each)(?: (?:$move))?(?!\w)", value="each"),
        CommandTerminal("TURN", r"(?:$own_turn)(?!\w)", value="turn"),
        CommandTerminal("DAILY", value=DAILY),
        CommandTerminal("_AT", r"(?:$at)\s?"),
        CommandTerminal("HOUR", _HOURS, value=str.lower, says="an hour such as 08:00"),
        CommandTerminal("ON", value=True),
        CommandTerminal("OFF", value=False),
        CommandTerminal("HERE", priority=1, value=Reach(HERE)),
        CommandTerminal("EVERYWHERE", priority=1, value=Reach(EVERYWHERE)),
    ),
    build={
        "language": _language,
        "zone": SetZone,
        "notify": _notices,
        "plain": _plain,
        "pictures": lambda on, reach="": SetPlain(not on, reach),
        "fewer": AskFewerMails,
        "hints": SetHints,
        "auto_roll": SetAutoRoll,
        "calendar": SetCalendar,
    },
)
