"""What a ruling changes in the record, line by line: a diff that everybody gets, made for one reader.

How far the reader's own turn has come, and how it is taken back.

What was judged, in words: moves that stand, rules that they break, text that cannot be read.

A refusal always cites its rule, says what is wrong in this case, and offers something that would do.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.game import CHANCE, PUBLIC
from engine.verdict import Rule, Verdict
from notation import Fault, write_moves
from notation.phrases import phrases
from pbem.events.chain import Event
from pbem.events.kinds import CaseRuled
from pbem.judging.entries import changed_lines, redact_record, standing_entries
from pbem.judging.submission import SubmissionResult, is_on_turn
from pbem.mail.writing.blocks import SOFT, Block, Fixed, Heading, Lines, Links, Paragraph
from pbem.mail.writing.describe import join_words
from pbem.mail.writing.page import MailWriter
from pbem.render.players import show_name
from pbem.tables.decision import Decision, Refused
from pbem.tables.votes import goes_back_at_once, last_turn_of


def amended(pen: MailWriter, events: Iterable[Event]) -> Iterator[Block]:
    """The diff of the record by the rulings among some events."""
    reasons = {
        (event.payload.case, event.at, event.payload.reason) for event in events if isinstance(event.payload, CaseRuled)
    }
    decrees = [
        decree
        for case in pen.table.cases
        for decree in case.decrees
        if (case.number, decree.at, decree.reason) in reasons and decree.first < decree.last
    ]
    if not decrees:
        return
    record = redact_record(pen.table.record, pen.seat if pen.seat in pen.table.seats else PUBLIC)
    yield Heading(pen.say("title_amended"))
    yield Fixed(tuple(line for decree in decrees for line in changed_lines(record, decree.first, decree.last)))


def begun(pen: MailWriter) -> Iterator[Block]:
    """What stands already of a turn that the reader is in the middle of, and what is still due; nothing before that."""
    table = pen.table
    if pen.seat not in table.due or not is_on_turn(table.game, table.position, pen.seat):
        return
    own = [entry for entry in standing_entries(table.entries) if (entry.who, entry.number) == (pen.seat, table.turn)]
    moves = tuple(move for entry in own for move in entry.moves)
    if moves:
        yield Paragraph(pen.say("begun", table.turn, pen.voice.order(write_moves(table.game, moves))))
        yield still_due(pen, int(table.game.view(table.position, pen.seat).get("left", 0)))
        yield from taken_back(pen, table.turn)


def still_due(pen: MailWriter, count: int) -> Block:
    """That a turn is not finished, and how many moves it still takes, where the game can tell."""
    return Paragraph(pen.say("still", count) if count else pen.say("unfinished"))


def taken_back(pen: MailWriter, turn: int) -> Iterator[Block]:
    """How a turn is taken back, if an undo of the reader goes back to its beginning."""
    if last_turn_of(pen.table, pen.seat) == turn:
        at_once = goes_back_at_once(pen.table, turn)
        yield Paragraph(pen.say("take_back_at_once" if at_once else "take_back"), SOFT)


MOST: Final = 8
"""Legal moves that are offered instead of a refused one."""
LONGEST: Final = 120
"""Characters of a player's line that are given back."""


def write_ruling(pen: MailWriter, ruling: SubmissionResult) -> Iterator[Block]:
    """Moves that were judged."""
    if ruling.fault is not None:
        yield from write_fault(pen, ruling.fault, ruling.fault.text)
        yield from begun(pen)
    elif ruling.verdict is not None:
        yield Paragraph(pen.say("refused_move", pen.voice.order(ruling.phrase)))
        yield from begun(pen)
        yield from _verdict(pen, ruling.verdict)
    else:
        yield Paragraph(pen.say("done_play", ruling.turn, pen.voice.order(ruling.phrase)))
        yield from write_rest(pen, ruling)


