"""A letter read and judged again at the table as it was then, to compare the results."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from engine.chance import Dealer
from engine.game import Seat
from engine.verdict import Rule
from pbem.events.chain import Draft, Event
from pbem.events.kinds import (
    CaseAppealed,
    ChanceDealt,
    GameEnded,
    GameStarted,
    MovesMade,
    PressSent,
    TurnPlayed,
    VoteAgreed,
    author_of,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import MovePencilled
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.consent import Agree
from pbem.mail.commands.parse_letter import parse_letter
from pbem.mail.commands.pencil import PencilMove, StopPencil
from pbem.mail.commands.pencilled_letters import answer_pencil, disturbs_pencil, pencil_in
from pbem.mail.commands.submit_moves import Play
from pbem.mail.reading import Letter
from pbem.proof.receipts import mark_letter
from pbem.tables import table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.fold import apply_drafts
from pbem.tables.play import find_pending
from pbem.tables.table import BY_CHANCE, PLAYING, Table
from pbem.tables.ticket_history import TicketPlace, find_gone_back, refuse_by_history
from pbem.tables.votes import MOVED_ON
from pbem.workflow.reply import HandledLetter
from pbem.workflow.sender_checks import find_answered

"""What depends on a secret of the post that is never opened: the digest of words for somebody."""


def rejudge(
    table: Table,
    seat: Seat,
    letter: Letter,
    *,
    digest: str,
    dealer: Dealer,
    now: datetime,
    happened: Sequence[Event],
    secret: bytes = b"",
) -> HandledLetter:
    """Read a letter again and carry out its commands at the table where it arrived.

    Whether the letter was out of date then, only the post knows; `happened` shows it.
    """
    table = _know_pencil(table, seat, happened)
    pending, pencil = find_pending(table, seat), table.pencil(seat)
    parsed = parse_letter(letter.words, letter.shown, game=table.game, playing=table.stage == PLAYING, pending=pending)
    payloads = (event.payload for event in happened)
    noted = next((each for each in payloads if isinstance(each, MovePencilled) and each.letter == digest), None)
    if noted is not None:
        parsed = pencil_in(parsed)
    elif parsed.pencilled and any(
        isinstance(event.payload, TurnPlayed) and event.payload.seat == seat for event in happened
    ):
        # It was played all the same: by a post of an earlier version, which took unknown words for chat.
        parsed = replace(parsed, commands=parsed.pencilled, pencilled=(), question=None)
    handled = HandledLetter(letter, answer_pencil(parsed, pending))
    moment = CommandContext(
        now,
        dealer,
        letter=digest,
        mark=mark_letter(letter.message_id),
        pencil_until=noted.until if noted is not None else "",
        secret=secret,
    )
    for command in handled.parsed.commands:
        refused = None
        ticket = letter.ticket
        place = TicketPlace(ticket.turn, ticket.mark, ticket.epoch) if ticket is not None else None
        if place is not None and command.is_binding:
            refused = refuse_by_history(table, seat, place)
        if isinstance(command, Play | PencilMove) and place is not None:
            refused = refused or find_gone_back(table, seat, command.turn, place)
            command = replace(command, turn=place.turn if command.turn is None else command.turn)
        decision = Decision(refused=refused) if refused else decide(table, seat, command, moment)
        if decision.drafts and (rule := _overtaken_by(table, seat, command, happened)) is not None:
            decision = Decision(refused=Refused(rule, rule.text))
        handled.decisions.append((command, decision))
        table = apply_drafts(table, decision.drafts)
    if pencil is not None and table.pencil(seat) == pencil and disturbs_pencil(handled.parsed, pending):
        handled.decisions.append((StopPencil(), StopPencil().decide(table, seat, moment)))
    return handled


def _know_pencil(table: Table, seat: Seat, happened: Sequence[Event]) -> Table:
    """The table with what a seat has pencilled as it was played, for a record never tells it."""
    pencil = table.pencil(seat)
    played = (
        event.phrase
        for event in happened
        if isinstance(event.payload, TurnPlayed) and pencil is not None and event.payload.letter == pencil.letter
    )
    text = next(played, None)
    if pencil is None or text is None:
        return table
    return replace(table, pencils={**table.pencils, seat: replace(pencil, text=text)})


def _overtaken_by(table: Table, seat: Seat, command: Command, happened: Sequence[Event]) -> Rule | None:
    """The rule against an answer that had no effect although it fits the open question."""
    if isinstance(command, Agree):
        return (
            None
            if any(isinstance(event.payload, VoteAgreed) and event.payload.by == seat for event in happened)
            else table_rules.V3
        )
    if isinstance(command, Play) and find_answered(table.game, command.text):
        return (
            None
            if any(isinstance(event.payload, TurnPlayed) and event.payload.seat == seat for event in happened)
            else table_rules.T6
        )
    return None


def code_of(handled: HandledLetter) -> str:
    """The code of the rule against a letter, or an empty string."""
    return "" if handled.was_carried_out else handled.refusal_code


def drafts_of(handled: HandledLetter) -> list[Draft]:
    """All events that a letter causes."""
    return [draft for _, decision in handled.decisions for draft in decision.drafts]


def first_difference(
    drafts: Iterable[Draft],
    happened: Sequence[Event],
    *,
    chance: bool,
    blinded: bool = False,
    closed: Container[int] = (),
) -> int | None:
    """The number of the first event that differs from what the letter causes; None if there is none.

    Without the seed (`chance` False) nothing can be compared after the first draw. `blinded` skips digests of private
    words. Of events in `closed` only the public part is compared.
    """
    # Older versions did not write an event when a request lapsed; a chain without it is fine.
    tells = any(author_of(event.payload) == MOVED_ON for event in happened)
    for at, draft in enumerate(draft for draft in drafts if tells or author_of(draft.payload) != MOVED_ON):
        if not chance and (
            isinstance(draft.payload, GameStarted | ChanceDealt) or author_of(draft.payload) in BY_CHANCE
        ):
            return None
        if at >= len(happened):
            return happened[-1].seq + 1 if happened else 0
        event = happened[at]
        whole = event.seq not in closed
        withheld = any(told.text is None for told in event.told.values())
        said, known = (_shown(each, blinded=blinded, whole=whole, withheld=withheld) for each in (draft, event))
        if said != known:
            return event.seq
    return None


def _shown(event: Draft | Event, *, blinded: bool, whole: bool, withheld: bool) -> Payload:
    payload = event.payload
    if blinded and isinstance(payload, PressSent):
        payload = replace(payload, words_sha256="")
    if withheld and isinstance(payload, PressSent | CaseAppealed):
        payload = replace(payload, words="")
    if isinstance(payload, MovePencilled):
        payload = replace(payload, until="", move="" if withheld else payload.move)
    if isinstance(payload, TurnPlayed | GameEnded):
        payload = replace(payload, asked=None, due=None)  # the letter knows no clock
    if event.sealed is not None and whole and isinstance(payload, MovesMade):
        payload = replace(payload, phrase=event.sealed.phrase)
    return payload
