"""What people say to an invitation besides its two words, accept and decline, in five languages.

Once a game is played, the same words are nothing, or a move. In doubt nobody takes a seat: the player is asked.

Dates as people write them, where they can mean one day only.

2026-12-20, 20.12.2026, 20/12/2026, 20 December 2026, December 20, 2026, with the months of five languages. A date
whose day and month could be exchanged, 05/06/2026, is none; nor is one without its year.

One line of a letter, read as an order by `orders.lark`, and orders written in their own words.

The same machine that reads the notation of games reads the verbs: an order is a phrase of a book of its own. What
moves say is not looked at here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from notation import Fault, Phrasebook
from notation.chunks import Chunk
from notation.explain import Slips
from notation.lalr.automaton import Unexpected
from notation.lookalikes import plain
from notation.phrases import Phrases
from pbem.mail.commands import commands
from pbem.mail.commands.commands import Command

_YES: Final = re.compile(
    r"(?:yes|yeah|yep|ok(?:ay)?|sure|ja|tak|да|כן)"
    r"(?:[\s,.!]+(?:please|thanks?|thank you|graag|ch[ęe]tnie|конечно|охотно|בשמחה|בהחלט))*[\s.!]*",
    re.IGNORECASE,
)
_NO: Final = re.compile(r"(?:no(?:,? thanks?|,? thank you)?|nope|nee|nie|нет|לא)[\s.!]*", re.IGNORECASE)
_DOUBT: Final = re.compile(
    r"""
      [?] | n['\u2019]t\b | \b(?:
        not? | never | nothing | none | cannot | if | unless | only | declined? | reject | refuse
      | nee | niet | nooit | niets | geen | als | indien | tenzij | mits | alleen | slechts | weiger | afslaan | sla\ af
      | nie | nigdy | nic | je[śs]li | je[żz]eli | chyba\ [żz]e | o\ ile | tylko | jedynie | odrzucam | odmawiam
      | нет | не | никогда | ничего | если | только | лишь | отказ(?:ываюсь)? | отклоняю
      | [וש]?(?: לא | אם | רק | אין ) | אלא | בתנאי | מסרבת? | דוחה | דחה
      )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def accepts(line: str) -> bool:
    """Whether a line is a plain yes."""
    return _YES.fullmatch(line) is not None


def declines(line: str) -> bool:
    """Whether a line is a plain no."""
    return _NO.fullmatch(line) is not None


def has_doubts(words: str) -> bool:
    """Whether words beside an acceptance may take it back, or set it a condition; any others stir the draws."""
    return _DOUBT.search(words) is not None


_MONTHS: Final = (
    "jan январ stycz styczni ינואר",
    "feb февр luty lutego פברואר",
    "mar maart март marz marc מרץ מרס",
    "apr апрел kwie אפריל",
    "may mei мая май maj מאי",
    "jun июн czerw יוני",
    "jul июл lip יולי",
    "aug август sierp אוגוסט",
    "sep сент wrze ספטמבר",
    "oct okt октяб pazdz październik paźdz אוקטובר",
    "nov нояб listop נובמבר",
    "dec декаб grud דצמבר",
)
"""How the names of the months begin; a Hebrew name may follow the letter for `in`."""

_NAMES: Final = {beginning: number for number, names in enumerate(_MONTHS, start=1) for beginning in names.split()}
_NUMBERS: Final = re.compile(r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})")
_NAMED: Final = re.compile(r"(?:(\d{1,2})[.]?\s+)?ב?-?([^\W\d_]{3,12})[.]?,?\s+(?:(\d{1,2}),?\s+)?(\d{4})")


def read_date(text: str) -> date | None:
    """The one day that a text means, or None."""
    numbers = _NUMBERS.fullmatch(text)
    if numbers is not None:
        return _by_numbers(int(numbers[1]), numbers[2], int(numbers[3]), int(numbers[4]))
    named = _NAMED.fullmatch(text)
    if named is None or (named[1] is None) == (named[3] is None):
        return None
    month = next((number for beginning, number in _NAMES.items() if named[2].lower().startswith(beginning)), 0)
    return _day(int(named[4]), month, int(named[1] or named[3]))


def _by_numbers(first: int, sign: str, second: int, third: int) -> date | None:
    if first > 31:
        return _day(first, second, third) if sign == "-" else None
    # Dots are written by people who put the day first; with other signs either could come first.
    if sign == "." or first > 12 or first == second:
        return _day(third, second, first)
    return None


def _day(year: int, month: int, day: int) -> date | None:
    if not 1000 <= year <= 9998:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


SOFT: Final = (
    *("_HELP", "_STATUS", "_BOARD", "_HISTORY", "_RULE", "_PREVIEW"),
    *("_PLAY", "_PLAN", "_STANDING", "_IF_LEGAL", "_TELL", "_END"),
)
"""Verbs that people also begin a sentence with; such a sentence does no harm."""

