"""What a referee writes: rule in a case, open, show and close it, give time, stop the clock, look at a seat's view.

They excuse an answer that was missed, too, and change terms of the table.

A line is read whole: what is decided, at which table and in which case, and why. What a reply address names need not be
written. Seats, names and moves are left as words here, for only the table knows them.
"""

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache, partial
from typing import Final, TypeAlias

from pbem.mail.commands.command import A_COMMAND, CommandFamily, CommandTerminal
from pbem.mail.commands.consent import take_terms
from pbem.mail.commands.vocabulary import fill_in
from pbem.mail.post_commands.reader import PostCommand, post_reader
from pbem.mail.post_commands.tables import format_length, take_length

RULE: Final = "rule"
DISMISS: Final = "dismiss"
ROLL_BACK: Final = "roll back"
CORRECT: Final = "correct"
SUBSTITUTE: Final = "seat"
ADJUDICATE: Final = "end"
OPEN: Final = "open case"
SHOW: Final = "show case"
CLOSE: Final = "close case"
EXTEND: Final = "extend"
PAUSE: Final = "pause"
RESUME: Final = "resume"
WARRANT: Final = "warrant"
CALL_OFF: Final = "call off"
EXCUSE: Final = "excuse"
TERMS: Final = "terms"
REASON: Final = "reason"
RULINGS: Final = (DISMISS, ROLL_BACK, CORRECT, SUBSTITUTE, ADJUDICATE)
"""What can be decided in a case."""
AT_TABLES: Final = (PAUSE, RESUME)
"""What a player may write too, to a table."""


@dataclass(frozen=True, slots=True)
class CourtOrder(PostCommand):
    """One thing that a referee asks for. What was not said is empty."""

    act: str
    table: str = ""
    case: int = 0
    turn: int | None = None
    seat: str = ""
    """The seat, as it was written."""
    name: str = ""
    """Who takes it."""
    moves: str = ""
    """What is played instead, with the seat before it."""
    winners: str = ""
    length: timedelta | None = None
    terms: tuple[str, ...] = ()
    """What is to be another: `pace 2d`."""
    reason: str = ""

    def format(self) -> str:
        """The order in its own words."""
        if self.act == REASON:
            return f"reason: {self.reason}"
        case, at = (f" {self.case}" if self.case else ""), (f" at {self.table}" if self.table else "")
        reason = f". Reason: {self.reason}" if self.reason else ""
        if self.act in (*RULINGS, RULE):
            where = f"rule{f' case{case}' if case else ''}{at}: " if case or at else ""
            return f"{where}{self._ruling()}{reason}".strip()
        if self.act in (OPEN, SHOW, CLOSE):
            turn = "" if self.turn is None else f" turn {self.turn}"
            return f"{self.act}{case}{at}{turn}{f' as {self.seat}' if self.seat else ''}{reason}"
        if self.act == WARRANT:
            return f"warrant {self.seat}{f' in case{case}' if case else ''}{at}{reason}".replace("  ", " ")
        if self.act == EXCUSE:
            return f"excuse {self.seat}{at}{reason}"
        if self.act == TERMS:
            return f"terms{at}: {', '.join(self.terms)}{reason}"
        length = "" if self.length is None else f" by {format_length(self.length)}"
        return f"{self.act}{at.replace(' at', '', 1)}{length}{reason}"

    def _ruling(self) -> str:
        """What is decided, without the case."""
        match self.act:
            case "roll back":
                return self.act if self.turn is None else f"{self.act} to turn {self.turn}"
            case "correct":
                return f"{self.act} {self.moves}"
            case "seat":
                return f"{self.act} {self.name} at {self.seat}"
            case "end":
                return f"{self.act}, {self.winners or 'nobody'} wins"
            case "dismiss":
                return self.act
        return ""


_VERBS: Final = {
    RULE: "court_rule",
    DISMISS: "court_dismiss",
    ROLL_BACK: "court_roll_back",
    CORRECT: "court_correct",
    SUBSTITUTE: "court_seat",
    ADJUDICATE: "court_end",
    OPEN: "court_open",
    SHOW: "court_show",
    CLOSE: "court_close",
    EXTEND: "court_extend",
    PAUSE: "court_pause",
    RESUME: "court_resume",
    WARRANT: "court_warrant",
    CALL_OFF: "court_call_off",
    EXCUSE: "court_excuse",
    TERMS: "court_terms",
    REASON: "court_reason",
}
"""What can be asked for, and the list of the words that it begins with."""
_TABLE: Final = r"(?<![\w.@-])(?:[בלמ]-?)?(?P<table>[a-z][a-z0-9]*-[0-9]+)(?![\w.@-])"
_SIGNS: Final = " \t.,:;!\u2013\u2014-"


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """A regular expression in which `$name` stands for a list of words."""
    return re.compile(fill_in(form, FAMILY.words), re.IGNORECASE)