def write_rest(pen: MailWriter, ruling: SubmissionResult) -> Iterator[Block]:
    """What is left of moves that stand: what waits for answers, what was not played and why, what is still due."""
    left = pen.voice.order(write_moves(pen.table.game, ruling.later)) if ruling.later else ""
    if ruling.awaits == (CHANCE,):
        yield Paragraph(pen.say("awaits_chance", left))
        return
    if ruling.awaits:
        yield Paragraph(pen.say("awaits", left, pen.teller.all_of(ruling.awaits)))
        return
    if left:
        yield Paragraph(pen.say("left_over", left))
    if ruling.stopped is not None:
        yield from _verdict(pen, ruling.stopped)
    if not ruling.complete:
        yield still_due(pen, ruling.still)


def _verdict(pen: MailWriter, verdict: Verdict) -> Iterator[Block]:
    yield Paragraph(pen.voice.sentence(verdict.says, verdict.facts))
    if verdict.instead:
        offered = [pen.voice.order(write_moves(pen.table.game, (move,))) for move in verdict.instead[:MOST]]
        yield Paragraph(pen.say("legal_instead", "; ".join(offered)))
    yield from cite(pen, verdict.rule)


def write_refused(pen: MailWriter, refused: Refused) -> Iterator[Block]:
    """A command that a rule of the post forbids."""
    yield Paragraph(pen.voice.sentence(refused.says, refused.facts))
    yield from cite(pen, refused.rule)


def say_why(pen: MailWriter, decision: Decision) -> str:
    """Why a whole turn was not played, in one sentence; the rule itself is not cited."""
    ruling = decision.ruling
    broken = decision.refused or (ruling.verdict if ruling is not None else None)
    if broken is not None:
        return pen.voice.sentence(broken.says, broken.facts)
    return pen.say("not_whole" if ruling is not None and ruling.is_legal else "unreadable")


def cite(pen: MailWriter, rule: Rule) -> Iterator[Block]:
    """The rule behind a refusal, and an answer that asks for all of it."""
    title = pen.say("title_rule", rule.code, rule.name)
    yield Lines((f"{title}. {pen.voice.gettext(rule.text)}",))
    yield Links((pen.link(pen.say("link_rule", rule.code), f"rule {rule.code}"),), button=False)


def write_fault(pen: MailWriter, fault: Fault | None, text: str) -> Iterator[Block]:
    """What could not be read: the line with a caret below the place, what was expected, and a text that can be read."""
    if fault is None:
        yield Fixed((show_name(text, longest=LONGEST),))
        return
    shown = fault.text[:LONGEST]
    caret = " " * (fault.column - 1) + "^" * max(1, fault.length)
    yield Fixed((_keep_blanks(shown), caret[:LONGEST])) if fault.column <= LONGEST else Fixed((_keep_blanks(shown),))
    said = [pen.say("read_at", show_name(fault.read)) if fault.read else pen.say("read_the_end")]
    if fault.expected:
        # A single word is to be written as it stands, whatever it means elsewhere.
        wanted = [pen.voice.gettext(each) if " " in each else each for each in fault.expected]
        said.append(pen.say("expected", join_words(wanted, "any_of", pen.voice)))
    if fault.meant:
        said.append(pen.say("meant", show_name(fault.meant)))
    if (stranger := fault.stranger) is not None:
        instead = join_words([*stranger.instead], "any_of", pen.voice)
        said.append(pen.say("strange", show_name(stranger.sign), stranger.name, instead))
    yield Paragraph(" ".join(said))
    example = _example(pen, fault)
    if example:
        yield Paragraph(pen.say("readable", pen.voice.order(example.replace("\n", "; "))))


def _example(pen: MailWriter, fault: Fault) -> str:
    """A text that can be read; where it would be any move of the game, one that is legal now, if the reader is due."""
    reader = phrases(pen.table.game.key)
    is_any = reader is not None and fault.example == reader.book.example
    return pen.choices.example if is_any and pen.choices is not None and pen.choices.example else fault.example


def _keep_blanks(text: str) -> str:
    """A line with its blanks, so that a caret below it stays in its place."""
    return "".join(" " if character.isspace() else show_name(character) or " " for character in text)
