"""How refusals and faults look: code, place, the line with carets, the reason, what to do; or as plain data."""

from typing import TYPE_CHECKING, Any

from engine.verdict import begin_sentence
from notation import write_moves
from notation.faults import Fault, printable
from pbem.terminal.refusals import Quote

if TYPE_CHECKING:
    from engine.game import Game
    from engine.verdict import Verdict
    from pbem.judging.refusal import Refusal
    from pbem.judging.result import Hearing
    from pbem.terminal.ink import Ink

_WIDEST = 100
"""Characters of a long line that are shown."""


def print_fault(fault: Fault, title: str, ink: "Ink") -> str:
    """What could not be read."""
    _, *rest = fault.render().split("\n")
    place = f"{title}:{fault.line}:{fault.column}"
    return "\n".join([_head(place, fault.code, fault.rule.name, ink), *rest, _hint(fault.code)])


def print_refusal(refusal: "Refusal", quoted: Quote, title: str, hearing: "Hearing", ink: "Ink") -> str:
    """What the referee would not let pass."""
    place = f"{title}:{quoted.line}" + (f":{quoted.column}" if quoted.column else "")
    verdict = refusal.verdict
    lines = [_head(place, refusal.code, verdict.rule.name, ink)]
    if quoted.text:
        lines += underline(quoted, ink)
    return "\n".join([*lines, *print_reasons(verdict, hearing.game)])


def print_reasons(verdict: "Verdict", game: "Game[Any] | None") -> list[str]:
    """Why, what would be legal instead, and where to read on."""
    instead = offer(verdict, game)
    reason = printable(begin_sentence(verdict.detail))
    offered = [f"  Legal would be: {'; '.join(instead)}."] if instead else []
    return [f"  {reason}.", *offered, _hint(verdict.rule.code)]


def offer(verdict: "Verdict", game: "Game[Any] | None") -> list[str]:
    """The legal moves that a verdict offers, in notation."""
    return [write_moves(game, (move,)) for move in verdict.instead] if game is not None else []


def describe_refusal(refusal: "Refusal", quoted: Quote, title: str, hearing: "Hearing") -> dict[str, Any]:
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
        **describe_verdict(verdict, hearing.game),
    }


def describe_verdict(verdict: "Verdict", game: "Game[Any] | None") -> dict[str, Any]:
    """A verdict as plain data."""
    return {
        "code": verdict.rule.code,
        "name": verdict.rule.name,
        "detail": verdict.detail,
        "instead": offer(verdict, game),
    }


def _head(place: str, code: str, name: str, ink: "Ink") -> str:
    return f"{ink.paint(place, 'bold')}: {ink.paint(code, 'bold', 'red')} {name}"


def _hint(code: str) -> str:
    return f"  `pbem rule {code}` explains."


def underline(quoted: Quote, ink: "Ink") -> list[str]:
    """The quoted line, and carets under the words that are meant."""
    cut = max(0, quoted.start - _WIDEST // 2) if len(quoted.text) > _WIDEST else 0
    shown = printable(quoted.text[cut : cut + _WIDEST])
    marks = " " * (quoted.start - cut) + "^" * max(1, min(quoted.length, len(shown) - quoted.start + cut))
    return [f"  {shown}", f"  {ink.paint(marks, 'red')}"]
