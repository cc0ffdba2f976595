"""How refusals and faults look: code, place, the line with carets, the reason, what to do; and as plain data.

The line is quoted as it was written where it is at hand and simple enough to point into, else in canonical form.
"""

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import CHANCE
from engine.verdict import begin_sentence
from notation import Entry, write_moves
from notation.faults import Fault, printable
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases, phrases
from notation.table_words import WORDS, table
from pbem.terminal.display import count

if TYPE_CHECKING:
    from engine.game import GameRules
    from engine.verdict import Remedy, Verdict
    from notation.record import Record
    from pbem.archive.source import Source
    from pbem.judging.result import Refusal, ReplayResult
    from pbem.judging.submission import SubmissionResult
    from pbem.terminal.display import Colour
    from pbem.terminal.record_outputs import FaultJson, JudgedMoveJson, RefusalJson, RemedyJson, VerdictJson
    from pbem.terminal.report import Report


_REMARK: Final = re.compile(r"[{(\[!?$]")
"""What begins something beside the moves."""
_BETWEEN: Final = " \t,;"


class Quote(NamedTuple):
    """A line of text, and the part of it that a refusal is about.

    `column` counts from 1; 0 says that the text is not the user's own line but its canonical form.
    """

    line: int
    column: int
    text: str
    start: int
    length: int


def quote(refusal: "Refusal", record: "Record", source: "Source", first: int) -> Quote:
    """The part of a record that a refusal is about; the text of the record begins in line `first`."""
    if refusal.entry is None:
        return _quote_header(refusal.header, source, first)
    entry = refusal.entry
    reader = _reader(record, entry)
    text = source.quote(entry.line)
    span = _span(reader, entry, refusal.move, text) if text is not None else None
    if text is None or span is None:
        return _canonical(reader, entry._replace(number=refusal.turn), refusal.move)
    start, end = span
    return Quote(entry.line, start + 1, text, start, end - start)


def quote_phrase(game: "GameRules", entry: "Entry", move: int | None) -> Quote:
    """An entry that is not in a file, and one of its moves, or all."""
    return _canonical(phrases(game.key), entry, move)


def _quote_header(name: str | None, source: "Source", first: int) -> Quote:
    number = first
    while (text := source.quote(number)) is not None and text.lstrip().startswith("["):
        if name is None or re.match(rf"\s*\[\s*{re.escape(name)}\b", text, re.IGNORECASE):
            return Quote(number, 1, text, 0, len(text))
        number += 1
    return Quote(first, 0, f"[{name}]" if name else "", 0, 0)


def _reader(record: "Record", entry: "Entry") -> Phrases | None:
    return table(entry.who) if entry.who in WORDS else phrases(record.header("Game") or "")


def _span(reader: Phrases | None, entry: "Entry", move: int | None, text: str) -> tuple[int, int] | None:
    """Where a move (or the whole entry) stands in its line; None if that is not easy to see."""
    if move is None:
        return len(text) - len(text.lstrip()), len(text.rstrip())
    head, _, rest = text.partition(":")
    placed = reader.parse(_REMARK.split(rest)[0]) if reader is not None else None
    if placed is None or isinstance(placed, Unexpected) or placed.moves[: move + 1] != entry.moves[: move + 1]:
        return None
    start = placed.ends[move - 1] if move else 0
    start += len(rest[start:]) - len(rest[start:].lstrip(_BETWEEN))
    return len(head) + 1 + start, len(head) + 1 + placed.ends[move]


def _canonical(reader: Phrases | None, entry: "Entry", move: int | None) -> Quote:
    head = f"{entry.number}. {entry.who}: "
    whole = _phrase(reader, entry.moves)
    start, end = 0, len(whole)
    if move is not None:
        before, through = (_phrase(reader, entry.moves[:count]) for count in (move, move + 1))
        if whole.startswith(through) and through.startswith(before):
            start, end = len(through) - len(through[len(before) :].lstrip(_BETWEEN)), len(through)
    return Quote(entry.line, 0, head + whole, len(head) + start, end - start)


def _phrase(reader: Phrases | None, moves: tuple[Any, ...]) -> str:
    return reader.book.phrase(moves) if reader is not None and moves else ""


_WIDEST = 100
"""Characters of a long line that are shown."""


def print_fault(fault: Fault, title: str, colour: "Colour") -> str:
    """What could not be read, as text."""
    _, *rest = fault.render().split("\n")
    place = f"{title}:{fault.line}:{fault.column}"
    return "\n".join([_head(place, fault.code, fault.rule.name, colour), *rest, _hint(fault.code)])


def fault_data(fault: Fault) -> "FaultJson":
    """A fault as plain data."""
    return {
        "code": fault.code,
        "name": fault.rule.name,
        "line": fault.line,
        "column": fault.column,
        "length": fault.length,
        "text": fault.text,
        "read": fault.read,
        "expected": list(fault.expected),
        "meant": fault.meant,
        "example": fault.example,
        "message": fault.message,
    }


def print_refusal(
    refusal: "Refusal", quoted: Quote, title: str, replayed: "ReplayResult", colour: "Colour", *, warning: str = ""
) -> str:
    """Which rule a record breaks, as text; `warning` says where, if the game stands all the same."""
    place = f"{title}:{quoted.line}" + (f":{quoted.column}" if quoted.column else "")
    verdict = refusal.verdict
    if warning:
        place = f"{place}: warning, {warning}"
    lines = [_head(place, refusal.code, verdict.rule.name, colour)]
    if quoted.text:
        lines += underline(quoted, colour)
    return "\n".join([*lines, *print_reasons(verdict, replayed.game)])


