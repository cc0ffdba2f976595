"""The first and the last mail of a game: the invitation with its terms, and the result with every point."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.verdict import begin_sentence
from notation import NORMAL, write_record
from pbem.clock.time_control import TimeControl, control_from_terms
from pbem.events.kinds import GameEnded
from pbem.events.record_conversion import find_winners
from pbem.mail.writing import board_blocks, primers, status_blocks
from pbem.mail.writing.answers import BY_DAY, say_notify, say_setting
from pbem.mail.writing.blocks import LEAD, SOFT, Block, Heading, Lines, Links, Paragraph
from pbem.mail.writing.counted_answers import say_share
from pbem.mail.writing.layout import SHORT_HEAD
from pbem.mail.writing.occasions import Correspondent, GameOverMail, InvitationMail
from pbem.mail.writing.page import MailContext, Page
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.mail.writing.sentences import UTC_ZONE, say_length
from pbem.mail.writing.status_blocks import say_outcome, say_result, say_standings
from pbem.mail.writing.terms import say_pace, say_rest, say_times
from pbem.mail.writing.verdicts import record_changes
from pbem.tables.chance import DEFAULT
from pbem.tables.reliability import Counts
from pbem.tables.table import HINTS, NEVER

EXAMPLES: Final = ("Europe/Warsaw", "Europe/Lisbon")
"""Time zones in an example; not that which we take for the reader's."""


def write_invitation(context: MailContext, invitation: InvitationMail) -> Page:
    """The invitation to a game."""
    others = [seat for seat in context.table.seats if seat != context.seat]
    headline = context.say("head_invitation", context.title, context.describer.names_of(others))
    control = control_from_terms(context.table.terms)
    length = say_length(control.per_turn if control.bank is None else control.bank, context.sentences)
    point = context.say("point_invitation", len(context.table.seats), length)
    return Page("invitation", headline, tuple(_invitation(context, control, invitation.answers)), point=point)


def _invitation(context: MailContext, control: TimeControl, answers: Mapping[str, Counts]) -> Iterator[Block]:
    table = context.table
    seats = context.say("seats_free", len(table.seats), context.sentences.seat(context.seat))
    yield Paragraph(f"{seats} {say_pace(context.say, context.sentences.locale.code, control)}", LEAD)
    yield from status_blocks.how_to_accept(context)
    yield from primers.in_short(context)
    yield Heading(context.say("title_fewer"))
    # Behind a bar, because the orders in it must not be taken for the reader's where a program quotes without marks.
    is_usual = context.envelope.to.notices == "turn" and context.seat not in table.accepted
    often = say_setting(context, "notices", context.envelope.to.notices)
    yield Lines((f"{often} {context.say('how_often')}" if is_usual else often,))
    if is_usual:
        accept, wishes = context.command("accept"), (("link_accept_each", "each"), ("link_accept_daily", BY_DAY))
        yield Links(
            tuple(context.link(context.say(label), f"{accept}\n{say_notify(context, wish)}") for label, wish in wishes),
            filled=False,
        )
    yield Heading(context.say("title_terms"))
    yield Lines((*_terms(context, control), _zone(context)))
    yield Heading(context.say("title_table"))
    yield Lines(tuple(_seat(context, seat, answers.get(seat)) for seat in table.seats))
    promised = str(table.proof["seed"])[:SHORT_HEAD] if table.proof else ""
    yield Paragraph(context.say("begins", promised), SOFT)


def _zone(context: MailContext) -> str:
    """What we take for the reader's time zone, and how to tell us another."""
    reader = context.envelope.to
    if reader.zone != UTC_ZONE:
        return context.say("zone_known", reader.zone, EXAMPLES[reader.zone == EXAMPLES[0]])
    return context.say("zone_unknown") if reader.offset is None else context.say("zone_guessed", _say_offset(reader))


def _say_offset(reader: Correspondent) -> str:
    """``UTC+2``, ``UTC-3:30``."""
    hours, minutes = divmod(abs(reader.offset or 0), 60)
    return f"UTC{'-' if (reader.offset or 0) < 0 else '+'}{hours}{f':{minutes:02}' if minutes else ''}"


def _seat(context: MailContext, seat: str, answers: Counts | None) -> str:
    said = context.say("seat_accepted" if seat in context.table.accepted else "seat_asked", context.describer.who(seat))
    return said if answers is None else context.say("counted_seat", said, say_share(context.say, answers))


def _terms(context: MailContext, control: TimeControl) -> Iterator[str]:
    table, code = context.table, context.sentences.locale.code
    yield from say_times(context.say, code, control)
    if declared := table.terms.get(DEFAULT):
        grace = say_length(control.grace, context.sentences)
        yield context.say("silence_answers", grace, context.sentences.spoken(str(declared)))
    rules = {"pencils": table.is_second_form, "forced": table.plays_forced}
    yield from say_rest(context.say, code, control, table.game, **rules)
    if table.terms.get(HINTS) == NEVER:
        yield context.say("no_hints")


def write_game_over(context: MailContext, over: GameOverMail) -> Page:
    """The mail that the game has ended."""
    return Page(
        "game-over",
        say_outcome(context),
        tuple(_game_over(context, over)),
        point=say_standings(context),
        record=over.record or write_record(context.table.record),
        board=context.board,
    )


def _game_over(context: MailContext, over: GameOverMail) -> Iterator[Block]:
    is_normal = context.table.ending is not None and context.table.ending.kind == NORMAL
    yield from () if is_normal else (Paragraph(context.say("result", say_result(context)), LEAD),)
    if context.board is not None and is_normal:
        yield from (Paragraph(said) for said in context.sentences.list_if_any("ended", context.board.view))
    yield Lines(tuple(_every_point(context)))
    if context.seat in context.table.seats:
        post = find_post_sentences(context.sentences.locale.code)
        yield Links((context.link(post.say("button_rematch"), post.order("rematch")),))
    yield from board_blocks.picture(context)
    told = [event for event in over.since if not (is_normal and isinstance(event.payload, GameEnded))]
    yield from status_blocks.what_happened(
        context, told, "title_since" if context.seat in context.table.seats else "title_happened"
    )
    yield from record_changes(context, over.since)
    yield Paragraph(context.say("record_attached", f"{context.table.id}.turns"))
    yield from board_blocks.owners(context)


def _every_point(context: MailContext) -> Iterator[str]:
    """For each player the points by where they come from, so that everybody can check them; the winner first."""
    ending = context.table.ending
    won = find_winners(context.table.seats, ending, context.table.score) if ending is not None else ()
    for tally in sorted(context.table.score.tallies, key=lambda tally: (tally.seat not in won, -tally.total)):
        counted: dict[str, int] = {}
        for line in tally.lines:
            source = context.sentences.counted(line.source, line.facts)
            counted[source] = counted.get(source, 0) + line.points
        sources = ", ".join(context.say("counted", source, points) for source, points in counted.items() if points)
        who = begin_sentence(context.describer.name_or_you(tally.seat))
        yield context.say("scorer", who, tally.total, sources) if sources else f"{who} {tally.total}"
