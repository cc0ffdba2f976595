"""Mails about mail: letters that changed nothing, doubtful letters, words passed on, notices."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pbem.clock.alarms import LATE
from pbem.mail.writing import board_blocks, status_blocks
from pbem.mail.writing.blocks import SOFT, Block, Lines, Links, Paragraph, Preformatted
from pbem.mail.writing.occasions import (
    DoubtMail,
    NoticeMail,
    ReportMail,
    UnchangedMail,
    WordsMail,
)
from pbem.mail.writing.page import MailContext, Page
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.mail.writing.status_blocks import questions
from pbem.render.players import show_name
from pbem.tables.decision import ALL
from pbem.tables.table import PLAYING

LONGEST: Final = 2_000
"""Characters that are shown of one line of somebody's words; many programs write a paragraph as one line."""

_APPEALED: Final = re.compile(r"case (\d+), turn (\d+): (.*)", re.DOTALL)
"""What a notice of an appeal is about."""


def show_lines(words: str) -> tuple[str, ...]:
    """Somebody's words, line by line, with a visible sign for every unsafe character."""
    return tuple(show_name(line, longest=LONGEST) for line in words.strip().splitlines())


def write_words(context: MailContext, words: WordsMail) -> Page:
    """Somebody's words for the reader."""
    said = words.said
    who = context.describer.who(said.by)
    headline = context.say("head_press_all" if said.to == ALL else "head_press", who)
    return Page("press", headline, tuple(_words(context, words)))


def _words(context: MailContext, words: WordsMail) -> Iterator[Block]:
    said = words.said
    yield Lines(show_lines(said.words))
    to = ALL if said.to == ALL else said.by
    if context.envelope.takes_answers and said.by in context.table.seats:
        named = status_blocks.name_to_type(context, said.by)
        report, mute = context.say("do_report", named, words.number), context.say("do_mute", named)
        yield Links(
            (
                context.link(context.say("link_say"), f"{_address_words(context, to)} "),
                context.link(context.say("link_report"), report),
                context.link(context.say("link_mute", context.describer.name(said.by)), mute),
            )
        )
        orders = (report, "order_report"), (mute, "order_mute")
        yield Lines(tuple(status_blocks.say_order(context, order, effect) for order, effect in orders))
    yield from status_blocks.table_status(context)


def _address_words(context: MailContext, to: str) -> str:
    """The beginning of an answer to somebody's words: to everybody, or to a player by name if we know it again."""
    if to == ALL:
        return context.command("press to all:")
    is_known = context.table.stage == PLAYING and to in context.describer.turns.names_in_moves
    return context.say("press_to", context.table.name(to).split()[0] if is_known else context.sentences.seat(to))


def write_report(context: MailContext, told: ReportMail) -> Page:
    """A player's report about words, for the referee."""
    by, heard = context.describer.name(told.report.by), told.report.heard
    return Page(
        "notice", context.say("head_report", by, context.describer.name(heard.by)), tuple(_report(context, told))
    )


def _report(context: MailContext, told: ReportMail) -> Iterator[Block]:
    report, heard, name = told.report, told.report.heard, context.describer.name
    to = "" if heard.to == ALL else name(heard.to)
    yield Paragraph(context.say("report_said", name(heard.by), to, context.say_moment(heard.at), heard.number))
    yield Lines(show_lines(told.words)) if told.words else Paragraph(context.say("report_lost"))
    if report.note:
        yield Paragraph(context.say("report_note", name(report.by)))
        yield Lines(show_lines(report.note))
    if context.envelope.case < 0:
        yield Paragraph(context.say("report_how"))
        yield Preformatted(
            (
                f"pbem case open {context.table.id} --reason WHY",
                f"pbem case rule {context.table.id} CASE substitute --seat {heard.by}=NAME:ADDRESS --reason WHY",
                f"pbem case close {context.table.id} CASE",
            )
        )
        return
    court = find_post_sentences(context.sentences.locale.code)
    yield Links((context.link(court.say("button_open_case"), f"{court.order('open case')}: "),))
    yield Paragraph(court.say("report_how_by_mail"))
    yield Paragraph(court.say("how_to_rule"), SOFT)


