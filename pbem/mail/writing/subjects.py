"""Subjects, so that an inbox can be read at a glance.

What is wanted has a subject that says it. An answer has that of the letter it answers, and a reminder that of the turn
mail, so that programs which thread by subject keep them together. All other news of a game has one subject. Subjects
show on locked screens, so nothing hidden stands in them.
"""

from typing import Final

from pbem.mail.writing import occasions
from pbem.mail.writing.occasions import Occasion
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.status_blocks import asked_seats, say_request, say_standings, unanswered_request

ANSWERS: Final = (occasions.ReplyMail, occasions.UnchangedMail, occasions.DoubtMail, occasions.ReminderMail)
"""Mails that stay in the thread of another one."""


def choose_subject(context: MailContext, occasion: Occasion) -> str:
    """The subject of a mail, without the ticket that some mail servers need in it."""
    thread = context.envelope.thread
    if isinstance(occasion, ANSWERS) and thread:
        return f"Re: {thread}"
    said = _say_wanted(context, occasion) or context.say("subject_news", context.title)
    return f"[{context.table.id}] {said}"


def _say_wanted(context: MailContext, occasion: Occasion) -> str:
    """What is wanted, or what matters most; empty for news."""
    match occasion:
        case occasions.InvitationMail(by):
            return context.say("subject_invitation", context.sentences.name(by) if by else "", context.title)
        case occasions.TurnMail() | occasions.ReminderMail():
            return _say_turn(context)
        case occasions.NewsMail(events):
            vote = unanswered_request(context, events)
            return context.say("subject_vote", say_request(context, vote)) if vote is not None else ""
        case occasions.GameOverMail():
            return say_standings(context)
        case _:
            return ""


def _say_turn(context: MailContext) -> str:
    """That it is the reader's turn, or whose offer waits, and the day by which we want to hear."""
    deadline = context.deadlines.get(context.seat)
    day = context.say_day(context.local(deadline).date()) if deadline is not None else ""
    if context.seat in asked_seats(context):
        return context.say("subject_answer", context.offer, context.table.turn, day)
    return context.say("subject_turn", context.table.turn, day)
