"""Mails about the course of a game: your turn, a reminder, what others did, a day's summary."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final, TypeAlias, TypeVar

from engine.game import CHANCE
from pbem.events.chain import Event, author_of_event
from pbem.events.kinds import (
    CaseAppealed,
    CaseClosed,
    CaseRuled,
    CaseWarranted,
    GameOpened,
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
from pbem.mail.writing.blocks import Block, Links, Paragraph
from pbem.mail.writing.notices import say_notice
from pbem.mail.writing.occasions import DigestMail, NewsMail, NoticeMail, ReminderMail, TurnMail
from pbem.mail.writing.offer_mails import find_offer, has_lapsed, write_offer
from pbem.mail.writing.page import MailContext, MailKind, Page
from pbem.mail.writing.replies import played_just_now
from pbem.mail.writing.sentences import say_length
from pbem.mail.writing.status_blocks import questions
from pbem.mail.writing.verdicts import record_changes, say_why, write_rest
from pbem.tables.absences import days_left
from pbem.tables.cases import CARRIED, LOST
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
WEEK: Final = 7
"""Days off that a reminder offers; whoever needs others changes them."""
_BEGUN: Final = (GameOpened, InvitationAccepted, GameStarted)
"""Events that need not be told to whoever has the first turn."""
_HEADLINES: Final = (
    *(SeatSubstituted, SeatResigned, TurnUndone, VoteObjected, VoteDropped, TimeExtended, InvitationAccepted),
)
"""Events that make the headline by themselves, the most important first."""


def write_turn(context: MailContext, turn: TurnMail) -> Page:
    """It is the reader's turn."""
    if (offer := find_offer(context)) is not None and turn.resumed is None and turn.dropped is None:
        return write_offer(context, turn, offer)
    is_asked = context.seat in status_blocks.asked_seats(context)
    offered = context.offer if is_asked else ""
    rolled = context.sentences.rolled(context.board.view, context.seat) if context.board and not is_asked else ""
    kind = "head_answer_due" if is_asked else "head_rolled" if rolled else "head_turn"
    if has_lapsed(context, turn.since):
        kind, rolled = "head_lapsed", ""
    name = context.sentences.name(context.envelope.to.name)
    headline = offered or context.say(kind, *((name, rolled) if rolled else (name,)))
    point = offered or _point(context)
    return Page("turn", headline, tuple(_turn(context, turn)), point=point, board=context.board)


def _point(context: MailContext) -> str:
    """What inboxes show of a turn mail: the turn and the deadline, or what is offered."""
    deadline = context.deadlines.get(context.seat)
    there = context.local(deadline) if deadline is not None else None
    moment = f"{context.say_day(there.date())} {there:%H:%M}" if there is not None else ""
    return context.say("point_turn", context.table.turn, moment)


def _turn(context: MailContext, turn: TurnMail) -> Iterator[Block]:
    yield from played_just_now(context, turn.reply)
    if turn.played:
        yield Paragraph(say_notice(context, NoticeMail("played for", about=turn.played)))
    yield from status_blocks.timing(context)
    if turn.dropped is not None:
        yield Paragraph(context.say("plan_dropped", say_why(context, turn.dropped)))
    if turn.resumed is not None and turn.resumed.ruling is not None:
        yield from write_rest(context, turn.resumed.ruling)
    yield from board_blocks.picture(context)
    yield from board_blocks.at_hand(context, pictured=True)
    yield from board_blocks.resume_link(context)
    yield from primers.remind(context)
    since, is_first = turn.since, _is_first_turn(context)
    if is_first:
        yield from primers.in_short(context)
        yield from primers.how_to_type(context)
        since = tuple(event for event in since if not isinstance(event.payload, _BEGUN))  # the mail says so by itself
    yield from questions(context)
    has_played = any(entry.who == context.seat for entry in context.table.entries)
    yield from status_blocks.what_happened(context, since, "title_since" if has_played else "title_happened")
    yield from record_changes(context, turn.since)
    yield from board_blocks.owners(context) if is_first else board_blocks.whole_board(context)


def _is_first_turn(context: MailContext) -> bool:
    """Whether the reader has never begun a turn, and is not only asked something in another's."""
    began: dict[int | None, str] = {}
    for entry in context.table.entries:
        if entry.who != CHANCE and began.setdefault(entry.number, entry.who) == context.seat:
            return False
    return context.seat not in status_blocks.asked_seats(context)


def write_reminder(context: MailContext, reminder: ReminderMail) -> Page:
    """The reader's time is running out, or has run out."""
    deadline = context.deadlines.get(context.seat)
    left = None if deadline is None else deadline - context.envelope.date
    blocks = tuple(_reminder(context, reminder))
    if left is None or left.total_seconds() <= 0:
        return Page("reminder", context.say("head_late"), blocks)
    length = say_length(left, context.sentences)
    headline = context.say("head_reminder", length, context.sentences.name(context.envelope.to.name))
    return Page("reminder", headline, blocks, context.say("point_reminder", length, context.act))


def _reminder(context: MailContext, reminder: ReminderMail) -> Iterator[Block]:
    """The turn mail again, shorter: what is wanted, the answers to tap, and the board below them.

    The board is not drawn in signs a second time, nor is the last turn told again.
    """
    yield from status_blocks.timing(context, warns=True)
    choices = tuple(board_blocks.choices(context, pictured=True))
    away = _days_off(context)
    yield from (block for block in choices if isinstance(block, Links))
    if away:
        day = context.say_day(away[-1])
        yield Links((context.link(context.say("link_away", day), _say_away(context, away)),), filled=False)
    yield from (block for block in choices if not isinstance(block, Links))
    if away:
        yield board_blocks.to_copy(context, "away_how", _say_away(context, away))
    yield from board_blocks.picture(context)
    yield from board_blocks.private(context)
    yield from questions(context)
    yield from status_blocks.what_happened(context, reminder.since, "title_happened")
    yield from record_changes(context, reminder.since)
    yield from board_blocks.whole_board(context)


def _days_off(context: MailContext) -> tuple[date, ...]:
    """The first and the last day of a week off from today, or of as many days as are left; empty if none is."""
    length = min(days_left(context.table, context.seat), WEEK)
    return (context.today, context.today + timedelta(days=length - 1)) if length else ()


def _say_away(context: MailContext, days: tuple[date, ...]) -> str:
    return context.say("do_vacation", days[0].isoformat(), days[-1].isoformat())


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
    if (vote := status_blocks.unanswered_request(context, events)) is not None:
        return "vote", status_blocks.say_request(context, vote)
    for about, head in _CASES.items():
        if (case := _last(payloads, about)) is not None:
            voted = isinstance(case, CaseRuled) and case.reason in (CARRIED, LOST)
            return "case", context.say("head_voted_on" if voted else head, case.case)
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
