"""Judged moves in words: what was played, which rule a move breaks, what could not be read, and what a ruling changes.

A refusal always cites its rule, says what is wrong in this case, and offers something that would do.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.game import CHANCE, PUBLIC
from engine.verdict import Rule, Verdict
from notation import UNDO, Fault, write_moves
from notation.phrases import phrases
from pbem.events.chain import Event
from pbem.events.kinds import CaseRuled
from pbem.judging.entries import changed_lines, redact_record, standing_entries
from pbem.judging.submission import SubmissionResult, is_on_turn, whole_turn
from pbem.mail.writing.blocks import SOFT, Block, Heading, Lines, Links, Paragraph, Preformatted
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.sentences import join_words
from pbem.mail.writing.status_blocks import say_open_offer
from pbem.render.players import show_name
from pbem.tables.decision import Decision, Refused
from pbem.tables.take_back import Obstacle, TakeBack, find_take_back
from pbem.tables.votes import last_turn_of


def record_changes(context: MailContext, events: Iterable[Event]) -> Iterator[Block]:
    """The lines of the record that the rulings among some events have changed."""
    reasons = {
        (event.payload.case, event.at, event.payload.reason) for event in events if isinstance(event.payload, CaseRuled)
    }
    decrees = [
        decree
        for case in context.table.cases
        for decree in case.decrees
        if (case.number, decree.at, decree.reason) in reasons and decree.first < decree.last
    ]
    if not decrees:
        return
    record = redact_record(context.table.record, context.seat if context.seat in context.table.seats else PUBLIC)
    yield Heading(context.say("title_amended"))
    yield Preformatted(tuple(line for decree in decrees for line in changed_lines(record, decree.first, decree.last)))


def unfinished_turn(context: MailContext) -> Iterator[Block]:
    """The moves of a turn that the reader has begun, and what is missing; nothing if no turn is begun."""
    table = context.table
    if context.seat not in table.due or not is_on_turn(table.game, table.position, context.seat):
        return
    own = [
        entry for entry in standing_entries(table.entries) if (entry.who, entry.number) == (context.seat, table.turn)
    ]
    moves = tuple(move for entry in own for move in entry.moves)
    if moves:
        yield Paragraph(context.say("begun", table.turn, context.order(write_moves(table.game, moves))))
        yield moves_left(context, int(table.game.view(table.position, context.seat).get("left", 0)))
        yield from how_to_undo(context, table.turn)


def moves_left(context: MailContext, count: int) -> Block:
    """That a turn is not finished, and how many moves are missing, if the game says that."""
    return Paragraph(context.say("still", count) if count else context.say("unfinished"))


def how_to_undo(context: MailContext, turn: int) -> Iterator[Block]:
    """How to take a turn back, if an undo of the reader goes back to it: at once, until when, or why not."""
    table, seat = context.table, context.seat
    if last_turn_of(table, seat) != turn:
        return
    own = find_take_back(table, seat)
    if not isinstance(own, TakeBack):
        yield from why_others_are_asked(context, own)
        yield Paragraph(context.say("take_back"), SOFT)
        return
    others = [context.describer.name(other) for other in table.due if other != seat]
    until = context.say("take_back_until", join_words(others, context.sentences, "or")) if others else ""
    yield Paragraph(until or context.say("take_back_at_once"), SOFT)
    if own.kept:
        moves = context.order(write_moves(table.game, own.moves))
        yield Paragraph(context.say("take_back_only", moves), SOFT)
    yield Links((context.link(context.say("link_take_back"), UNDO),), button=True)


_OBSTACLES: Final[Mapping[Obstacle, str]] = {
    "rolled": "obstacle_rolled",
    "drawn": "obstacle_drawn",
    "awaited": "obstacle_awaited",
    "shown": "obstacle_shown",
    "once": "obstacle_once",
    "others": "obstacle_others",
}
"""The sentence for each reason why the others must be asked before something is taken back."""


def why_others_are_asked(context: MailContext, obstacle: Obstacle) -> Iterator[Block]:
    """Why the reader cannot take a move back without asking; nothing where there is no move to speak of."""
    if obstacle in _OBSTACLES:
        yield Paragraph(context.say(_OBSTACLES[obstacle]), SOFT)


MOST: Final = 8
"""Legal moves that are offered instead of a refused one."""
LONGEST: Final = 120
"""Characters of a player's line that are quoted."""


def write_ruling(context: MailContext, ruling: SubmissionResult) -> Iterator[Block]:
    """Moves that were judged: refused, not understood, or played, which the headline and the news say."""
    if ruling.fault is not None:
        yield from write_fault(context, ruling.fault, ruling.fault.text)
        yield from unfinished_turn(context)
    elif ruling.verdict is not None:
        yield Lines((context.say("refused_move", context.order(ruling.phrase)),))  # behind a bar, as it may be an order
        yield from unfinished_turn(context)
        yield from _verdict(context, ruling, ruling.verdict)
    else:
        yield from write_rest(context, ruling)