def print_reasons(verdict: "Verdict", game: "GameRules | None", remedy: "Remedy | None" = None) -> list[str]:
    """Why, with which change it would be legal, what would be legal instead, and where to read on."""
    instead = legal_instead(verdict, game)
    reason = printable(begin_sentence(verdict.detail))
    offered = [f"  Legal would be: {'; '.join(instead)}."] if instead else []
    changed = [f"  {printable(begin_sentence(remedy.detail))}."] if remedy is not None else []
    return [f"  {reason}.", *changed, *offered, _hint(verdict.rule.code)]


def legal_instead(verdict: "Verdict", game: "GameRules | None") -> list[str]:
    """The legal moves that a verdict offers, in notation."""
    return [write_moves(game, (move,)) for move in verdict.instead] if game is not None else []


def refusal_data(refusal: "Refusal", quoted: Quote, title: str, replayed: "ReplayResult") -> "RefusalJson":
    """A refusal as plain data."""
    verdict = refusal.verdict
    return {
        "file": title,
        "line": quoted.line,
        "column": quoted.column or None,
        "text": quoted.text,
        "start": quoted.start,
        "length": quoted.length,
        "header": refusal.header,
        "seat": refusal.seat,
        "turn": refusal.turn,
        "move": refusal.move,
        "state": refusal.digest,
        **verdict_data(verdict, replayed.game),
    }


def verdict_data(verdict: "Verdict", game: "GameRules | None") -> "VerdictJson":
    """A verdict as plain data."""
    return {
        "code": verdict.rule.code,
        "name": verdict.rule.name,
        "detail": verdict.detail,
        "instead": legal_instead(verdict, game),
    }


def _head(place: str, code: str, name: str, colour: "Colour") -> str:
    return f"{colour.paint(place, 'bold')}: {colour.paint(code, 'bold', 'red')} {name}"


def _hint(code: str) -> str:
    return f"  `pbem rule {code}` explains."


def underline(quoted: Quote, colour: "Colour") -> list[str]:
    """The quoted line, and carets under the part that is meant."""
    cut = max(0, quoted.start - _WIDEST // 2) if len(quoted.text) > _WIDEST else 0
    shown = printable(quoted.text[cut : cut + _WIDEST])
    marks = " " * (quoted.start - cut) + "^" * max(1, min(quoted.length, len(shown) - quoted.start + cut))
    return [f"  {shown}", f"  {colour.paint(marks, 'red')}"]


SUBMISSION = "move"
"""Printed in place of a file name when a submitted text is quoted."""


def report_submission(ruling: "SubmissionResult", replayed: "ReplayResult", report: "Report") -> "Remedy | None":
    """Print what became of a move that a player sent in, and give what would have made it legal if it is not."""
    from pbem.judging.submission import find_remedy  # refused records do without

    colour, remedy = report.colour, None
    if ruling.fault is not None:
        report.refuse()
        report.say(print_fault(ruling.fault, SUBMISSION, colour))
    elif ruling.verdict is not None:
        report.refuse()
        rule = ruling.verdict.rule
        report.say(f"{colour.paint(SUBMISSION, 'bold')}: {colour.paint(rule.code, 'bold', 'red')} {rule.name}")
        if ruling.phrase:
            entry = Entry(ruling.turn, ruling.seat, ruling.moves)
            report.say(*underline(quote_phrase(replayed.table, entry, ruling.refused), colour))
        remedy = find_remedy(replayed.table, ruling)
        report.say(*print_reasons(ruling.verdict, replayed.game, remedy))
    else:
        report.say(f"{colour.paint('legal', 'green')}: {ruling.turn}. {ruling.seat}: {ruling.phrase}")
        if ruling.later:
            rest = write_moves(replayed.table, ruling.later)
            report.say(f"  Not judged: {rest}. Something new is known first: dice, a card, or somebody's answer.")
        elif not ruling.complete and ruling.seat == CHANCE:
            report.say("  More is left to chance before anybody goes on.")
        elif not ruling.complete:
            more = f"{count(ruling.still, 'move')} still to make" if ruling.still else "more to do"
            report.say(f"  The turn is not complete: {ruling.seat} has {more}.")
    report.add(submission_data(ruling, replayed, remedy))
    return remedy


def submission_data(
    ruling: "SubmissionResult", replayed: "ReplayResult", remedy: "Remedy | None" = None
) -> "JudgedMoveJson":
    """A judged move as plain data."""
    verdict, fault = ruling.verdict, ruling.fault
    return {
        "seat": ruling.seat,
        "turn": ruling.turn,
        "legal": ruling.is_legal,
        "phrase": ruling.phrase,
        "later": write_moves(replayed.table, ruling.later) if ruling.later else "",
        "complete": ruling.complete,
        "still": ruling.still,
        "move": ruling.refused,
        "fault": fault_data(fault) if fault is not None else None,
        "verdict": verdict_data(verdict, replayed.game) if verdict is not None else None,
        "remedy": _remedy_data(remedy) if remedy is not None else None,
    }


def _remedy_data(remedy: "Remedy") -> "RemedyJson":
    return {
        "kind": remedy.kind,
        "detail": remedy.detail,
        "places": list(remedy.places),
        "moves": str(remedy.facts.get("moves", "")),
    }
