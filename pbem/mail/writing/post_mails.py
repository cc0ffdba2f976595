"""Mails that are about no table: from the post to a person, or to somebody who has just written for the first time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from functools import lru_cache
from typing import Any, Final, Literal

from pbem.locale.catalogues import find_locale
from pbem.mail.format import LOOP_HEADER
from pbem.mail.writing.blocks import LEAD, SOFT, Block, Lines, Links, Paragraph, write_link
from pbem.mail.writing.layout import HTML, TEXT, find_renderer, render_blocks
from pbem.mail.writing.mime import (
    CRLF,
    Mail,
    ascii_field,
    attachment,
    check_mail,
    format_message_id,
    join_parts,
    join_pieces,
    mailbox_field,
    text_field,
    text_part,
    write_fields,
)
from pbem.mail.writing.occasions import Correspondent, Post
from pbem.mail.writing.page import Page, PostMailKind
from pbem.render import Locale, choose_template
from pbem.render.players import isolate, show_name

LOBBY: Final = "lobby"
"""What stands where other mails name a game."""


@dataclass(frozen=True, slots=True)
class PostEnvelope:
    """Whom a mail of the post goes to, and how it is answered."""

    to: Correspondent
    person: str
    """The person's id; empty if nobody is known at the address yet."""
    number: int
    """What names the mail among all mails to this reader."""
    reply_to: str
    date: datetime
    tag: str = ""
    """The ticket for the subject, where addresses cannot carry it."""
    thread: str = ""
    """The subject of the letter that it answers."""
    answers: str = ""
    """The Message-ID of that letter."""


class PostSentences:
    """The sentences of such mails in one language."""

    def __init__(self, locale: Locale) -> None:
        self.locale = locale
        self._templates: Any = choose_template("mails", "lobby.txt", locale).module
        self._court: Any = choose_template("mails", "court.txt", locale).module
        self._words: Any = choose_template("mails", "words.txt", locale).module
        """The sentences of mails about tables: what somebody wishes is said alike in both."""
        self.say: Callable[..., str] = lru_cache(maxsize=512)(self._say)
        """One of the sentences, by its name and its facts."""

    def _say(self, sentence: str, *facts: object) -> str:
        if self.locale.rtl:  # a table or a title in Latin letters would pull the number after it to its own side
            facts = tuple(isolate(fact, rtl=True) if isinstance(fact, str) and fact else fact for fact in facts)
        places = (self._templates, self._court, self._words)
        found = next(getattr(each, sentence) for each in places if hasattr(each, sentence))
        return " ".join(str(found(*facts)).split())

    def order(self, *words: str) -> str:
        """An order to the post as the reader would write it: its words translated, names and numbers as they are."""
        orders = self._templates.orders | self._court.orders
        return " ".join(str(orders.get(word, word)) for word in words)

    def gettext(self, words: str) -> str:
        """The translation of a text that stands in the code."""
        return self.locale.translations.gettext(words)


@lru_cache(maxsize=16)
def find_post_sentences(language: str) -> PostSentences:
    """The sentences in a language."""
    return PostSentences(find_locale(language))


@dataclass(frozen=True, slots=True)
class PostPage:
    """What such a mail says: the headline, a lead, answers to tap, lines of a list, and what matters less."""

    headline: str
    lead: str = ""
    buttons: tuple[tuple[str, str], ...] = ()
    """Labels, and the orders that they write."""
    lines: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    point: str = ""
    subject: str = ""
    """The subject, if the mail answers no letter."""
    kind: PostMailKind = "lobby"
    attached: tuple[str, str] | None = None
    """The name and the text of a file that goes with it."""

    ticket: tuple[Literal["yes", "court"], *tuple[str, ...]] | None = None
    """The act, or the table and the case, that an answer is about, if it is not about the person."""

    def blocks(self, reply_to: str, subject: str) -> tuple[Block, ...]:
        """The page as blocks."""
        links = tuple(write_link(label, reply_to, subject.removeprefix("Re: "), order) for label, order in self.buttons)
        found: list[Block] = [Paragraph(self.lead, LEAD)] if self.lead else []
        found += [Links(links)] if links else []
        found += [Lines(self.lines)] if self.lines else []
        return (*found, *(Paragraph(text, SOFT) for text in self.after))


def write_post_mail(post: Post, envelope: PostEnvelope, page: PostPage) -> Mail:
    """The mail, checked."""
    sentences = find_post_sentences(envelope.to.language)
    answered = f"Re: {envelope.thread.removeprefix('Re: ')}" if envelope.thread else ""
    subject = f"{page.subject or answered or page.headline} {envelope.tag}".rstrip()
    footer = (sentences.say("words_we_know"),) if envelope.person else ()
    whole = Page(page.kind, page.headline, page.blocks(envelope.reply_to, subject), page.point)
    text, html = (
        render_blocks(find_renderer(layout, sentences.locale), post.name, whole, footer) for layout in (TEXT, HTML)
    )
    name = format_message_id(post, LOBBY, envelope.person or envelope.to.address.lower(), envelope.number)
    body = text_part("plain", text)
    if not envelope.to.plain:
        body = join_parts("alternative", name[1:25], [body, text_part("html", html)])
    if page.attached is not None:
        file, content = page.attached
        body = join_parts("mixed", name[1:25], [body, attachment(content, name=file)])
    fields = [
        mailbox_field("From", post.name, post.address),
        mailbox_field("To", show_name(envelope.to.name), envelope.to.address),
        mailbox_field("Reply-To", "", envelope.reply_to),
        text_field("Subject", subject),
        ascii_field("Date", format_datetime(envelope.date)),
        ascii_field("Message-ID", name),
        *_threads(envelope),
        ascii_field("Auto-Submitted", "auto-replied" if envelope.answers else "auto-generated"),
        ascii_field("X-Auto-Response-Suppress", "All"),
        ascii_field(LOOP_HEADER, post.address),
        ascii_field("List-Unsubscribe", f"<{write_link('', envelope.reply_to, post.name, 'no more mail').address}>"),
        ascii_field("MIME-Version", "1.0"),
        *body.fields,
    ]
    pieces = (write_fields(fields) + CRLF, *body.pieces)
    check_mail(pieces, fields, body.limits)
    return Mail(envelope.to.address, page.kind, "", name, join_pieces(pieces), subject=subject)


def _threads(envelope: PostEnvelope) -> Sequence[Any]:
    if not envelope.answers:
        return ()
    return ascii_field("In-Reply-To", envelope.answers), ascii_field("References", envelope.answers)
