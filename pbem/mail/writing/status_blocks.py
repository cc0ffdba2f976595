"""Blocks about the state of the table that many mails share: whose turn it is, deadlines, events, requests.

Each function gives the blocks for one thing, or none if there is nothing to say.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from engine.game import CHANCE, Seat
from notation import AGREED, RESUME, Fault, Standing, read_result
from pbem.clock.calendar import Absence, Calendar, add_time
from pbem.clock.time_control import add_durations, control_from_terms
from pbem.events.chain import Event
from pbem.events.kinds import GamePaused, VoteAsked
from pbem.events.record_conversion import find_winners
from pbem.judging.submission import is_offered
from pbem.mail.writing.blocks import (
    LEAD,
    Block,
    Heading,
    Lines,
    Links,
    Paragraph,
)
from pbem.mail.writing.event_descriptions import say_reason
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.sentences import join_words, say_length
from pbem.mail.writing.terms import say_subject
from pbem.tables.absences import announced_days, vacancy
from pbem.tables.table import CALLED_OFF, INVITING, OVER, PLAYING, VOTED, Vote, is_case
from pbem.tables.terms import is_change, subject_of
from pbem.tables.votes import quorum

DAY: Final = timedelta(days=1)
"""Below this, a deadline also says how long it is from now."""


def table_status(context: MailContext) -> Iterator[Block]:
    """Whose turn it is and until when, or why nobody is to move."""
    table = context.table
    if table.stage == INVITING:
        yield awaited_answers(context)
        yield from how_to_accept(context)
    elif table.stage == CALLED_OFF:
        yield Paragraph(context.say("called_off"))
    else:
        yield Paragraph(whose_turn(context))
        yield from timing(context)


def say_order(context: MailContext, order: str, effect: str) -> str:
    """An order that can be sent, and what comes of it; `effect` is the name of that sentence."""
    return context.say("help_order", context.sentences.order(order), context.say(effect))


def name_to_type(context: MailContext, seat: Seat) -> str:
    """A player as one may write them in an order: by name, if that can be read, else by colour."""
    return context.describer.turns.names_in_moves.get(seat) or context.sentences.seat(seat)


def requested_status(context: MailContext) -> Iterator[Block]:
    """The same below a heading, for a reader who asked for it."""
    if context.board is None:
        yield from table_status(context)
    else:
        yield Heading(whose_turn(context).removesuffix("."))
        yield from timing(context)


def whose_turn(context: MailContext) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    table = context.table
    if table.stage == OVER:
        return context.say("over", say_result(context))
    if context.due == (CHANCE,):
        return context.say("waiting_for_chance")
    asked = asked_seats(context)
    plays = context.seat in table.active
    if plays and context.seat in asked:
        return context.say("your_answer", table.turn)
    if plays and context.seat in context.due:
        return context.say("your_turn", table.turn)
    vacant = [context.sentences.seat(seat) for seat in context.due if seat in table.resigned and seat not in asked]
    on_turn = [seat for seat in context.due if seat in table.active and seat not in asked]
    said = [context.say("their_turn", context.describer.names_of(on_turn), table.turn)] if on_turn else []
    said += [context.say("vacant_turn", seat, table.turn) for seat in vacant]
    if is_open := say_open_offer(context):
        return " ".join([*said, is_open])
    return " ".join([*said, context.say("their_answer", context.describer.names_of(asked))] if asked else said)


def say_still_open(context: MailContext) -> str:
    """That it is still the reader's turn, and until when; empty if it is not, or if there is more to say about time."""
    table, at = context.table, context.deadlines.get(context.seat)
    is_simple = table.stage == PLAYING and not table.pauses and table.pencil(context.seat) is None
    if not is_simple or context.choices is None or (at is not None and at <= context.envelope.date):
        return ""
    moment = context.say_moment(at) if at is not None else ""
    return context.say(
        "still_your_answer" if context.seat in asked_seats(context) else "still_your_turn", table.turn, moment
    )


