"""Composes mails: an occasion becomes a page, the page a text part and an HTML part, and both one checked mail.

The rest of the project calls `Composer.compose`. `write_held` and `write_aside` are for games and letters that cannot
be looked at: there is no table to write from, so they need no more than the name of the game and the reader.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Final

from engine.game import Seat
from pbem.locale.catalogues import find_locale
from pbem.mail.format import GAME_HEADER, LOOP_HEADER, POINT_END, REPLY_MARK, format_list_id, shorten_point
from pbem.mail.writing import notices, occasions, replies, start_and_end, turn_mails
from pbem.mail.writing.blocks import Picture
from pbem.mail.writing.board_pictures import Pictures
from pbem.mail.writing.calendar_entries import calendar_part
from pbem.mail.writing.encoded_lines import CheckedLines, EncodedLines, fold
from pbem.mail.writing.gains import Gains
from pbem.mail.writing.layout import render_html, render_text
from pbem.mail.writing.mime import (
    CRLF,
    Mail,
    OutField,
    OutPart,
    ascii_field,
    attachment,
    check_mail,
    format_message_id,
    format_thread_id,
    join_parts,
    join_pieces,
    mailbox_field,
    text_field,
    text_part,
    write_fields,
)
from pbem.mail.writing.occasions import AsideReason, Correspondent, Envelope, Occasion, Post
from pbem.mail.writing.page import MailContext, Page
from pbem.mail.writing.proofs import add_proofs, proof_fields
from pbem.mail.writing.sentences import find_sentences, say_moment
from pbem.mail.writing.subjects import choose_subject
from pbem.render import Locale
from pbem.render.players import show_name
from pbem.tables.table import Table


def build_mail(
    post: Post,
    context: MailContext,
    page: Page,
    *,
    text: Sequence[EncodedLines],
    html: Sequence[EncodedLines],
    calendar: OutPart | None = None,
) -> Mail:
    """The mail with its header, checked. `html` is empty for readers who want text alone."""
    envelope, table = context.envelope, context.table
    name = format_message_id(post, table.id, envelope.seat, envelope.number)
    image = next((block.image for block in page.blocks if isinstance(block, Picture)), None) if html else None
    # The picture holds no words of players and is the same in many mails, so its bytes are not checked again.
    picture = CheckedLines(image.part if image is not None else b"")
    body = text_part("plain", text)
    token = name[1:25]
    if html:
        page_part = text_part("html", html)
        page_part = join_parts("related", token, [page_part, picture]) if picture.raw else page_part
        body = join_parts("alternative", token, [body, page_part])
    attached = [attachment(page.record, name=f"{table.id}.turns")] if page.record else []
    attached += [calendar] if calendar is not None else []
    if attached:
        body = join_parts("mixed", token, [body, *attached])
    fields = [*_fields(post, context, page, name), *body.fields]
    pieces = (write_fields(fields) + CRLF, *body.pieces)
    check_mail(pieces, fields, body.limits)
    at = pieces.index(picture) if picture.raw else len(pieces)
    before, after = join_pieces(pieces[:at]), join_pieces(pieces[at + 1 :])
    return Mail(envelope.to.address, page.kind, envelope.seat, name, before, picture.raw, after, context.subject)


def _fields(post: Post, context: MailContext, page: Page, name: str) -> list[OutField]:
    envelope, table = context.envelope, context.table
    root = format_thread_id(post, table.id, envelope.seat)
    return [
        mailbox_field("From", post.name, post.address),
        mailbox_field("To", show_name(envelope.to.name), envelope.to.address),
        mailbox_field("Reply-To", "", envelope.reply_to),
        text_field("Subject", context.subject),
        ascii_field("Date", format_datetime(envelope.date)),
        ascii_field("Message-ID", name),
        ascii_field("In-Reply-To", root),
        ascii_field("References", root),
        # RFC 3834: whether the mail answers a letter or was sent unasked.
        ascii_field("Auto-Submitted", "auto-replied" if page.answers else "auto-generated"),
        ascii_field("X-Auto-Response-Suppress", "All"),
        ascii_field(LOOP_HEADER, post.address),
        ascii_field(GAME_HEADER, format_list_id(table.id, post.domain)),
        *(
            ascii_field("List-Unsubscribe", f"<{context.link('', order).address}>")
            for order in _fewer_letters(envelope)
        ),
        *proof_fields(context),
        ascii_field("MIME-Version", "1.0"),
    ]


def _fewer_letters(envelope: Envelope) -> tuple[str, ...]:
    """The order by which the reader gets fewer mails, for a button of the mail program; none if there are no fewer."""
    if not envelope.takes_answers or envelope.to.notices.startswith("daily"):
        return ()
    return ("notify daily" if envelope.to.notices == "turn" else "notify turn",)


LARGEST: Final = 75_000
"""Bytes of a turn mail, with its picture and a calendar entry."""
NO_DEADLINES: Final[Mapping[Seat, datetime]] = {}
"""No deadlines."""


class Composer:
    """Writes the mails of one post. It caches pictures, so use one composer for as long as the post runs."""

    def __init__(self, post: Post, *, locales: Callable[[str], Locale] = find_locale) -> None:
        self.post = post
        self.pictures = Pictures(post.domain)
        self._gains = Gains()
        self._find_locale = locales

    def begin_at(self, table: Table) -> None:
        """Know a table that a snapshot has kept, so that mails about later turns need not replay what came before."""
        self._gains.begin_at(table)

    def compose(
        self, table: Table, envelope: Envelope, occasion: Occasion, deadlines: Mapping[Seat, datetime] = NO_DEADLINES
    ) -> Mail:
        """The mail to one reader on one occasion; `deadlines` are those of the seats that are due."""
        locale = self._find_locale(envelope.to.language)
        context = MailContext(
            table,
            envelope,
            sentences=find_sentences(locale, table.game.key),
            pictures=self.pictures,
            gains=self._gains,
            deadlines=deadlines,
        )
        context.subject = f"{choose_subject(context, occasion)} {envelope.tag}".rstrip()
        page = add_proofs(context, _PAGES[type(occasion)](context, occasion), occasion)
        mail = self._build(context, page)
        if envelope.calendar is not None and page.board is not None and len(mail.raw) > LARGEST:
            # The entry must not make a mail too large. The words above the drawing tell the same board.
            return self._build(context, replace(page, board=None))
        return mail

    def _build(self, context: MailContext, page: Page) -> Mail:
        html = [] if context.envelope.to.plain else render_html(context, page)
        text = render_text(context, page)
        return build_mail(self.post, context, page, text=text, html=html, calendar=self._calendar(context))

    def _calendar(self, context: MailContext) -> OutPart | None:
        """What changes the reader's calendar, if anything does."""
        change = context.envelope.calendar
        if change is None:
            return None
        summary = change.summary or choose_subject(context, occasions.TurnMail())
        return calendar_part(self.post, context.envelope.to, change, summary, context.envelope.date)


