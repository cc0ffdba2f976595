"""Mails about an offer: what is offered, until when, and three answers to tap; words only, so that it fits one screen.

Who is asked can see the own hand in it, and nobody else's. Whoever made the offer reads until when it is open, never
who was asked: that some got no mail, because they cannot pay, must not show.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from notation.speech import speak
from pbem.events.chain import Event
from pbem.events.kinds import TurnPlayed
from pbem.judging.submission import asks_others, is_on_turn
from pbem.mail.writing import board_blocks, status_blocks
from pbem.mail.writing.blocks import Block, Lines, Links, Paragraph
from pbem.mail.writing.occasions import TurnMail
from pbem.mail.writing.page import MailContext, Page
from pbem.mail.writing.verdicts import record_changes

_AMOUNT: Final = re.compile(r"(?<!\S)1 [^\W\d_]+")
_BLANK: Final = "1 ___"


@dataclass(frozen=True, slots=True)
class OfferWords:
    """What a game says in a mail about an offer; `more` and what follows are empty where no other offer can be made."""

    point: str
    said: str
    yes: str
    no: str
    more: str
    example: str


def find_offer(context: MailContext) -> OfferWords | None:
    """The words for the offer that the reader is to answer; None if there is none, or more than yes and no to say."""
    choices, board = context.choices, context.board
    asked = context.seat in status_blocks.asked_seats(context)
    if choices is None or board is None or not asked or not choices.default or len(choices.moves) > 2:
        return None
    names = {seat: context.describer.name(seat) for seat in context.table.seats}
    found = context.sentences.offer_words(board.view, context.seat, names)
    if not context.offer or found is None:
        return None
    return OfferWords(*found)


def write_offer(context: MailContext, turn: TurnMail, offer: OfferWords) -> Page:
    """Somebody offers the reader something."""
    changed = _is_changed(context, turn.since)
    headline = context.say("head_offer_now", context.offer) if changed else context.offer
    return Page("turn", headline, tuple(_offer(context, turn, offer)), point=offer.point, board=context.board)


def _offer(context: MailContext, turn: TurnMail, offer: OfferWords) -> Iterator[Block]:
    if offer.said:
        yield Lines((offer.said,))  # what players say stands behind a bar, so that it is never taken for an order
    yield from status_blocks.timing(context)
    yield from board_blocks.private(context)
    yield from answers(context, offer)
    yield from status_blocks.questions(context)
    yield from status_blocks.what_happened(context, turn.since, "title_happened")
    yield from record_changes(context, turn.since)
    yield from board_blocks.owners(context)


def answers(context: MailContext, offer: OfferWords) -> Iterator[Block]:
    """The answers to an offer: yes where the reader can, no, and another offer with blanks to fill."""
    choices = context.choices
    if choices is None or not status_blocks.may_choose(context):
        return
    yes = [phrase for phrase in choices.phrases if phrase != choices.default]
    links = [*(context.link(offer.yes, phrase) for phrase in yes), context.link(offer.no, choices.default)]
    example = _to_send(context, offer.example) if offer.example else ""
    if example:
        links.append(context.link(offer.more, _AMOUNT.sub(_BLANK, example)))
    yield Links(tuple(links), button=bool(yes))
    words = [context.sentences.order(phrase) for phrase in (*yes, choices.default)]
    shown = context.order(offer.example) if example else ""
    yield Paragraph(context.say("reply_to_offer", words[0] if yes else "", words[-1], shown))


def _to_send(context: MailContext, phrase: str) -> str:
    """An order as it is sent, with the names of players that the reader of letters knows again."""
    known = context.describer.turns.names_in_moves
    names = {seat: context.table.name(seat).split(" ")[0] for seat in known}
    return speak(context.table.game.key, phrase, context.sentences.locale.code, names=names)


def _is_changed(context: MailContext, events: tuple[Event, ...]) -> bool:
    """Whether the player on turn has made another offer before, which the reader has not answered."""
    game, position = context.table.game, context.table.position
    made = [
        event
        for event in events
        if isinstance(event.payload, TurnPlayed)
        and event.payload.turn == context.table.turn
        and is_on_turn(game, position, event.payload.seat)
        and asks_others(game, event.phrase)
    ]
    return len(made) > 1


def has_lapsed(context: MailContext, events: tuple[Event, ...]) -> bool:
    """Whether the last thing that happened was that nobody took the reader's offer in time."""
    last = next((event for event in reversed(events) if isinstance(event.payload, TurnPlayed)), None)
    return last is not None and context.describer.turns.find_lapsed(last) == context.seat
