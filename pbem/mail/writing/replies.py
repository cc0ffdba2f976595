"""The answer to a letter: what was done, what was refused and by which rule, and what was not read.

One letter has one answer, however many commands it holds.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from engine.verdict import Rule, begin_sentence
from notation import UNDO
from pbem.events.chain import Event
from pbem.events.kinds import PressSent, TurnUndone, VoteAsked
from pbem.events.post_kinds import MovePencilled, PencilErased, SeatOffered
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import Command
from pbem.mail.commands.letter_line import Question
from pbem.mail.commands.pencil import PencilMove
from pbem.mail.writing import board_blocks, status_blocks
from pbem.mail.writing.answers import preview_board, write_answer, write_settings
from pbem.mail.writing.blocks import LEAD, SOFT, Block, Heading, Lines, Links, Paragraph
from pbem.mail.writing.occasions import ReplyMail
from pbem.mail.writing.page import MailContext, MailKind, Page
from pbem.mail.writing.sentences import UTC_ZONE, end_sentence, join_words
from pbem.mail.writing.status_blocks import questions
from pbem.mail.writing.verdicts import (
    LONGEST,
    cite,
    explain_request,
    head_by_first,
    how_to_undo,
    how_to_write,
    link_rules,
    say_done,
    say_partly,
    say_refusal,
    why_not,
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
"""The kind of a mail that only answers questions."""
MOST: Final = 8
"""Lines of each kind that are quoted."""
PENCILLED: Final = "pencilled"
"""The kind of a mail that reads a move back which is played later."""
BESIDE_THE_TABLE: Final = frozenset(
    {
        "help",
        "points",
        "hand",
        "place",
        "take-back",
        "history",
        "proof",
        "rules",
        "rule",
        "no-rule",
        "settings",
        "report",
        "fewer",
        STANDING,
    }
)
"""Answers that do not need the state of the table."""
ABOUT_THE_TABLE: Final = frozenset({"status", "board"})
"""Answers that begin with the state of the table."""
LISTS: Final = frozenset({STANDING, ABSENCE})
"""Answers that list everything of their kind, so that one of several is enough."""


def write_reply(context: MailContext, reply: ReplyMail) -> Page:
    """The answer to a letter."""
    kind, headline = _announce(context, reply)
    if kind == PENCILLED:
        return Page(kind, headline, tuple(_pencilled(context, reply)), answers=True)
    shown = preview_board(context, reply.outcomes) or context.board if _shows_board(reply) else None
    blocks = tuple(_reply(context, reply, kind, headline))
    first = blocks[0] if blocks else None
    if kind == ANSWER and isinstance(first, Heading) and _asks_one_thing(reply):
        # The title of the only answer makes a better headline than "your answer".
        headline, blocks = first.text, blocks[1:]
    elif kind == "receipt" and headline == context.say("head_noted"):
        headline, blocks = head_by_first(headline, blocks)
    return Page(kind, headline, blocks, answers=True, board=shown)


def _announce(context: MailContext, reply: ReplyMail) -> tuple[MailKind, str]:
    """The kind of an answer, and its headline."""
    decisions = [decision for _, decision in reply.outcomes]
    pencil, is_stopped = _find_pencil(reply), any(map(_erases, decisions))
    if pencil is not None:
        return PENCILLED, context.say("head_pencilled", context.order(pencil.move))
    if reply.parsed.question is not None:
        return "question", context.say("head_stopped") if is_stopped else _say_question(context, reply.parsed.question)
    refused = [decision for decision in decisions if _is_refused(decision)]
    played = [decision.ruling for decision in decisions if decision.drafts and decision.ruling is not None]
    if refused:
        return "refusal", say_refusal(context, refused[0])
    if played:
        return "receipt", say_partly(context, played[-1])
    if is_stopped:
        return "receipt", context.say("head_stopped")
    undone = (draft.payload for decision in decisions for draft in decision.drafts)
    if back_to := next((payload.turn for payload in undone if isinstance(payload, TurnUndone)), 0):
        return "receipt", context.say("head_taken_back", back_to)
    if any(decision.drafts or decision.plan is not None for decision in decisions):
        return "receipt", context.say("head_noted")
    return ANSWER, context.say("head_answer")


def played_just_now(context: MailContext, reply: ReplyMail | None) -> Iterator[Block]:
    """What the reader's letter played, or that it was the last yes, in a mail about what it led to at once."""
    for _, decision in reply.outcomes if reply is not None else ():
        if decision.ruling is not None:
            yield Paragraph(say_done(context, decision.ruling))
        else:
            yield Paragraph(begin_sentence(end_sentence(context.say("told_started"))))