PLAN: Final = "plan"
PREVIEW: Final = "preview"
"""Verbs that can announce the moves on the lines below."""

_FIRM: Final = (
    *("_PRESS", "_APPEAL", "_VACATION", "_AGREE", "_OBJECT", "_ACCEPT", "_DECLINE", "_RESIGN"),
    *("_LANGUAGE", "_ZONE", "_NOTIFY", "_PLAIN"),
)


@dataclass(frozen=True, slots=True)
class EndOfOrders:
    """Nothing below this line is read."""


@dataclass(frozen=True, slots=True)
class Below:
    """The moves on the lines right below this one are not to be played now: `verb` says what they are for."""

    verb: str


@dataclass(frozen=True, slots=True)
class Misdated:
    """An absence whose days cannot be told; `first` is its first one where only the last is missing."""

    first: date | None = None


@dataclass(frozen=True, slots=True)
class NotAnOrder:
    """A line that the grammar does not take. `begun` if it starts with a verb that nothing harmless starts with."""

    text: str
    trouble: Unexpected
    begun: bool

    def explain(self, line: int) -> Fault:
        """What is wrong with it."""
        slips = Slips(Chunk(line, self.text), faults := list[Fault]())
        slips.misread_phrase(self.trouble, self.text, 0, reader=_reader())
        return faults[0]


_LANGUAGES: Final = {
    "en": "english engels angielski angielskim английский английском אנגלית",
    "he": "hebrew hebreeuws hebrajski hebrajskim иврит иврите עברית",
    "ru": "russian russisch rosyjski rosyjskim русский русском רוסית",
    "pl": "polish pools polski polskim польский польском פולנית",
    "nl": "dutch nederlands niderlandzki holenderski нидерландский голландский הולנדית",
}
_CODES: Final = {name: code for code, names in _LANGUAGES.items() for name in names.split()}

_VERB: Final = "an order such as help, or a move"


class _What(NamedTuple):
    """Something that needs consent, told apart from free words."""

    name: str


_ANYTHING: Final = _What("")


def _language(name: str) -> commands.SetLanguage:
    return commands.SetLanguage(_CODES.get(name.lower(), name.lower()))


def _play(*parts: Any) -> commands.Play:
    *turn, text = parts
    return commands.Play(text, *turn)


def _appeal(*parts: int | str) -> commands.Appeal:
    turn = next((part for part in parts if isinstance(part, int)), None)
    return commands.Appeal(next((part for part in parts if isinstance(part, str)), ""), turn)


def _standing(text: str = "", this_turn: str = "") -> commands.SetStanding | commands.ListStanding:
    return commands.SetStanding(text.lower(), bool(this_turn)) if text else commands.ListStanding()


def _vacation(*days: date | None) -> commands.Vacation | Misdated:
    known = [day for day in days if day is not None]
    return commands.Vacation(known[0], known[-1]) if len(known) == len(days) else Misdated()


def _accept(said: _What | str = "") -> commands.AcceptInvitation | commands.Agree:
    return commands.Agree(said.name) if isinstance(said, _What) else commands.AcceptInvitation(said)


def _decline(what: _What | None = None) -> commands.DeclineInvitation | commands.Object:
    return commands.DeclineInvitation() if what is None else commands.Object(what.name)


def _code(text: str) -> str:
    """The code of a rule as it is written: a shelf, a hyphen, a place; without hyphen the shelf has two letters."""
    code = "".join(text.upper().split())
    return code if "-" in code else f"{code[:2]}-{code[2:]}"


_WRITE: Final[Mapping[type, Callable[[Any], str]]] = {
    commands.Play: lambda play: play.text if play.turn is None else f"turn {play.turn}: {play.text}",
    commands.Plan: lambda plan: "\n".join(f"plan {text}" for text in plan.texts) or "plan none",
    commands.SetStanding: lambda bid: f"standing {bid.text}{' this turn' if bid.this_turn else ''}",
    commands.ListStanding: lambda _: "standing",
    commands.DropStanding: lambda _: "standing none",
    commands.Preview: lambda preview: f"preview {preview.text}",
    commands.ShowBoard: lambda _: "board",
    commands.AskRule: lambda rule: f"rule {rule.code}",
    commands.Press: lambda press: f"press to {press.to}: {_braced(press.words)}",
    commands.Appeal: lambda appeal: f"{_of_turn('appeal', appeal.turn)}: {_braced(appeal.words)}",
    commands.Vacation: lambda away: f"vacation {away.first.isoformat()} to {away.last.isoformat()}",
    commands.DropVacation: lambda _: "vacation none",
    commands.Ask: lambda ask: str(ask.what),
    commands.Agree: lambda agree: f"agree {agree.what}".strip(),
    commands.Object: lambda object_: f"object {object_.what}".strip(),
    commands.AcceptInvitation: lambda accept: f"accept {accept.entropy}".strip(),
    commands.SetLanguage: lambda language: f"language {language.code}",
    commands.SetZone: lambda zone: f"zone {zone.name}",
    commands.SetNotices: lambda notices: f"notify {notices.choice}",
    commands.SetPlain: lambda plain: f"plain {'on' if plain.on else 'off'}",
    commands.DeclineInvitation: lambda _: "decline",
    Misdated: lambda _: "vacation",
    Below: lambda below: below.verb,
}