def write_rest(context: MailContext, ruling: SubmissionResult) -> Iterator[Block]:
    """What is left of a legal turn: moves that wait for answers, moves not played and why, moves still missing."""
    left = context.order(write_moves(context.table.game, ruling.later)) if ruling.later else ""
    if ruling.awaits == (CHANCE,):
        yield Paragraph(context.say("awaits_chance", left))
        return
    if ruling.awaits:
        is_open = say_open_offer(context)
        waits = context.say("awaits_offer", left, is_open) if is_open else ""
        yield Paragraph(waits or context.say("awaits", left, context.describer.all_of(ruling.awaits)))
        return
    if left:
        yield Paragraph(context.say("left_over", left))
    if ruling.stopped is not None:
        yield from _verdict(context, ruling, ruling.stopped)
    if not ruling.complete:
        yield moves_left(context, ruling.still)


def _verdict(context: MailContext, ruling: SubmissionResult, verdict: Verdict) -> Iterator[Block]:
    yield Paragraph(context.sentences.sentence(verdict.says, verdict.facts))
    remedy = context.remedy(ruling)
    if remedy is not None:
        yield Paragraph(context.sentences.sentence(remedy.says, remedy.facts))
        whole = whole_turn(context.table.game, ruling, remedy)
        if whole:
            label = context.say("link_play", context.sentences.order(whole))
            yield Links((context.link(label, whole),), button=True)
    if verdict.instead:
        offered = [context.order(write_moves(context.table.game, (move,))) for move in verdict.instead[:MOST]]
        yield Paragraph(context.say("legal_instead", "; ".join(offered)))
    yield from cite(context, verdict.rule)


def write_refused(context: MailContext, refused: Refused) -> Iterator[Block]:
    """A command that a rule of the post forbids."""
    yield Paragraph(context.sentences.sentence(refused.says, refused.facts))
    yield from cite(context, refused.rule)


def say_why(context: MailContext, decision: Decision) -> str:
    """Why a planned turn was not played, in one sentence without the rule."""
    ruling = decision.ruling
    broken = decision.refused or (ruling.verdict if ruling is not None else None)
    if broken is not None:
        return context.sentences.sentence(broken.says, broken.facts)
    return context.say("not_whole" if ruling is not None and ruling.is_legal else "unreadable")


def cite(context: MailContext, rule: Rule) -> Iterator[Block]:
    """The rule behind a refusal, and an answer that asks for all of it."""
    title = context.say("title_rule", rule.code, rule.name)
    yield Lines((f"{title}. {context.sentences.gettext(rule.text)}",))
    yield Links((context.link(context.say("link_rule", rule.code), f"rule {rule.code}"),), button=False)


def write_fault(context: MailContext, fault: Fault | None, text: str) -> Iterator[Block]:
    """What could not be read: the line with a caret below the place, what was expected, and a text that can be read."""
    if fault is None:
        yield Preformatted((show_name(text, longest=LONGEST),))
        return
    shown = fault.text[:LONGEST]
    caret = " " * (fault.column - 1) + "^" * max(1, fault.length)
    yield (
        Preformatted((_keep_blanks(shown), caret[:LONGEST]))
        if fault.column <= LONGEST
        else Preformatted((_keep_blanks(shown),))
    )
    said = [context.say("read_at", show_name(fault.read)) if fault.read else context.say("read_the_end")]
    if fault.expected:
        # A single word is notation, which is the same in every language.
        wanted = [context.sentences.gettext(each) if " " in each else each for each in fault.expected]
        said.append(context.say("expected", join_words(wanted, context.sentences, "or")))
    if fault.meant:
        said.append(context.say("meant", show_name(fault.meant)))
    if (stranger := fault.stranger) is not None:
        instead = join_words([*stranger.instead], context.sentences, "or")
        said.append(context.say("strange", show_name(stranger.sign), stranger.name, instead))
    yield Paragraph(" ".join(said))
    example = _example(context, fault)
    if example:
        yield Lines((context.say("readable", context.order(example.replace("\n", "; "))),))


def _example(context: MailContext, fault: Fault) -> str:
    """The reader's own text as it can be read; any other move of the game would not be what was meant."""
    reader = phrases(context.table.game.key)
    return "" if reader is not None and fault.example == reader.book.example else fault.example


def _keep_blanks(text: str) -> str:
    """A line with its blanks, so that a caret below it stays in its place."""
    return "".join(" " if character.isspace() else show_name(character) or " " for character in text)