_PAGES: Final[Mapping[type, Callable[[MailContext, Any], Page]]] = {
    occasions.InvitationMail: start_and_end.write_invitation,
    occasions.TurnMail: turn_mails.write_turn,
    occasions.ReplyMail: replies.write_reply,
    occasions.NewsMail: turn_mails.write_news,
    occasions.DigestMail: turn_mails.write_digest,
    occasions.ReminderMail: turn_mails.write_reminder,
    occasions.GameOverMail: start_and_end.write_game_over,
    occasions.WordsMail: notices.write_words,
    occasions.ReportMail: notices.write_report,
    occasions.UnchangedMail: notices.write_unchanged,
    occasions.DoubtMail: notices.write_doubt,
    occasions.NoticeMail: notices.write_notice,
}


ANY_GAME: Final = "any-game"


def write_held(post: Post, reader: Correspondent, *, game: str, seat: str, number: int, date: datetime) -> Mail:
    """The mail that a game is held because its history is damaged; answers to it change nothing."""
    sentences = find_sentences(find_locale(reader.language), ANY_GAME)
    said = (sentences.say("head_held", game), sentences.say("held"))
    return _write_without_table(post, game, Envelope(seat, reader, number, "", date), said)


def write_aside(
    post: Post, game: str, envelope: Envelope, *, received: datetime, why: AsideReason, cause: str = ""
) -> Mail:
    """The mail that a letter came and was put aside; `cause` is the code of what made it unreadable."""
    sentences = find_sentences(find_locale(envelope.to.language), ANY_GAME)
    moment = say_moment(received, envelope.to.zone, sentences, envelope.date)
    said = [sentences.say("head_aside", game), sentences.say("aside", why, moment)]
    said += [sentences.say("aside_cause", cause), sentences.say("aside_next", why, cause)]
    return _write_without_table(post, game, envelope, [each for each in said if each])


def _write_without_table(post: Post, game: str, envelope: Envelope, said: Sequence[str]) -> Mail:
    """A plain mail that needs no table: its headline, and a paragraph for each sentence."""
    reader, seat = envelope.to, envelope.seat
    text = "\n\n".join((f"{shorten_point(said[0])} {POINT_END} {REPLY_MARK}", *said))
    body = text_part("plain", [EncodedLines(fold(f"{text}\n"))])
    name = format_message_id(post, game, seat, envelope.number)
    root = format_thread_id(post, game, seat)
    fields = [
        mailbox_field("From", post.name, post.address),
        mailbox_field("To", show_name(reader.name), reader.address),
        *([mailbox_field("Reply-To", "", envelope.reply_to)] if envelope.reply_to else []),
        text_field("Subject", f"[{game}] {said[0]}"),
        ascii_field("Date", format_datetime(envelope.date)),
        ascii_field("Message-ID", name),
        ascii_field("In-Reply-To", root),
        ascii_field("References", root),
        ascii_field("Auto-Submitted", "auto-generated"),
        ascii_field("X-Auto-Response-Suppress", "All"),
        ascii_field(LOOP_HEADER, post.address),
        ascii_field(GAME_HEADER, format_list_id(game, post.domain)),
        ascii_field("MIME-Version", "1.0"),
        *body.fields,
    ]
    pieces = (write_fields(fields) + CRLF, *body.pieces)
    check_mail(pieces, fields, body.limits)
    return Mail(reader.address, "notice", seat, name, join_pieces(pieces))