def _find_pencil(reply: ReplyMail) -> MovePencilled | None:
    """What was pencilled of the reader's letter; None if nothing was."""
    drafts = (draft.payload for _, decision in reply.outcomes for draft in decision.drafts)
    return next((payload for payload in drafts if isinstance(payload, MovePencilled)), None)


def _erases(decision: Decision) -> bool:
    """Whether a move that waited will not be played."""
    return any(isinstance(draft.payload, PencilErased) for draft in decision.drafts)


def _pencilled(context: MailContext, reply: ReplyMail) -> Iterator[Block]:
    """A move that is read back: when it is played, what was not clear, and the two answers. Short, as it is urgent."""
    pencil = _find_pencil(reply)
    if pencil is None:
        return
    there = context.local(datetime.fromisoformat(pencil.until))
    if there.date() == context.today:
        is_utc = context.envelope.to.zone == UTC_ZONE
        yield Paragraph(context.say("pencil_today", f"{there:%H:%M}", is_utc), LEAD)
    else:
        yield Paragraph(context.say("pencil_later", context.say_moment(there)), LEAD)
    yield status_blocks.pencil_links(context)
    for command, _ in reply.outcomes:
        if isinstance(command, PencilMove) and command.beside:
            yield Paragraph(context.say("pencil_beside", show_name(command.beside, longest=LONGEST)))
    for command, decision in _without_repeated_lists(reply):
        yield from () if isinstance(command, PencilMove) else _outcome(context, decision)
    yield from write_settings(context, (decision for _, decision in reply.outcomes))
    yield from _ignored(context, reply)
    yield from board_blocks.small_links(context)


def _say_question(context: MailContext, question: Question) -> str:
    """The one question of a mail: which of some readings is meant, or what stands in the way of one."""
    if _readings(context, question):
        return context.say(
            "head_meant", join_words(list(map(context.order, question.suggests)), context.sentences, "or")
        )
    return begin_sentence(context.refuse(question)[0])


def _readings(context: MailContext, question: Question) -> list[str]:
    """What the letter may mean, as it can be sent."""
    is_playing = context.table.stage == PLAYING
    return list(map(context.sentences.to_send, question.suggests)) if is_playing else []


def _is_refused(decision: Decision) -> bool:
    if decision.refused is not None:
        return True
    return decision.ruling is not None and not decision.ruling.is_legal and not decision.answers


def _reply(context: MailContext, reply: ReplyMail, kind: MailKind, headline: str) -> Iterator[Block]:
    begins = _asks_about_the_table(reply)
    if begins:
        yield from status_blocks.requested_status(context)
    if reply.parsed.question is not None:
        yield from _ask_back(context, reply.parsed.question, reply)
    for _, decision in _without_repeated_lists(reply):
        yield from _outcome(context, decision, headline)
    if reply.after:
        yield from status_blocks.what_happened(context, reply.after, "title_after")
    yield from () if _shows_table(reply) else status_blocks.how_to_accept(context)
    if reply.resumed is not None and reply.resumed.ruling is not None:
        yield from write_rest(context, reply.resumed.ruling)
    yield from write_settings(context, (decision for _, decision in reply.outcomes))
    yield from _unread(context, reply)
    if kind in ("refusal", "question"):
        yield from _still_open(context, reply)
    elif _shows_table(reply):
        is_own = kind == "receipt" and context.choices is not None  # the headline says that the turn goes on
        yield from () if begins else status_blocks.timing(context) if is_own else status_blocks.table_status(context)
        yield from questions(context)
        if not _shows_board(reply):
            yield from board_blocks.at_hand(context, brief=True)
            yield from board_blocks.points_in_a_line(context)
        elif preview_board(context, reply.outcomes) is None:
            yield from board_blocks.picture(context, mine=True)
            yield from board_blocks.at_hand(context, pictured=True)
            yield from board_blocks.whole_board(context)
    yield from _ignored(context, reply)
    if not _shows_board(reply) and not _asks_for_rules(reply):
        yield from board_blocks.small_links(context)


def _asks_for_rules(reply: ReplyMail) -> bool:
    """Whether the answer is the page of rules alone, which is long and about no position."""
    return [answer.kind for _, decision in reply.outcomes for answer in decision.answers] == ["rules"]


