"""Mails about the course of a game: your turn, a reminder, what others did, a day's summary."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, TypeVar

from engine.game import CHANCE
from pbem.events.chain import Event, author_of_event
from pbem.events.kinds import (
    CaseAppealed,
    CaseClosed,
    CaseRuled,
    CaseWarranted,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    SeatResigned,
    SeatSubstituted,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    VoteObjected,
)
from pbem.events.payload import Payload
from pbem.mail.writing import board_blocks, primers, status_blocks
from pbem.mail.writing.blocks import Block, Paragraph
from pbem.mail.writing.occasions import DigestMail, NewsMail, ReminderMail, TurnMail
from pbem.mail.writing.page import MailContext, MailKind, Page
from pbem.mail.writing.replies import played_just_now
from pbem.mail.writing.sentences import say_length
from pbem.mail.writing.status_blocks import questions
from pbem.mail.writing.verdicts import record_changes, say_why, write_rest
from pbem.tables.table import CALLED_OFF

_Kind = TypeVar("_Kind", bound=Payload)
_CaseEvent: TypeAlias = CaseRuled | CaseClosed | CaseWarranted | CaseAppealed
_CASES: Final[Mapping[type[_CaseEvent], str]] = {
    CaseRuled: "head_ruled",
    CaseClosed: "head_closed",
    CaseWarranted: "head_warranted",
    CaseAppealed: "head_appealed",
}
"""The headlines about a case, the most important first."""
_HEADLINES: Final = (
    *(SeatSubstituted, SeatResigned, TurnUndone, VoteObjected, VoteDropped, TimeExtended, InvitationAccepted),
)
"""Events that make the headline by themselves, the most important first."""


def write_turn(context: MailContext, turn: TurnMail) -> Page:
    """It is the reader's turn."""
    kind = "head_answer_due" if context.seat in status_blocks.asked_seats(context) else "head_turn"
    offered = context.offer if context.seat in status_blocks.asked_seats(context) else ""
    headline = offered or context.say(kind, context.sentences.name(context.envelope.to.name))
    point = offered or _point(context)
    return Page("turn", headline, tuple(_turn(context, turn)), point=point, board=context.board)


def _point(context: MailContext) -> str:
    """What inboxes show of a turn mail: the turn and the deadline, or what is offered."""
    deadline = context.deadlines.get(context.seat)
    there = context.local(deadline) if deadline is not None else None
    moment = f"{context.say_day(there.date())} {there:%H:%M}" if there is not None else ""
    return context.say("point_turn", context.table.turn, moment)


def _turn(context: MailContext, turn: TurnMail, *, warns: bool = False) -> Iterator[Block]:
    yield from played_just_now(context, turn.reply)
    yield from status_blocks.timing(context, warns=warns)
    if turn.dropped is not None:
        yield Paragraph(context.say("plan_dropped", say_why(context, turn.dropped)))
    if turn.resumed is not None and turn.resumed.ruling is not None:
        yield from write_rest(context, turn.resumed.ruling)
    yield from board_blocks.picture(context)
    yield from board_blocks.at_hand(context, pictured=True)
    yield from board_blocks.resume_link(context)
    yield from primers.remind(context)
    if not warns and _is_first_turn(context):
        yield from primers.in_short(context)
        yield from primers.how_to_type(context)
    yield from questions(context)
    has_played = any(entry.who == context.seat for entry in context.table.entries)
    yield from status_blocks.what_happened(context, turn.since, "title_since" if has_played else "title_happened")
    yield from record_changes(context, turn.since)
    yield from board_blocks.whole_board(context)


def _is_first_turn(context: MailContext) -> bool:
    """Whether the reader has never begun a turn, and is not only asked something in another's."""
    began = {entry.number: entry.who for entry in reversed(context.table.entries) if entry.who != CHANCE}
    return context.seat not in began.values() and context.seat not in status_blocks.asked_seats(context)


