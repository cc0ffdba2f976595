"""Mails about the course of a game: your turn, a reminder, what others did, a day's summary."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, TypeVar

from pbem.events.chain import Event
from pbem.events.kinds import (
    CaseAppealed,
    CaseClosed,
    CaseRuled,
    CaseWarranted,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    Payload,
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
from pbem.mail.writing import passages
from pbem.mail.writing.blocks import Block, Paragraph
from pbem.mail.writing.describe import say_length
from pbem.mail.writing.occasions import DigestMail, NewsMail, ReminderMail, TurnMail
from pbem.mail.writing.page import MailWriter, Page
from pbem.mail.writing.passages import questions
from pbem.mail.writing.verdicts import amended, say_why, write_rest
from pbem.tables.table import CALLED_OFF, PLAYING

_Kind = TypeVar("_Kind", bound=Payload)
_CaseEvent: TypeAlias = CaseRuled | CaseClosed | CaseWarranted | CaseAppealed
_CASES: Final[Mapping[type[_CaseEvent], str]] = {
    CaseRuled: "head_ruled",
    CaseClosed: "head_closed",
    CaseWarranted: "head_warranted",
    CaseAppealed: "head_appealed",
}
"""The headlines about a case, what matters most first."""
_GRAVE: Final = (
    *(SeatSubstituted, SeatResigned, TurnUndone, VoteObjected, VoteDropped, TimeExtended, InvitationAccepted),
)
"""What is its own headline, what matters most first."""


def write_turn(pen: MailWriter, turn: TurnMail) -> Page:
    """It is the reader's turn."""
    kind = "head_answer_due" if pen.seat in passages.asked_seats(pen) else "head_turn"
    headline = pen.say(kind, pen.voice.name(pen.envelope.to.name), pen.table.turn)
    return Page("turn", headline, tuple(_turn(pen, turn)), board=pen.board)


def _turn(pen: MailWriter, turn: TurnMail, *, warns: bool = False) -> Iterator[Block]:
    yield from passages.timing(pen, warns=warns)
    if turn.dropped is not None:
        yield Paragraph(pen.say("plan_dropped", say_why(pen, turn.dropped)))
    if turn.resumed is not None and turn.resumed.ruling is not None:
        yield from write_rest(pen, turn.resumed.ruling)
    has_played = any(entry.who == pen.seat for entry in pen.table.entries)
    yield from passages.told(pen, turn.since, "title_since" if has_played else "title_happened")
    yield from amended(pen, turn.since)
    yield from passages.picture(pen, turn.since)
    yield from passages.at_hand(pen)
    yield from questions(pen)
    yield from passages.whole_board(pen)
    yield from passages.small_links(pen)


def write_reminder(pen: MailWriter, reminder: ReminderMail) -> Page:
    """The reader's time is running out, or has run out."""
    deadline = pen.deadlines.get(pen.seat)
    left = None if deadline is None else deadline - pen.envelope.date
    if left is not None and left.total_seconds() > 0:
        headline = pen.say("head_reminder", say_length(left, pen.voice))
    else:
        headline = pen.say("head_late")
    return Page("reminder", headline, tuple(_reminder(pen, reminder)), board=pen.board)


def _reminder(pen: MailWriter, reminder: ReminderMail) -> Iterator[Block]:
    yield Paragraph(passages.whose_turn(pen))
    yield from _turn(pen, TurnMail(reminder.since), warns=True)


def write_news(pen: MailWriter, news: NewsMail) -> Page:
    """What others did."""
    kind, headline = _announce(pen, news.events)
    return Page(kind, headline, tuple(_news(pen, news.events, headline)), board=pen.board)


def write_digest(pen: MailWriter, digest: DigestMail) -> Page:
    """A day's summary."""
    headline = pen.say("head_digest")
    blocks = tuple(_news(pen, digest.events, headline)) or (Paragraph(pen.say("nothing_happened")),)
    return Page("digest", headline, blocks, board=pen.board)


def _news(pen: MailWriter, events: tuple[Event, ...], headline: str) -> Iterator[Block]:
    yield from passages.standing(pen)
    # What is still asked comes as a question to those who have a voice, and need not be told twice.
    open_votes = pen.table.votes if pen.seat in pen.table.active else {}
    told = [
        event for event in events if not isinstance(event.payload, VoteAsked) or event.payload.what not in open_votes
    ]
    yield from passages.told(pen, told, "title_happened", headline=headline)
    yield from amended(pen, events)
    yield from questions(pen)
    yield from passages.picture(pen, events)
    yield from passages.at_hand(pen)
    yield from passages.whole_board(pen)
    if pen.table.stage == PLAYING and pen.seat in pen.table.seats:
        yield from passages.small_links(pen)


def _announce(pen: MailWriter, events: tuple[Event, ...]) -> tuple[str, str]:
    """The kind of some news, and its headline: what matters most among them."""
    payloads = [event.payload for event in events]
    kinds = set(map(type, payloads))
    if pen.table.stage == CALLED_OFF:
        return "called-off", pen.say("head_off")
    asked = _last(payloads, VoteAsked)
    if asked is not None and pen.seat in pen.table.active:
        return "vote", pen.say("head_vote", pen.teller.who(asked.by))
    for about, head in _CASES.items():
        if (case := _last(payloads, about)) is not None:
            return "case", pen.say(head, case.case)
    if GameStarted in kinds:
        return "news", pen.say("head_begun")
    if GamePaused in kinds:
        return "pause", pen.say("head_paused")
    if GameResumed in kinds:
        still = "head_paused" if pen.table.pauses else "head_resumed"
        return "pause", pen.say(still)
    played = [payload for payload in payloads if isinstance(payload, TurnPlayed)]
    if own := [each for each in played if each.by == "plan" and each.seat == pen.seat]:
        return "news", pen.say("head_planned", own[-1].turn)
    if played and played[-1].seat != pen.seat and played[-1].turn != pen.table.turn:
        return "news", pen.say("head_played", pen.teller.who(played[-1].seat), played[-1].turn)
    kind = "vote" if {VoteAgreed, VoteObjected, VoteDropped, TurnUndone} & kinds else "news"
    last = {type(event.payload): event for event in events}
    told = pen.teller.tell(last[grave] for grave in _GRAVE if grave in last)
    return kind, told[0] if told else pen.say("head_news")


def _last(payloads: Iterable[Payload], kind: type[_Kind]) -> _Kind | None:
    """The last payload of a kind among some."""
    return next((payload for payload in reversed(list(payloads)) if isinstance(payload, kind)), None)