def _read(act: str, text: str) -> CourtOrder:
    """A whole line."""
    verb = _pattern(rf"(?:${_VERBS[act]})(?!\w)").match(text)
    rest = text[verb.end() :].strip() if verb is not None else text
    if act == REASON:
        return CourtOrder(act, reason=rest.strip(_SIGNS))
    if act == RULE:
        return _read_ruling(rest)
    marker = _pattern(r"(?:^|[\s.,;:(])(?:$court_reason)(?!\w)\s*:?\s*").search(rest)
    whole = rest
    rest, why = (rest, "") if marker is None else (rest[: marker.start()], rest[marker.end() :].strip(" .)"))
    order, left = _READERS[act](*_take_place(CourtOrder(act), rest.strip()))
    before = left.strip(_SIGNS)
    if marker is not None and before and why:  # `dismiss: he is right, because …`
        why = f"{left.lstrip(_SIGNS).rstrip()}{whole[marker.start() :].rstrip(' .)')}"
    return replace(order, reason=why or before)


def _take_place(order: CourtOrder, text: str) -> tuple[CourtOrder, str]:
    """The case and the table, where the beginning of a line names them; and the text without them."""
    stop = re.search(r":|\.(?=\s|\Z)", text)
    head, tail = (text, "") if stop is None else (text[: stop.start()], text[stop.start() :])
    case = _pattern(r"(?:(?:$court_at)\s+)?(?:$court_case)\s*(?P<number>\d{1,4})(?!\w)").search(head)
    if case is not None:
        order, head = replace(order, case=int(case["number"])), f"{head[: case.start()]} {head[case.end() :]}"
    table = _pattern(rf"(?:(?<!\w)(?:$court_at)\s+)?{_TABLE}").search(head)
    if table is not None:
        order = replace(order, table=table["table"].lower())
        head = f"{head[: table.start()]} {head[table.end() :]}"
    return order, f"{' '.join(head.split())}{tail}".strip()


def _read_ruling(text: str) -> CourtOrder:
    """`rule case 2 at sirocco-7: dismiss`: the ruling is an order of its own."""
    prefix, colon, rest = text.partition(":")
    order, left = _take_place(CourtOrder(RULE), prefix)
    found = post_reader().parse(rest.strip(_SIGNS) if colon and not left else left.strip(_SIGNS) + (colon + rest))
    if not isinstance(found, CourtOrder) or found.act not in RULINGS:
        return order
    return replace(found, table=order.table or found.table, case=order.case or found.case)


_Read: TypeAlias = tuple[CourtOrder, str]
"""An order, and what is left of its line: it says why."""


def _as_it_is(order: CourtOrder, text: str) -> _Read:
    return order, text


def _read_turn(order: CourtOrder, text: str) -> _Read:
    found = re.match(r"[^\d.:]{0,40}?(?P<turn>\d{1,6})(?!\w)", text)
    return (order, text) if found is None else (replace(order, turn=int(found["turn"])), text[found.end() :])


def _read_correction(order: CourtOrder, text: str) -> _Read:
    return replace(order, moves=text.strip(" .,")), ""


def _read_newcomer(order: CourtOrder, text: str) -> _Read:
    at = r"(?:\s+(?:$court_at)\s+|\s+[בל]-?)(?P<seat>[^\W\d_][\w-]*)"
    found = _pattern(rf"(?P<name>[^.:]+?){at}(?=[\s.,:;]|\Z)").match(text)
    if found is None:
        return order, text
    return replace(order, name=found["name"].strip(), seat=found["seat"].lower()), text[found.end() :]


def _read_end(order: CourtOrder, text: str) -> _Read:
    found = _pattern(r"[\s,:;]*(?P<who>[^.:]+?)\s+(?:$court_wins)(?!\w)").match(text)
    if found is None:
        return order, text
    nobody = _pattern(r"(?:$court_nobody)").fullmatch(found["who"].strip())
    winners = "" if nobody is not None else " ".join(re.findall(r"\w[\w-]*", found["who"].lower()))
    return replace(order, winners=winners), text[found.end() :]