def write_reminder(context: MailContext, reminder: ReminderMail) -> Page:
    """The reader's time is running out, or has run out."""
    deadline = context.deadlines.get(context.seat)
    left = None if deadline is None else deadline - context.envelope.date
    if left is not None and left.total_seconds() > 0:
        headline = context.say("head_reminder", say_length(left, context.sentences))
    else:
        headline = context.say("head_late")
    return Page("reminder", headline, tuple(_turn(context, TurnMail(reminder.since), warns=True)), board=context.board)


def write_news(context: MailContext, news: NewsMail) -> Page:
    """What others did."""
    kind, headline = _announce(context, news.events)
    return Page(kind, headline, tuple(_news(context, news.events, headline, kind)))


def write_digest(context: MailContext, digest: DigestMail) -> Page:
    """A day's summary."""
    turns = {event.payload.turn for event in digest.events if isinstance(event.payload, TurnPlayed)}
    headline = context.say("head_turns", len(turns)) if turns else context.say("head_digest")
    point = f"{headline}. {status_blocks.whose_turn(context)}" if turns else ""
    blocks = tuple(_news(context, digest.events, headline, "digest")) or (Paragraph(context.say("nothing_happened")),)
    return Page("digest", headline, blocks, point=point)


def _news(context: MailContext, events: tuple[Event, ...], headline: str, kind: MailKind) -> Iterator[Block]:
    # Requests that the reader can still answer come as questions below, so they are left out here.
    open_votes = context.table.votes if context.seat in context.table.active else {}
    shown = [
        event for event in events if not isinstance(event.payload, VoteAsked) or event.payload.what not in open_votes
    ]
    yield from status_blocks.what_happened(
        context, shown, "" if kind == "digest" else "title_happened", headline=headline
    )
    taken_back = context.table.taken_back
    if any(isinstance(back := event.payload, TurnUndone) and (back.by, back.turn) in taken_back for event in events):
        yield Paragraph(context.say("time_anew"))
    yield from record_changes(context, events)
    yield from questions(context, headline)
    yield from status_blocks.table_status(context)
    # What the reader may do stands in the turn mail; a vote asks one thing.
    yield from () if kind == "vote" else board_blocks.at_hand(context)
    yield from board_blocks.points_in_a_line(context)
    yield from board_blocks.small_links(context)


def _announce(context: MailContext, events: tuple[Event, ...]) -> tuple[MailKind, str]:
    """The kind of some news, and its headline: what matters most among them."""
    payloads = [event.payload for event in events]
    kinds = set(map(type, payloads))
    if context.table.stage == CALLED_OFF:
        return "called-off", context.say("head_off")
    asked = _last(payloads, VoteAsked)
    if asked is not None and context.seat in context.table.active:
        return "vote", context.say("told_asked", context.describer.name(asked.by), asked.what, asked.turn)
    for about, head in _CASES.items():
        if (case := _last(payloads, about)) is not None:
            return "case", context.say(head, case.case)
    if GameStarted in kinds:
        return "news", context.say("head_begun")
    if GamePaused in kinds:
        return "pause", context.say("head_paused")
    if GameResumed in kinds:
        still = "head_paused" if context.table.pauses else "head_resumed"
        return "pause", context.say(still)
    planned = [event.payload for event in events if author_of_event(event) == "plan"]
    if any(isinstance(each, TurnPlayed) and each.seat == context.seat for each in planned):
        return "news", context.say("head_planned")
    played = [payload for payload in payloads if isinstance(payload, TurnPlayed)]
    if played and played[-1].seat != context.seat and played[-1].turn != context.table.turn:
        return "news", context.say("head_played", context.describer.name(played[-1].seat))
    kind: MailKind = "vote" if {VoteAgreed, VoteObjected, VoteDropped, TurnUndone} & kinds else "news"
    last = {type(event.payload): event for event in events}
    lines = context.describer.describe(last[about] for about in _HEADLINES if about in last)
    return kind, lines[0] if lines else context.say("head_news")


def _last(payloads: Iterable[Payload], kind: type[_Kind]) -> _Kind | None:
    """The last payload of a kind among some."""
    return next((payload for payload in reversed(list(payloads)) if isinstance(payload, kind)), None)