def _still_open(context: MailContext, reply: ReplyMail) -> Iterator[Block]:
    """That nothing was played, until when it is still the reader's turn, and the rule, as words and as answers to tap.

    A refusal has no picture: the board did not change, and the last mail about the turn shows it.
    """
    question, decisions = reply.parsed.question, [decision for _, decision in reply.outcomes]
    rules = [question.rule] if question is not None else list(dict.fromkeys(filter(None, map(_broken_rule, decisions))))
    moves_refused = any(decision.ruling is not None and decision.refused is None for decision in decisions)
    nothing = not any(decision.drafts for decision in decisions) and (question is not None or moves_refused)
    said = [context.say("nothing_changed")] if nothing else []
    still = status_blocks.say_still_open(context)
    if still:
        yield Paragraph(" ".join([*said, still, cite(context, rules)]).rstrip())
    else:
        yield from [Paragraph(each) for each in said]
        yield from status_blocks.table_status(context)
        yield from [Paragraph(cite(context, rules), SOFT)] if rules else []
    yield from questions(context)
    yield from board_blocks.private(context)
    readings = _readings(context, question) if question is not None else []
    if (
        len(readings) == 1
        and still
        and not status_blocks.open_votes(context)
        and context.seat not in status_blocks.asked_seats(context)
    ):
        yield Paragraph(context.say("reply_yes"))
    links = [board_blocks.link_to_play(context, each) for each in question.suggests] if question and readings else []
    if still:
        links.append(context.link(context.say("link_neither" if readings else "link_own"), ""))
        hints = [context.hint] if context.hint else []
        links += [board_blocks.link_to_play(context, hint) for hint in hints]
    yield from [Links(tuple(links))] if links else []
    yield from [Links(link_rules(context, rules), button=False)] if rules else []


def _broken_rule(decision: Decision) -> Rule | None:
    """The rule by which something was refused."""
    broken = decision.refused or (decision.ruling.verdict if decision.ruling is not None else None)
    fault = decision.ruling.fault if decision.ruling is not None else None
    return broken.rule if broken is not None else fault.rule if fault is not None else None


def _without_repeated_lists(reply: ReplyMail) -> Iterator[tuple[Command, Decision]]:
    """The decisions about the commands; of several that list the same things, only the last lists them."""
    last = {
        answer.kind: at
        for at, (_, decision) in enumerate(reply.outcomes)
        for answer in decision.answers
        if answer.kind in LISTS
    }
    for at, (command, decision) in enumerate(reply.outcomes):
        kept = tuple(answer for answer in decision.answers if last.get(answer.kind, at) == at)
        yield command, replace(decision, answers=kept)


def _shows_table(reply: ReplyMail) -> bool:
    """Whether the state of the table is shown: always, unless only questions beside the table were asked."""
    return not _only_asks(reply) or not _asked(reply) <= BESIDE_THE_TABLE


def _shows_board(reply: ReplyMail) -> bool:
    """Whether the board is shown: if it was asked for, as it is or as it would be."""
    refused = any(decision.ruling is not None and not decision.ruling.is_legal for _, decision in reply.outcomes)
    return "board" in _asked(reply) or ("preview" in _asked(reply) and not refused)


def _only_asks(reply: ReplyMail) -> bool:
    """Whether a letter only asks questions, and nothing happened at the table."""
    return bool(reply.outcomes) and not reply.after and all(decision.answers for _, decision in reply.outcomes)


def _asked(reply: ReplyMail) -> set[str]:
    return {answer.kind for _, decision in reply.outcomes for answer in decision.answers}


def _asks_one_thing(reply: ReplyMail) -> bool:
    """Whether a letter asks one thing; several settings count as one."""
    return len(reply.outcomes) == 1 or _asked(reply) == {"settings"}


def _asks_about_the_table(reply: ReplyMail) -> bool:
    return _only_asks(reply) and bool(_asked(reply) & ABOUT_THE_TABLE)


