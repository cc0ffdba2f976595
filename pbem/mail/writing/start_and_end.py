"""Mails before a game: who is invited to what, and on which terms.

The mail after a game: who won, and where every point came from.
"""

from collections.abc import Iterator
from datetime import timedelta

from engine.score import Line
from notation import write_record
from pbem.clock.time_control import TimeControl, read_control
from pbem.events.to_record import winners
from pbem.mail.writing import passages
from pbem.mail.writing.blocks import LEAD, Block, Heading, Lines, Paragraph
from pbem.mail.writing.describe import join_words, say_length
from pbem.mail.writing.occasions import GameOverMail, InvitationMail
from pbem.mail.writing.page import MailWriter, Page
from pbem.mail.writing.passages import is_drawn, say_result
from pbem.mail.writing.verdicts import amended
from pbem.tables.chance import DEFAULT


def write_invitation(pen: MailWriter, invitation: InvitationMail) -> Page:
    """Somebody is invited."""
    title = pen.voice.gettext(pen.table.game.title)
    if invitation.by:
        headline = pen.say("head_invitation_by", pen.voice.name(invitation.by), title)
    else:
        headline = pen.say("head_invitation", title)
    return Page("invitation", headline, tuple(_invitation(pen)))


def _invitation(pen: MailWriter) -> Iterator[Block]:
    table = pen.table
    yield Paragraph(pen.say("seats_free", table.id, len(table.seats), pen.voice.seat(pen.seat)))
    yield from passages.invited(pen)
    yield Heading(pen.say("title_table"))
    yield Lines(tuple(_seat(pen, seat) for seat in table.seats))
    yield Paragraph(pen.say("begins"))
    yield Heading(pen.say("title_terms"))
    yield Lines(tuple(_terms(pen, read_control(table.terms))))


def _seat(pen: MailWriter, seat: str) -> str:
    return pen.say("seat_accepted" if seat in pen.table.accepted else "seat_asked", pen.teller.who(seat))


def _terms(pen: MailWriter, control: TimeControl) -> Iterator[str]:
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


def write_game_over(pen: MailWriter, over: GameOverMail) -> Page:
    """The game has ended."""
    return Page(
        "game-over",
        _headline(pen),
        tuple(_game_over(pen, over)),
        record=over.record or write_record(pen.table.record),
        board=pen.board,
    )


def _headline(pen: MailWriter) -> str:
    table = pen.table
    if is_drawn(pen):
        return pen.say("head_draw")
    won = winners(table.seats, table.ending, table.score) if table.ending is not None else ()
    if won == (pen.seat,):
        return pen.say("head_you_won")
    if won and len(won) < len(table.seats):
        return pen.say("head_won", pen.teller.all_of(won))
    return pen.say("head_over")


def _game_over(pen: MailWriter, over: GameOverMail) -> Iterator[Block]:
    yield Paragraph(pen.say("result", say_result(pen)))
    yield from passages.told(pen, over.since, "title_since" if pen.seat in pen.table.seats else "title_happened")
    yield from amended(pen, over.since)
    yield from passages.picture(pen, over.since)
    yield from _every_point(pen)
    yield from passages.owners(pen)
    yield Paragraph(pen.say("record_attached", f"{pen.table.id}.turns"))
    if pen.seat in pen.table.seats:
        yield Paragraph(pen.say("thanks"))


def _every_point(pen: MailWriter) -> Iterator[Block]:
    """The score line by line, so that nobody has to count again."""
    yield Heading(pen.say("title_points"))
    for tally in pen.table.score.tallies:
        yield Paragraph(pen.say("scorer", pen.teller.who(tally.seat), tally.total), LEAD)
        yield Lines(tuple(_scored(pen, line) for line in tally.lines if line.points))


def _scored(pen: MailWriter, line: Line) -> str:
    source = pen.voice.source(line.source)
    if not line.says:
        return pen.say("scored_plainly", line.points, source)
    return pen.say("scored", line.points, source, pen.voice.translate(line.says, line.facts))
