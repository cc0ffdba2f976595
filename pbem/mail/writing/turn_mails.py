"""Mails about the course of a game: your turn, a reminder, what others did, a day's summary."""

from collections.abc import Iterator
from typing import Final

from pbem.events.chain import Event
from pbem.mail.writing import passages
from pbem.mail.writing.blocks import Block, Paragraph
from pbem.mail.writing.describe import say_length
from pbem.mail.writing.occasions import DigestMail, NewsMail, ReminderMail, TurnMail
from pbem.mail.writing.page import MailWriter, Page
from pbem.mail.writing.passages import questions
from pbem.mail.writing.verdicts import amended, say_why, write_rest
from pbem.tables.table import CALLED_OFF, PLAYING

_CASES: Final = {
    "ruled": "head_ruled",
    "closed": "head_closed",
    "warranted": "head_warranted",
    "appealed": "head_appealed",
}
"""The headlines about a case, what matters most first."""
_GRAVE: Final = ("substituted", "resigned", "undone", "objected", "dropped", "extended", "accepted")
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
    told = [event for event in events if event.kind != "asked" or event.data["what"] not in open_votes]
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
    last = {event.kind: event for event in events}
    if pen.table.stage == CALLED_OFF:
        return "called-off", pen.say("head_off")
    if "asked" in last and pen.seat in pen.table.active:
        return "vote", pen.say("head_vote", pen.teller.who(last["asked"].data["by"]))
    for kind, head in _CASES.items():
        if kind in last:
            return "case", pen.say(head, last[kind].data["case"])
    if "started" in last:
        return "news", pen.say("head_begun")
    if "paused" in last:
        return "pause", pen.say("head_paused")
    if "resumed" in last:
        still = "head_paused" if pen.table.pauses else "head_resumed"
        return "pause", pen.say(still)
    planned = [event.data for event in events if event.kind == "played" and event.data.get("by") == "plan"]
    if own := [data for data in planned if data["seat"] == pen.seat]:
        return "news", pen.say("head_planned", own[-1]["turn"])
    if "played" in last:
        data = last["played"].data
        if data["seat"] != pen.seat and data["turn"] != pen.table.turn:
            return "news", pen.say("head_played", pen.teller.who(data["seat"]), data["turn"])
    kind = "vote" if {"agreed", "objected", "dropped", "undone"} & last.keys() else "news"
    told = pen.teller.tell(last[grave] for grave in _GRAVE if grave in last)
    return kind, told[0] if told else pen.say("head_news")
