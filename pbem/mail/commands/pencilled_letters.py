"""Whole letters and pencils: which letters are pencilled, and which take back what was pencilled before."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.mail.commands import letter_rules
from pbem.mail.commands.consent import Ask
from pbem.mail.commands.letter_line import Question, UnreadLine
from pbem.mail.commands.parse_letter import ParsedLetter
from pbem.mail.commands.pencil import PencilMove, PlayPencilled, StopPencil
from pbem.mail.commands.prose import Bearing, judge_line
from pbem.mail.commands.submit_moves import Play
from pbem.mail.commands.weigh_prose import IN_DOUBT
from pbem.tables.play import Pending

_ABOUT_THE_TURN: Final = (Play, PencilMove, PlayPencilled, StopPencil)
"""Commands after which nothing may be played that was pencilled before, whatever comes of them."""
_UNDO: Final = Ask("undo")


def pencil_in(parsed: ParsedLetter) -> ParsedLetter:
    """A letter with its move pencilled, if it holds one beside words that are not known.

    What else it asks for is done at once. If that binds its writer too, nobody knows what the words are about: then the
    letter stays a question; and so does an offer with a time of its own, which may be past when it is made.
    """
    if any(play.until for play in parsed.plays):
        return parsed
    others = [command for command in parsed.pencilled if not isinstance(command, Play)]
    if not parsed.pencilled or parsed.question is None or any(command.is_binding for command in others):
        return parsed
    beside = str(parsed.question.facts.get("text", ""))
    commands = tuple(
        PencilMove(command.text, command.turn, beside) if isinstance(command, Play) else command
        for command in parsed.pencilled
    )
    return replace(parsed, commands=commands, pencilled=(), question=None)


def answer_pencil(parsed: ParsedLetter, pending: Pending | None) -> ParsedLetter:
    """A letter as it is meant while a move of its writer waits, or does not.

    A move is what its writer wants played, so `play it` beside one says nothing more. Taking back means the move that
    waits, and not one that was played before. Words that are not known beside `play it` are a question.
    """
    commands = parsed.commands
    if any(isinstance(command, Play) for command in commands):
        commands = tuple(command for command in commands if not isinstance(command, PlayPencilled))
    if pending is not None and pending.pencil:
        commands = tuple(StopPencil() if command == _UNDO else command for command in commands)
    order = next((command for command in commands if isinstance(command, PlayPencilled)), None)
    about = next(_not_harmless(parsed, pending), None) if order is not None else None
    if order is None or about is None:
        return replace(parsed, commands=commands)
    facts = {"text": about.text, "line": about.line, "order": order.format()}
    own = (pending.pencil,) if pending is not None and pending.pencil else ()
    return replace(parsed, commands=(), question=Question(letter_rules.L10, IN_DOUBT, facts, about.line, own))


def disturbs_pencil(parsed: ParsedLetter, pending: Pending | None) -> bool:
    """Whether a letter takes back what its writer had pencilled: by another move, a question, or words not known.

    A withdrawal must never be overlooked, so only letters without a word about the turn leave it alone.
    """
    if any(isinstance(command, _ABOUT_THE_TURN) for command in parsed.commands):
        return True
    if parsed.question is not None and parsed.question.rule != letter_rules.L4:
        return True
    return any(_not_harmless(parsed, pending))


def _not_harmless(parsed: ParsedLetter, pending: Pending | None) -> Iterator[UnreadLine]:
    """Lines of prose that may be about a move which waits."""
    names = frozenset(pending.names) if pending is not None else frozenset[str]()
    for unread in parsed.unread:
        is_prose = unread.why == letter_rules.L7
        if is_prose and judge_line(unread.text, names, below=True, close=True) is not Bearing.HARMLESS:
            yield unread