def say_open_offer(context: MailContext) -> str:
    """Until when an offer to others is open, where offers have a short time; never whom it waits for."""
    table = context.table
    if not table.has_short_offers or table.stage != PLAYING:
        return ""
    asked = [seat for seat in asked_seats(context) if is_offered(table.game, table.position, seat)]
    ends = [context.deadlines[seat] for seat in asked if seat in context.deadlines]
    return context.say("open_until", context.say_moment(max(ends))) if ends and context.seat not in asked else ""


def asked_seats(context: MailContext) -> list[Seat]:
    """The seats that only have to answer something. A view can say under `on_turn` or `who` whose turn it is."""
    view = context.board.view if context.board is not None else {}
    on_turn = view.get("on_turn", view.get("who"))
    others = [seat for seat in context.due if seat not in (on_turn, CHANCE)]
    return others if on_turn in context.table.seats else []


def timing(context: MailContext, *, warns: bool = False) -> Iterator[Block]:
    """The reader's deadline, or why the clock stands; with `warns`, or too late, also what silence leads to."""
    if context.table.stage != PLAYING:
        return
    if context.table.pauses:
        reasons = [say_reason(each, context.sentences) for each in sorted(context.table.pauses)]
        yield Paragraph(context.say("stands_still", join_words(reasons, context.sentences)))
        if vacancy(context.seat) in context.table.pauses and context.seat in context.table.active:
            yield Paragraph(context.say("may_return"), LEAD)
        elif may_choose(context):
            yield Paragraph(context.say("may_play"))
        if may_resume(context):
            yield Paragraph(context.say("may_resume"))
    elif context.seat in context.deadlines:
        left = context.deadlines[context.seat] - context.envelope.date
        if warns and left > timedelta():
            wanted = context.say("act_by", context.act, context.say_moment(context.deadlines[context.seat]), "")
            yield Paragraph(f"{wanted} {_after_that(context)}", LEAD)
        else:
            yield Paragraph(_say_wanted(context, left), LEAD)
            yield from () if left > timedelta() else (Paragraph(_at_stake(context)),)
    elif context.choices is not None:
        yield Paragraph(say_open_offer(context) or context.say("act_without_clock", context.act), LEAD)
    yield from own_pencil(context)


def _say_wanted(context: MailContext, left: timedelta) -> str:
    """What the reader is asked to do, and until when."""
    moment = context.say_moment(context.deadlines[context.seat])
    if left <= timedelta():
        return context.say("act_was_due", context.act, moment)
    if context.table.has_short_offers and is_offered(context.table.game, context.table.position, context.seat):
        return context.say("offer_by", context.act, moment)
    return context.say("act_by", context.act, moment, say_length(left, context.sentences) if left < DAY else "")


def own_pencil(context: MailContext) -> Iterator[Block]:
    """The reader's own move that waits, and how to play it now or to stop it. Nobody else is told of it."""
    pencil = context.table.pencil(context.seat)
    if pencil is None:
        return
    moment = context.say_moment(add_durations(pencil.until, pencil.extended))
    yield Paragraph(context.say("pencil_waits", context.order(pencil.text), moment))
    yield pencil_links(context)


def pencil_links(context: MailContext) -> Block:
    """The two answers to a move that waits."""
    answers = (("link_play_now", "play it now"), ("link_stop", "stop"))
    return Links(tuple(context.link(context.say(label), context.command(body)) for label, body in answers), button=True)


def _after_that(context: MailContext) -> str:
    """What follows the deadline, and until when everybody waits first, as the reader's days count."""
    control, deadline = control_from_terms(context.table.terms), context.deadlines[context.seat]
    days = announced_days(context.table, context.seat, context.local(deadline).date())
    away = tuple(Absence(first, last) for first, last in days)
    calendar = Calendar(ZoneInfo(context.envelope.to.zone), away, control.resting, control.holidays)
    end = add_time(deadline, control.grace, calendar)
    same_day = context.local(end).date() == context.local(deadline).date()
    until = "" if not control.grace else f"{context.local(end):%H:%M}" if same_day else context.say_moment(end)
    if context.choices is not None and context.choices.default:
        return context.say("after_that_answer", until, context.sentences.order(context.choices.default))
    return context.say("after_that", control.silence, until)


