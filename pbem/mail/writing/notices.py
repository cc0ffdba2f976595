"""Mails about mail: letters that changed nothing, doubtful letters, words passed on, notices."""
from collections.abc import Iterator
from typing import Final

from pbem.mail.writing import passages
from pbem.mail.writing.blocks import Block, Lines, Links, Paragraph
from pbem.mail.writing.occasions import (
    DoubtMail,
    NoticeMail,
    UnchangedMail,
    WordsMail,
)
from pbem.mail.writing.page import MailWriter, Page
from pbem.mail.writing.passages import questions
from pbem.render.players import show_name
from pbem.tables.decision import ALL
from pbem.tables.table import PLAYING

LATE: Final = "late"
"""The notice that a time has run out."""
LONGEST: Final = 2_000
"""Characters of one line of somebody's words; programs that write paragraphs as one line are common."""


def show_lines(words: str) -> tuple[str, ...]:
    """Somebody's words, line by line, with a visible sign for every character that must not pass."""
    return tuple(show_name(line, longest=LONGEST) for line in words.strip().splitlines())


def write_words(pen: MailWriter, words: WordsMail) -> Page:
    """Somebody's words for the reader."""
    said = words.said
    who = pen.teller.who(said.by)
    headline = pen.say("head_press_all" if said.to == ALL else "head_press", who)
    return Page("press", headline, tuple(_words(pen, words)))


def _words(pen: MailWriter, words: WordsMail) -> Iterator[Block]:
    said = words.said
    yield Lines(show_lines(said.words))
    to = ALL if said.to == ALL else said.by
    if pen.envelope.takes_answers and to in (ALL, *pen.table.seats):
        yield Links((pen.link(pen.say("link_say"), f"press to {to}: "),))
    yield from passages.standing(pen)


def write_stands(pen: MailWriter, stands: UnchangedMail) -> Page:
    """A letter changed nothing; this is how the table stands."""
    return Page("stands", pen.say("head_stands"), tuple(_stands(pen, stands)), answers=True, board=pen.board)


def _stands(pen: MailWriter, stands: UnchangedMail) -> Iterator[Block]:
    yield Paragraph(pen.say("stands_because", stands.reason))
    yield from passages.standing(pen)
    if pen.seat not in pen.table.seats:
        return  # who only watches has nothing to choose
    yield from passages.picture(pen)
    yield from passages.at_hand(pen)
    yield from questions(pen)
    yield from passages.whole_board(pen)


def write_doubt(pen: MailWriter, doubt: DoubtMail) -> Page:
    """A letter that may not be the reader's."""
    return Page("doubt", pen.say("head_doubt"), tuple(_doubt(pen, doubt)), answers=True)


def _doubt(pen: MailWriter, doubt: DoubtMail) -> Iterator[Block]:
    yield Paragraph(pen.say("doubt_because", doubt.reason))
    if doubt.words.strip():
        yield Paragraph(pen.say("doubt_said"))
        yield Lines(show_lines(doubt.words))
    yield Paragraph(pen.say("doubt_confirm"))
    if doubt.words.strip():
        yield Links((pen.link(pen.say("link_confirm"), doubt.words.strip()),))
    yield from passages.standing(pen)


def write_notice(pen: MailWriter, notice: NoticeMail) -> Page:
    """Something that the referee or a player has to know."""
    is_player = pen.seat in pen.table.seats
    said = say_notice(pen, notice)
    said = said[:1].upper() + said[1:]
    blocks: list[Block] = [Paragraph(said), *passages.standing(pen)]
    if is_player:
        blocks += [*passages.picture(pen), *passages.at_hand(pen), *passages.whole_board(pen)]
    if is_player and pen.table.stage == PLAYING:
        blocks += passages.small_links(pen)
    headline = _notice_headline(pen, notice)
    return Page("notice", headline, tuple(blocks), board=pen.board if is_player else None)


def _notice_headline(pen: MailWriter, notice: NoticeMail) -> str:
    if notice.kind == LATE and notice.data.get("seat") == pen.seat:
        return pen.say("head_late")
    return pen.say("head_notice", notice.kind) or pen.say("head_news")


def say_notice(pen: MailWriter, notice: NoticeMail) -> str:
    """A notice in a sentence."""
    seat = str(notice.data.get("seat", ""))
    if notice.kind == LATE and seat == pen.seat:
        return pen.say("notice_late")
    about = show_name(str(notice.data.get("about") or notice.data.get("text", "")), longest=200)
    return pen.say("notice", notice.kind, pen.teller.who(seat) if seat else "", pen.table.id, about)
