"""Mails before a game: who is invited to what, and on which terms."""

from collections.abc import Iterator
from datetime import timedelta

from pbem.clock.time_control import TimeControl, read_control
from pbem.mail.writing import passages
from pbem.mail.writing.blocks import Block, Heading, Lines, Paragraph
from pbem.mail.writing.describe import join_words
from pbem.mail.writing.moments import say_length
from pbem.mail.writing.occasions import Invitation
from pbem.mail.writing.page import Page, Pen
from pbem.tables.choosing import DEFAULT


def write_invitation(pen: Pen, invitation: Invitation) -> Page:
    """Somebody is invited."""
    title = pen.voice.gettext(pen.table.game.title)
    if invitation.by:
        headline = pen.say("head_invitation_by", pen.voice.name(invitation.by), title)
    else:
        headline = pen.say("head_invitation", title)
    return Page("invitation", headline, tuple(_invitation(pen)))


def _invitation(pen: Pen) -> Iterator[Block]:
    table = pen.table
    yield Paragraph(pen.say("seats_free", table.id, len(table.seats), pen.voice.seat(pen.seat)))
    yield from passages.invited(pen)
    yield Heading(pen.say("title_table"))
    yield Lines(tuple(_seat(pen, seat) for seat in table.seats))
    yield Paragraph(pen.say("begins"))
    yield Heading(pen.say("title_terms"))
    yield Lines(tuple(_terms(pen, read_control(table.terms))))


def _seat(pen: Pen, seat: str) -> str:
    return pen.say("seat_accepted" if seat in pen.table.accepted else "seat_asked", pen.teller.who(seat))


def _terms(pen: Pen, control: TimeControl) -> Iterator[str]:
    def length(span: timedelta) -> str:
        return say_length(span, pen.voice)

    if control.bank is None:
        yield pen.say("per_turn", length(control.per_turn))
    else:
        yield pen.say("bank", length(control.bank), length(control.increment), length(control.cap))
    if not control.weekends:
        yield pen.say("no_weekends")
    if control.reminders:
        moments = [pen.say("ahead", length(each)) for each in control.reminders]
        yield pen.say("reminders", join_words(moments, "both", pen.voice))
    yield pen.say("silence", control.silence, length(control.grace))
    if declared := pen.table.terms.get(DEFAULT):
        yield pen.say("silence_answers", length(control.grace), pen.voice.order(str(declared)))
    if control.absence:
        yield pen.say("absence", control.absence)