def _at_stake(context: MailContext) -> str:
    """What silence leads to, and after how much grace."""
    control = control_from_terms(context.table.terms)
    grace = say_length(control.grace, context.sentences)
    if context.table.has_short_offers and is_offered(context.table.game, context.table.position, context.seat):
        return context.say("no_answer")
    if context.choices is not None and context.choices.default:
        return context.say("silence_answers", grace, context.sentences.order(context.choices.default))
    return context.say("silence", control.silence, grace)


def awaited_answers(context: MailContext) -> Block:
    """Who has not answered the invitation yet."""
    waiting = [seat for seat in context.table.seats if seat not in context.table.accepted]
    if not waiting:
        return Paragraph(context.say("waiting_for_chance"))
    return Paragraph(context.say("waiting_for", context.describer.all_of(waiting)))


def how_to_accept(context: MailContext) -> Iterator[Block]:
    """How the reader accepts or declines the invitation; nothing once it is accepted."""
    table = context.table
    if table.stage != INVITING or context.seat not in table.seats or context.seat in table.accepted:
        return
    yield Paragraph(context.say("take_seat"))
    answers = (("link_accept", "accept"), ("link_decline", "decline"))
    yield Links(tuple(context.link(context.say(label), context.command(body)) for label, body in answers), beside=True)


def say_outcome(context: MailContext) -> str:
    """Who won, in a few words: the headline of the last mail."""
    table = context.table
    if is_drawn(context):
        return context.say("head_draw")
    won = find_winners(table.seats, table.ending, table.score) if table.ending is not None else ()
    if won == (context.seat,):
        return context.say("head_you_won")
    if won and len(won) < len(table.seats):
        return context.say("head_won", context.describer.names_of(won))
    return context.say("head_over")


def say_standings(context: MailContext) -> str:
    """Who won and everybody's points, the best first: ``Boris won: 53, Chloe 41, you 39``."""
    outcome = say_outcome(context)
    standings = read_result(context.table.result)
    counted = [each for each in (() if isinstance(standings, Fault) else standings) if each.points is not None]
    ranked = sorted(counted, key=lambda each: (not each.won, -(each.points or 0)))
    shown = [context.say("counted", context.describer.name_or_you(each.seat), each.points) for each in ranked]
    if [each.won for each in ranked[:2]] == [True, False]:  # the name of the only winner is said already
        shown[0] = f"{ranked[0].points}"
    return context.say("subject_over", outcome.rstrip("!"), ", ".join(shown)) if shown else outcome


def say_result(context: MailContext) -> str:
    """The result of a finished game in words; in notation if it cannot be read."""
    table = context.table
    standings = read_result(table.result)
    if isinstance(standings, Fault) or not standings:
        return context.sentences.order(table.result)
    if is_drawn(context):
        shared = [_say_standing(context, each) for each in standings if each.won]
        others = [_say_standing(context, each) for each in standings if not each.won]
        return "; ".join([context.say("shared", join_words(shared, context.sentences)), *others])
    return ", ".join(
        context.say("winner", _say_standing(context, each)) if each.won else _say_standing(context, each)
        for each in standings
    )


def is_drawn(context: MailContext) -> bool:
    """Whether the players have agreed to share the game."""
    return context.table.ending is not None and context.table.ending.kind == AGREED


def _say_standing(context: MailContext, standing: Standing) -> str:
    seat = context.sentences.seat(standing.seat)
    return seat if standing.points is None else f"{seat} {standing.points}"


def news(context: MailContext, events: Iterable[Event]) -> list[str]:
    """One line for each event; the reason of a present pause is left out, because it stands beside the deadline."""
    pauses = context.table.pauses if context.table.stage == PLAYING else ()
    return context.describer.describe(
        event for event in events if not isinstance(event.payload, GamePaused) or event.payload.reason not in pauses
    )