def _of_turn(verb: str, turn: int | None) -> str:
    return verb if turn is None else f"{verb} {turn}"


def _braced(words: str) -> str:
    """Words that hold an empty line stand in braces, so that it is known where they end."""
    return f"{{{words}}}" if "\n\n" in words else words


BOOK: Final = Phrasebook(
    grammar=Path(__file__).with_name("orders.lark").read_text("utf-8"),
    moves={
        "help": commands.Help,
        "status": commands.Status,
        "board": commands.ShowBoard,
        "history": commands.ShowHistory,
        "rule": commands.AskRule,
        "preview": commands.Preview,
        "preview_below": lambda: Below(PREVIEW),
        "play": _play,
        "plan": lambda text: commands.Plan((text,)),
        "plan_below": lambda: Below(PLAN),
        "forget": lambda _: commands.Plan(()),
        "standing": _standing,
        "drop_standing": lambda _: commands.DropStanding(),
        "press": lambda who: commands.Press(who, ""),
        "appeal": _appeal,
        "vacation": _vacation,
        "drop_vacation": lambda _: commands.DropVacation(),
        "endless": Misdated,
        "ask": lambda what: commands.Ask(what.name),
        "agree": lambda what=_ANYTHING: commands.Agree(what.name),
        "object": lambda what=_ANYTHING: commands.Object(what.name),
        "accept": _accept,
        "decline": _decline,
        "resign": commands.Resign,
        "language": _language,
        "zone": commands.SetZone,
        "notify": commands.SetNotices,
        "plain": lambda on=True: commands.SetPlain(on),
        "end": EndOfOrders,
    },
    example="help",
    values={
        "CODE": _code,
        "NUMBER": int,
        "APPEALED": int,
        "ALL": "all",
        "REFEREE": "referee",
        "WHO": str.lower,
        "DATE": read_date,
        **{what.upper(): _What(what) for what in ("undo", "draw", "pause", "resume")},
        "EACH": "each",
        "TURN": "turn",
        "DAILY": "daily",
        "ON": True,
        "OFF": False,
    },
    says={
        "CODE": "the code of a rule, such as TD-C3",
        "TEXT": "a move",
        "CONDITIONAL": "a move",
        "_OF_TURN": "a turn",
        "APPEALED": "the number of a turn",
        "WORDS": "what is wrong",
        "NONE": "none",
        "BIDDING": "a standing order",
        "THIS_TURN": "the words this turn",
        "WHO": "a seat",
        "_COLON": "a colon",
        "DATE": "a day such as 2026-12-20",
        "_UNTIL": "the word to",
        "NAME": "a language such as pl",
        "PLACE": "a zone such as Europe/Warsaw",
        "_MARK": "a question mark",
        "_WITH": "the word to",
        **dict.fromkeys((*SOFT, *_FIRM), _VERB),
    },
    write=_WRITE,
)


@cache
def _reader() -> Phrases:
    return Phrases(BOOK)


def read_order(text: str) -> Command | EndOfOrders | Below | Misdated | NotAnOrder:
    """One line as an order."""
    placed = _reader().place(text)
    if not isinstance(placed, Unexpected):
        order: Command | EndOfOrders | Below | Misdated = placed.moves[0]
        return order
    begun = not set(SOFT) <= set(placed.expected)
    return NotAnOrder(text, placed, begun=begun and _beginning(*SOFT).match(plain(text)) is None)


def write_order(command: Command) -> str:
    """A command in its own words, as a letter could bring it."""
    return BOOK.phrase((command,))


def begins_answer(text: str) -> bool:
    """Whether a line begins like the answer to an invitation."""
    return _beginning("_ACCEPT", "_DECLINE").match(plain(text)) is not None


@cache
def _beginning(*verbs: str) -> re.Pattern[str]:
    """Any of some verbs, and what may stand before it."""
    automaton = _reader().automaton
    # What may stand before is never given back: a long line of dots would be tried in every way there is to part it.
    return re.compile(f"(?:{automaton.regexp(*automaton.tables.ignored)})*+(?:{automaton.regexp(*verbs)})")
