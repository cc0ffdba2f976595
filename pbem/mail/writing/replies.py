"""The answer to a letter: what was read, what was done, what was refused and by which rule, what was left alone.

One letter has one answer, however many commands it holds.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.events.chain import Draft, Event
from pbem.events.kinds import PressSent
from pbem.mail.commands.commands import Command
from pbem.mail.writing import passages
from pbem.mail.writing.answers import previewed, write_answer, write_settings
from pbem.mail.writing.blocks import SOFT, Block, Heading, Lines, Paragraph
from pbem.mail.writing.occasions import ReplyMail
from pbem.mail.writing.page import MailWriter, Page
from pbem.mail.writing.passages import questions
from pbem.mail.writing.verdicts import (
    LONGEST,
    cite,
    taken_back,
    write_fault,
    write_refused,
    write_rest,
    write_ruling,
)
from pbem.render.players import show_name
from pbem.tables.absences import ABSENCE
from pbem.tables.decision import ALL, REFEREE, Decision
from pbem.tables.standing_orders import STANDING
from pbem.tables.table import PLAYING

ANSWER: Final = "answer"
"""The kind of a mail that only tells what was asked for."""
MOST: Final = 8
"""Lines of each kind that are given back."""
BESIDE_THE_TABLE: Final = frozenset({"help", "history", "rule", "settings", STANDING})
"""Answers that have nothing to do with how the table stands."""
ABOUT_THE_TABLE: Final = frozenset({"status", "board"})
"""Answers that begin with how the table stands."""
LISTS: Final = frozenset({STANDING, ABSENCE})
"""Answers that list all there is, whatever was asked or changed."""


def write_reply(pen: MailWriter, reply: ReplyMail) -> Page:
    """The answer to a letter."""
    kind, headline = _announce(pen, reply)
    shown = previewed(pen, reply.outcomes) or pen.board if _shows_board(reply) else None
    blocks = tuple(_reply(pen, reply))
    first = blocks[0] if blocks else None
    if kind == ANSWER and isinstance(first, Heading) and _asks_one_thing(reply):
        # Its title says more than that it was asked for, and need not be said twice.
        headline, blocks = first.text, blocks[1:]
    return Page(kind, headline, blocks, answers=True, board=shown)


def _announce(pen: MailWriter, reply: ReplyMail) -> tuple[str, str]:
    """The kind of an answer, and its headline."""
    decisions = [decision for _, decision in reply.outcomes]
    if reply.orders.question is not None:
        return "question", pen.say("head_question")
    refused = [decision for decision in decisions if _is_refused(decision)]
    played = [decision.ruling for decision in decisions if decision.drafts and decision.ruling is not None]
    if refused:
        return "refusal", pen.say("head_refused" if len(refused) == len(decisions) else "head_partly")
    if played:
        last = played[-1]
        return "receipt", pen.say("head_receipt" if last.complete else "head_unfinished", last.turn)
    if any(decision.drafts or decision.plan is not None for decision in decisions):
        return "receipt", pen.say("head_noted")
    return ANSWER, pen.say("head_answer")


def _is_refused(decision: Decision) -> bool:
    if decision.refused is not None:
        return True
    return decision.ruling is not None and not decision.ruling.is_legal and not decision.answers


def _reply(pen: MailWriter, reply: ReplyMail) -> Iterator[Block]:
    changed = any(decision.drafts for _, decision in reply.outcomes)
    begins = _asks_about_the_table(reply)
    if begins:
        yield from passages.how_it_stands(pen)
    if reply.orders.question is not None:
        yield from _ask_back(pen, reply)
    for _, decision in _told_once(reply):
        yield from _outcome(pen, decision)
    if reply.after:
        yield from passages.told(pen, reply.after, "title_after")
    if reply.resumed is not None and reply.resumed.ruling is not None:
        yield from write_rest(pen, reply.resumed.ruling)
    settings = [decision.settings for _, decision in reply.outcomes]
    yield from write_settings(pen, {name: value for each in settings for name, value in each.items()})
    if not changed and any(_is_refused(decision) for _, decision in reply.outcomes):
        yield Paragraph(pen.say("nothing_changed"))
    yield from _unread(pen, reply)
    if _shows_table(reply):
        yield from () if begins else passages.standing(pen)
        yield from questions(pen)
        yield from passages.at_hand(pen)
        if not _shows_board(reply):
            yield from passages.points(pen)
        elif previewed(pen, reply.outcomes) is None:
            yield from passages.picture(pen)
            yield from passages.whole_board(pen)
    yield from _ignored(pen, reply)
    if pen.table.stage == PLAYING:
        yield from passages.small_links(pen)


def _told_once(reply: ReplyMail) -> Iterator[tuple[Command, Decision]]:
    """What came of the commands; of several that list all standing orders or all days away, only the last does."""
    last = {
        answer.kind: at
        for at, (_, decision) in enumerate(reply.outcomes)
        for answer in decision.answers
        if answer.kind in LISTS
    }
    for at, (command, decision) in enumerate(reply.outcomes):
        told = tuple(answer for answer in decision.answers if last.get(answer.kind, at) == at)
        yield command, replace(decision, answers=told)


def _shows_table(reply: ReplyMail) -> bool:
    """Whether the table is shown: always, unless nothing was asked that concerns it."""
    return not _only_asks(reply) or not _asked(reply) <= BESIDE_THE_TABLE


def _shows_board(reply: ReplyMail) -> bool:
    """Whether the board is shown too: always with the table, unless only its status was asked."""
    return not _only_asks(reply) or not _asked(reply) <= BESIDE_THE_TABLE | {"status"}


def _only_asks(reply: ReplyMail) -> bool:
    """Whether a letter only asks something, and nothing came of it at the table."""
    return bool(reply.outcomes) and not reply.after and all(decision.answers for _, decision in reply.outcomes)


def _asked(reply: ReplyMail) -> set[str]:
    return {answer.kind for _, decision in reply.outcomes for answer in decision.answers}


def _asks_one_thing(reply: ReplyMail) -> bool:
    """Whether a letter asks one thing; how letters are to be is one, however many orders say it."""
    return len(reply.outcomes) == 1 or _asked(reply) == {"settings"}


def _asks_about_the_table(reply: ReplyMail) -> bool:
    return _only_asks(reply) and bool(_asked(reply) & ABOUT_THE_TABLE)


def _ask_back(pen: MailWriter, reply: ReplyMail) -> Iterator[Block]:
    question = reply.orders.question
    if question is None:
        return
    yield Paragraph(pen.voice.sentence(question.says, question.facts))
    asked = [unread for unread in reply.orders.unread if unread.question is not None]
    for unread in asked[:MOST]:
        yield from write_fault(pen, unread.fault, unread.text)
    yield from cite(pen, question.rule)


def _outcome(pen: MailWriter, decision: Decision) -> Iterator[Block]:
    """What came of one command."""
    if decision.refused is not None:
        yield from write_refused(pen, decision.refused)
    if decision.ruling is not None and not decision.answers:
        yield from write_ruling(pen, decision.ruling)
    if decision.plan is not None:
        phrases = "; ".join(map(pen.voice.order, decision.plan))
        yield Paragraph(pen.say("done_plan", len(decision.plan), phrases) if phrases else pen.say("done_no_plan"))
    if decision.said is not None:
        to = decision.said.to
        named = pen.say("everybody") if to == ALL else pen.say("referee") if to == REFEREE else pen.teller.who(to)
        yield Paragraph(pen.say("done_press", named))
    yield from _happened(pen, decision.drafts)
    for answer in decision.answers:
        yield from write_answer(pen, answer, decision)
    ruling = decision.ruling
    # Who has only answered in somebody else's turn is not told how to take that turn back.
    if decision.drafts and ruling is not None and not ruling.answers and pen.table.stage == PLAYING:
        yield from taken_back(pen, ruling.turn)


def _happened(pen: MailWriter, drafts: tuple[Draft, ...]) -> Iterator[Block]:
    """What came of a command, told as it will be told to the others."""
    events = [
        Event(pen.table.id, at, draft.payload, "", "", "", draft.sealed)
        for at, draft in enumerate(drafts)
        if not isinstance(draft.payload, PressSent)
    ]
    lines = passages.news(pen, events)
    if lines:
        yield Lines(tuple(lines))


def _unread(pen: MailWriter, reply: ReplyMail) -> Iterator[Block]:
    """Lines that became no command and did no harm, and why in general."""
    lines = [unread for unread in reply.orders.unread if unread.question is None]
    if lines:
        yield Heading(pen.say("title_unread"))
        yield Lines(tuple(show_name(unread.text, longest=LONGEST) for unread in lines[:MOST]))
        reasons = dict.fromkeys(unread.why for unread in lines[:MOST])
        yield Paragraph(" ".join(pen.voice.gettext(rule.text) for rule in reasons), SOFT)


def _ignored(pen: MailWriter, reply: ReplyMail) -> Iterator[Block]:
    """What was taken for a quotation or a signature.

    The line by which a program says whose letter it quotes names the post, stands in every answer, and is no news.
    """
    _, at, domain = pen.envelope.reply_to.partition("@")
    cut = [line for line in reply.cut if at + domain not in line]
    if cut:
        yield Heading(pen.say("title_ignored"))
        yield Lines(tuple(show_name(line, longest=LONGEST) for line in cut[:MOST]))