def what_happened(
    context: MailContext, events: Iterable[Event], heading: str, *, headline: str = ""
) -> Iterator[Block]:
    """Events below a heading; nothing if there are none, or only the one that the headline says."""
    lines = news(context, events)
    if lines and lines != [headline]:
        title = context.say(heading) if heading else headline
        yield from () if title == headline else (Heading(title),)
        yield Lines(tuple(lines))


def may_choose(context: MailContext) -> bool:
    """Whether moves are offered: also in a pause, but not while the referee can still change the moves before."""
    return context.choices is not None and not any(map(is_case, context.table.pauses))


def may_resume(context: MailContext) -> bool:
    """Whether the reader can ask the others to end a pause; once somebody has asked, it is a question to answer."""
    table = context.table
    return VOTED in table.pauses and RESUME not in table.votes and context.seat in table.active


def questions(context: MailContext, headline: str = "") -> Iterator[Block]:
    """Requests that the reader has not answered, one of which may be the mail's headline; then the reader's own."""
    votes = open_votes(context)
    asked = [vote for vote in votes if vote.by != context.seat]
    if asked and [say_request(context, vote) for vote in asked] != [headline]:
        yield Heading(context.say("title_asked"))
    for vote in asked:
        request = say_request(context, vote)
        yield from () if request == headline else (Lines((request,)),)
        yield from _request(context, vote, len(asked) == 1)
    for vote in votes:
        if vote.by == context.seat:
            yield from _own_request(context, vote)


def open_votes(context: MailContext) -> list[Vote]:
    """The votes that concern the reader: the reader's own requests, and those not answered yet."""
    votes = context.table.votes.values() if context.seat in context.table.active else ()
    return [vote for vote in votes if vote.by == context.seat or context.seat not in vote.agreed | vote.against]


def unanswered_request(context: MailContext, events: Iterable[Event]) -> Vote | None:
    """The last request among some events that the reader is to answer; None if there is none."""
    asked = {event.payload.what for event in events if isinstance(event.payload, VoteAsked)}
    open_to = [vote for vote in open_votes(context) if vote.by != context.seat and vote.what in asked]
    return open_to[-1] if open_to else None


def say_request(context: MailContext, vote: Vote) -> str:
    """Who asks for what."""
    who = context.describer.name(vote.by)
    if is_change(vote.what):
        return context.say("told_asked_change", who, say_subject(vote.what, context.sentences))
    return context.say("told_asked", who, vote.what, vote.turn)


def _request(context: MailContext, vote: Vote, is_only: bool) -> Iterator[Block]:
    """How the reader answers a request; buttons say what about, unless it is the only one."""
    named = subject_of(vote.what)
    yield Paragraph(context.say("consent", named))
    about = "" if is_only else say_subject(vote.what, context.sentences)
    yield Links(
        (
            context.link(context.say("link_agree", about), context.command(f"agree {named}")),
            context.link(context.say("link_object", about), context.command(f"object {named}")),
        )
    )


def _own_request(context: MailContext, vote: Vote) -> Iterator[Block]:
    """What the reader has asked for, whom it waits for, and how to withdraw it; the reader is asked nothing."""
    silent = [seat for seat in context.table.active if seat not in vote.agreed | vote.against]
    missing = quorum(context.table, vote.what) - len(vote.agreed & {*context.table.active})
    who = context.describer.names_of(silent)
    waits = context.say("all_agree", who) if missing >= len(silent) else context.say("some_agree", missing, who)
    about, named = say_subject(vote.what, context.sentences), subject_of(vote.what)
    changes = is_change(vote.what)
    asked = context.say("you_asked_change", about) if changes else context.say("you_asked", vote.what, vote.turn)
    yield Paragraph(f"{asked} {waits} {context.say('take_request_back', named)}")
    withdraw = context.command(f"object {named}")
    yield Links((context.link(context.say("link_take_request_back", about), withdraw),), button=False)