def write_unchanged(context: MailContext, stands: UnchangedMail) -> Page:
    """A letter changed nothing, so the reader gets the state of the table."""
    return Page("stands", context.say("head_stands"), tuple(_stands(context, stands)), answers=True)


def _stands(context: MailContext, stands: UnchangedMail) -> Iterator[Block]:
    yield Paragraph(context.say("stands_because", stands.reason))
    if stands.waiting is not None:
        lines = [_say_waiting(context, table, until) for table, until in stands.waiting]
        yield Lines(tuple(lines)) if lines else Paragraph(context.say("none_waits"))
    yield from status_blocks.table_status(context)
    if context.seat not in context.table.seats:
        return  # who only watches has nothing to choose
    yield from board_blocks.at_hand(context)
    yield from questions(context)
    yield from board_blocks.small_links(context)


def _say_waiting(context: MailContext, table: str, until: datetime | None) -> str:
    """A table that waits for the reader."""
    if until is None:
        return context.say("waits_for_you", table)
    return context.say("waits_until", table, context.say_moment(until))


def write_doubt(context: MailContext, doubt: DoubtMail) -> Page:
    """A letter that may not be the reader's."""
    return Page("doubt", context.say("head_doubt"), tuple(_doubt(context, doubt)), answers=True)


def _doubt(context: MailContext, doubt: DoubtMail) -> Iterator[Block]:
    yield Paragraph(context.say("doubt_because", doubt.reason))
    yield Paragraph(context.say("doubt_confirm"))
    yield from status_blocks.table_status(context)


def write_notice(context: MailContext, notice: NoticeMail) -> Page:
    """Something that the referee or a player has to know."""
    is_player = context.seat in context.table.seats
    said = say_notice(context, notice)
    said = said[:1].upper() + said[1:]
    happened = status_blocks.what_happened(context, notice.since, "title_happened")
    blocks: list[Block] = [Paragraph(said), *_case_buttons(context), *happened, *status_blocks.table_status(context)]
    if is_player:
        blocks += [
            *board_blocks.at_hand(context),
            *board_blocks.points_in_a_line(context),
            *board_blocks.small_links(context),
        ]
    return Page("notice", _notice_headline(context, notice), tuple(blocks))


def _case_buttons(context: MailContext) -> Iterator[Block]:
    """What a referee can do about a case by answering."""
    case, court = context.envelope.case, find_post_sentences(context.sentences.locale.code)
    if case > 0:
        show, dismiss = f"{court.order('show case')} {case}", f"{court.order('dismiss')}: "
        buttons = (court.say("button_show_case"), show), (court.say("button_dismiss"), dismiss)
        yield Links(tuple(context.link(*button) for button in buttons))
        yield Paragraph(court.say("how_to_rule"), SOFT)


def _notice_headline(context: MailContext, notice: NoticeMail) -> str:
    if notice.kind == LATE and notice.seat == context.seat:
        return context.say("head_late")
    return context.say("head_notice", notice.kind) or context.say("head_news")


def say_notice(context: MailContext, notice: NoticeMail) -> str:
    """A notice in a sentence."""
    seat = notice.seat
    if notice.kind == LATE and seat == context.seat:
        return context.say("notice_late")
    who = context.describer.who(seat) if seat else ""
    if notice.kind == "appeal" and (told := _APPEALED.fullmatch(notice.about)):
        case, turn, words = told.groups()
        return context.say("notice_appeal", who, context.table.id, turn, case, show_name(words, longest=200))
    is_move = notice.kind in ("played for", "pencil dropped")
    about = context.order(notice.about) if is_move else show_name(notice.about, longest=200)
    return context.say("notice", notice.kind, who, context.table.id, about)