def _ask_back(context: MailContext, question: Question, reply: ReplyMail) -> Iterator[Block]:
    """Why we ask: what the headline does not say, and the lines that could not be read."""
    point, rest = context.refuse(question)
    has_readings = bool(_readings(context, question))
    asked = [unread for unread in reply.parsed.unread if unread.question is not None]
    if has_readings and question.rule == letter_rules.L1:  # the headline says how we read it
        yield Lines(
            tuple(context.say("refused_move", show_name(unread.text, longest=LONGEST)) for unread in asked[:MOST])
        )
        return
    if has_readings:
        yield Paragraph(begin_sentence(end_sentence(point)))
    if rest:
        yield Paragraph(rest)
    if question.rule == letter_rules.L4:
        yield Paragraph(context.say("rule_all", context.sentences.order(context.command("rules"))))
        yield from how_to_write(context) if status_blocks.may_choose(context) else ()
    if question.rule in (letter_rules.L10, letter_rules.L11) and not has_readings:
        yield from why_not(context, str(question.facts.get("order", "")))
    for unread in asked[:MOST] if not (rest and question.rule == letter_rules.L1) else ():  # `rest` quotes it
        yield from write_fault(context, unread.fault, unread.text)


def _outcome(context: MailContext, decision: Decision, headline: str = "") -> Iterator[Block]:
    """The decision about one command."""
    if decision.refused is not None:
        yield from write_refused(context, decision.refused, headline)
    if decision.ruling is not None and not decision.answers:
        yield from write_ruling(context, decision.ruling)
    if decision.plan is not None:
        phrases = "; ".join(map(context.order, decision.plan))
        yield Paragraph(
            context.say("done_plan", len(decision.plan), phrases) if phrases else context.say("done_no_plan")
        )
    if _erases(decision):
        waited = context.table.pencils.get(context.seat)
        yield from (() if waited is None else [Paragraph(context.say("done_erased", context.order(waited.text)))])
    if decision.said is not None:
        to = decision.said.to
        everybody, referee = (context.say(each) for each in ("everybody", "referee"))
        named = {ALL: everybody, REFEREE: referee}.get(to) or context.describer.who(to)
        yield Paragraph(context.say("done_press", named))
    yield from _happened(context, decision, headline)
    if any(isinstance(draft.payload, SeatOffered) for draft in decision.drafts):
        yield Paragraph(context.say("seat_offered"))
        yield Links((context.link(context.say("link_stay"), context.command("substitute none")),))
    for answer in decision.answers:
        yield from write_answer(context, answer, decision)
    if any(isinstance(draft.payload, VoteAsked) and draft.payload.what == UNDO for draft in decision.drafts):
        yield from explain_request(context)
    ruling = decision.ruling
    # A player who only answered in somebody else's turn cannot take that turn back.
    if decision.drafts and ruling is not None and not ruling.answers and context.table.stage == PLAYING:
        yield from how_to_undo(context, ruling.turn)


def _happened(context: MailContext, decision: Decision, headline: str) -> Iterator[Block]:
    """The events of a command, as the other players will read them; not the order that the headline says."""
    events = [
        Event(context.table.id, at, draft.payload, "", "", "", draft.sealed, maker=draft.maker)
        for at, draft in enumerate(decision.drafts)
        if decision.said is None or not isinstance(draft.payload, PressSent)
    ]
    lines = status_blocks.news(context, events)
    order = context.order(decision.ruling.phrase) if decision.ruling is not None else ""
    if lines and headline in (context.say("head_receipt", order), context.say("head_unfinished", order)):
        played = context.say("told_turn", context.describer.name(context.seat), order)
        lines[0] = lines[0].removeprefix(played).removeprefix(".").lstrip()
    if shown := [line for line in lines if line]:
        yield Lines(tuple(shown))


def _unread(context: MailContext, reply: ReplyMail) -> Iterator[Block]:
    """Lines that were passed over, and the rules that say why."""
    lines = [unread for unread in reply.parsed.unread if unread.question is None]
    if lines:
        yield Heading(context.say("title_unread"))
        yield Lines(tuple(show_name(unread.text, longest=LONGEST) for unread in lines[:MOST]))
        reasons = dict.fromkeys(unread.why for unread in lines[:MOST])
        yield Paragraph(" ".join(context.sentences.gettext(rule.text) for rule in reasons), SOFT)


def _ignored(context: MailContext, reply: ReplyMail) -> Iterator[Block]:
    """What was not read, because the letter is too long or because it was taken for a quotation or a signature.

    The line by which a mail program introduces the quotation names the post. It stands in every answer and is left out.
    """
    if reply.cut_short:
        yield Paragraph(context.say("cut_short"))
    _, at, domain = context.envelope.reply_to.partition("@")
    cut = [line for line in reply.cut if at + domain not in line]
    if cut:
        yield Heading(context.say("title_ignored"))
        yield Lines(tuple(show_name(line, longest=LONGEST) for line in cut[:MOST]))