def _read_view(order: CourtOrder, text: str) -> _Read:
    before = r"(?:(?:$court_as|$court_at)\s+|[בל]-?(?=\w))?"
    found = _pattern(rf"{before}(?P<seat>[^\W\d_][\w-]*)(?=[\s.,:;]|\Z)").match(text)
    return (order, text) if found is None else (replace(order, seat=found["seat"].lower()), text[found.end() :])


def _read_case(order: CourtOrder, text: str) -> _Read:
    """Which case; one may stand without its word, and be looked at as a seat sees it."""
    number = re.match(r"(?P<case>\d{1,4})(?!\w)\s*", text) if order.act != OPEN else None
    if number is not None:
        order, text = replace(order, case=int(number["case"])), text[number.end() :]
    viewer = _pattern(r"(?:$court_as)\s+(?P<seat>[^\W\d_][\w-]*)").match(text) if order.act == SHOW else None
    if viewer is not None:
        return replace(order, seat=viewer["seat"].lower()), ""
    turn = _pattern(r"[^\d.:]{0,20}?(?:$court_turn)\s*(?P<turn>\d{1,6})(?!\w)").match(text)
    return (order, text) if turn is None else (replace(order, turn=int(turn["turn"])), text[turn.end() :])


def _read_length(order: CourtOrder, text: str) -> _Read:
    length, rest = take_length(text)
    left = _pattern(r"\s*(?:(?:$court_at)(?!\w))?").match(rest)
    return replace(order, length=length), rest if left is None else rest[left.end() :]


def _read_terms(order: CourtOrder, text: str) -> _Read:
    terms, rest = take_terms(text.lstrip(_SIGNS))
    return replace(order, terms=terms), rest


_READERS: Final = {
    DISMISS: _as_it_is,
    ROLL_BACK: _read_turn,
    CORRECT: _read_correction,
    SUBSTITUTE: _read_newcomer,
    ADJUDICATE: _read_end,
    OPEN: _read_case,
    SHOW: _read_case,
    CLOSE: _read_case,
    EXTEND: _read_length,
    PAUSE: _as_it_is,
    RESUME: _as_it_is,
    WARRANT: _read_view,
    CALL_OFF: _as_it_is,
    EXCUSE: _read_view,
    TERMS: _read_terms,
}


def _line(act: str, more: str = r"(?!\w).*") -> CommandTerminal:
    """A line that begins with some words; a filler in it is part of what is said, so it is one word to the grammar."""
    name = _VERBS[act].upper()
    more = r"\s*:.*" if act == REASON else more
    return CommandTerminal(name, rf"(?:${name.lower()}){more}", 4, value=partial(_read, act), says=A_COMMAND)


FAMILY: Final = CommandFamily(
    grammar="\n".join(f"{name}_line: {name.upper()}" for name in _VERBS.values()),
    words={
        "court_rule": "(?:rul(?:e|ing)|decide)(?= (?:in |on |at )?(?:case|[a-z]+-[0-9])|:)",
        "court_dismiss": "dismiss(?:ed)?|everything stands",
        "court_roll_back": "(?:roll|go|take) ?back",
        "court_correct": "correct",
        "court_seat": "seat(?= .* (?:at|as|to) )|put(?= .* (?:at|as) )",
        "court_end": "end(?: the game)?(?=[ ,:].* wins?)|adjudicate",
        "court_open": "open (?:a |the )?case",
        "court_show": "(?:show|send)(?: me)? (?:the )?case|case(?= [0-9])",
        "court_close": "close (?:the )?case",
        "court_extend": "extend|more time(?: for| at)?",
        "court_pause": "pause|stop the clock(?: at)?",
        "court_resume": "resume|(?:start|run) the clock(?: at)?",
        "court_warrant": "warrant(?: for)?",
        "court_call_off": "call off(?= (?:the game|[a-z]+-[0-9]))(?: the game(?: at)?)?",
        "court_excuse": "excuse(?= (?!me|my|us|our|the|that|for)\\w)",
        "court_terms": "(?:change )?(?:the )?terms",
        "court_reason": "reason|because(?: of)?",
        "court_case": "case",
        "court_at": "at|in|of|for|by|to|as|on",
        "court_as": "as",
        "court_turn": "(?:to |before |about )*turn",
        "court_wins": "wins?",
        "court_nobody": "nobody|no one",
    },
    terminals=tuple(_line(act) for act in _VERBS),
    build={f"{name}_line": lambda order: order for name in _VERBS.values()},
)
