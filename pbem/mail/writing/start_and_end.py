"""The first and the last mail of a game: the invitation with its terms, and the result with every point."""

from collections.abc import Iterator
from datetime import timedelta

from engine.score import Line
from notation import write_record
from pbem.clock.time_control import TimeControl, control_from_terms
from pbem.events.record_conversion import find_winners
from pbem.mail.writing import board_blocks, status_blocks
from pbem.mail.writing.blocks import LEAD, Block, Heading, Lines, Paragraph
from pbem.mail.writing.occasions import GameOverMail, InvitationMail
from pbem.mail.writing.page import MailContext, Page
from pbem.mail.writing.sentences import join_words, say_length
from pbem.mail.writing.status_blocks import is_drawn, say_result
from pbem.mail.writing.verdicts import record_changes
from pbem.tables.chance import DEFAULT


def write_invitation(context: MailContext, invitation: InvitationMail) -> Page:
    """The invitation to a game."""
    title = context.sentences.gettext(context.table.game.title)
    if invitation.by:
        headline = context.say("head_invitation_by", context.sentences.name(invitation.by), title)
    else:
        headline = context.say("head_invitation", title)
    return Page("invitation", headline, tuple(_invitation(context)))


def _invitation(context: MailContext) -> Iterator[Block]:
    table = context.table
    yield Paragraph(context.say("seats_free", table.id, len(table.seats), context.sentences.seat(context.seat)))
    yield from status_blocks.how_to_accept(context)
    yield Heading(context.say("title_table"))
    yield Lines(tuple(_seat(context, seat) for seat in table.seats))
    yield Paragraph(context.say("begins"))
    yield Heading(context.say("title_terms"))
    yield Lines(tuple(_terms(context, control_from_terms(table.terms))))


def _seat(context: MailContext, seat: str) -> str:
    return context.say("seat_accepted" if seat in context.table.accepted else "seat_asked", context.describer.who(seat))


def _terms(context: MailContext, control: TimeControl) -> Iterator[str]:
    def length(span: timedelta) -> str:
        return say_length(span, context.sentences)

    if control.bank is None:
        yield context.say("per_turn", length(control.per_turn))
    else:
        yield context.say("bank", length(control.bank), length(control.increment), length(control.cap))
    if not control.weekends:
        yield context.say("no_weekends")
    if control.reminders:
        moments = [context.say("ahead", length(each)) for each in control.reminders]
        yield context.say("reminders", join_words(moments, "both", context.sentences))
    yield context.say("silence", control.silence, length(control.grace))
    if declared := context.table.terms.get(DEFAULT):
        yield context.say("silence_answers", length(control.grace), context.sentences.spoken(str(declared)))
    if control.absence:
        yield context.say("absence", control.absence)


def write_game_over(context: MailContext, over: GameOverMail) -> Page:
    """The mail that the game has ended."""
    return Page(
        "game-over",
        _headline(context),
        tuple(_game_over(context, over)),
        record=over.record or write_record(context.table.record),
        board=context.board,
    )


def _headline(context: MailContext) -> str:
    table = context.table
    if is_drawn(context):
        return context.say("head_draw")
    won = find_winners(table.seats, table.ending, table.score) if table.ending is not None else ()
    if won == (context.seat,):
        return context.say("head_you_won")
    if won and len(won) < len(table.seats):
        return context.say("head_won", context.describer.all_of(won))
    return context.say("head_over")


def _game_over(context: MailContext, over: GameOverMail) -> Iterator[Block]:
    yield Paragraph(context.say("result", say_result(context)))
    yield from status_blocks.what_happened(
        context, over.since, "title_since" if context.seat in context.table.seats else "title_happened"
    )
    yield from record_changes(context, over.since)
    yield from board_blocks.picture(context)
    yield from _every_point(context)
    yield from board_blocks.owners(context)
    yield Paragraph(context.say("record_attached", f"{context.table.id}.turns"))
    if context.seat in context.table.seats:
        yield Paragraph(context.say("thanks"))


def _every_point(context: MailContext) -> Iterator[Block]:
    """The score line by line, so that players can check it."""
    yield Heading(context.say("title_points"))
    for tally in context.table.score.tallies:
        yield Paragraph(context.say("scorer", context.describer.who(tally.seat), tally.total), LEAD)
        yield Lines(tuple(_scored(context, line) for line in tally.lines if line.points))


def _scored(context: MailContext, line: Line) -> str:
    source = context.sentences.source(line.source)
    if not line.says:
        return context.say("scored_plainly", line.points, source)
    return context.say("scored", line.points, source, context.sentences.translate(line.says, line.facts))
