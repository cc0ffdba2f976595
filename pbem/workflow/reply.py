"""The reply to a letter, its receipt, and the mails to others that follow from it.

The sender gets exactly one reply. After that the other players get what was said to them and what happened.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from engine.game import Seat
from pbem.events.chain import Event
from pbem.events.kinds import TurnPlayed
from pbem.events.payload import SECOND_FORM
from pbem.events.post_kinds import MovePencilled
from pbem.mail.commands.command import Command
from pbem.mail.commands.parse_letter import ParsedLetter
from pbem.mail.commands.submit_moves import Play
from pbem.mail.reading import Letter
from pbem.mail.reply_address import subject_of_answer
from pbem.mail.writing import occasions
from pbem.proof.receipts import APPLIED, ASKED, DONE, PENCILLED, PLAYED, REFUSED, Receipt, mark_letter, sign_receipt
from pbem.store.rows import LetterRow, ReceiptRow, SeatRow
from pbem.store.store import Transaction
from pbem.store.timestamps import format_timestamp
from pbem.tables.decision import ALL, REFEREE, Decision, PressMessage
from pbem.tables.fold import BrokenHistoryError
from pbem.workflow.announce import gets_turn_mail, notify_events, send_notices
from pbem.workflow.appeal_votes import ask_players
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import FollowUp
from pbem.workflow.heard_press import find_words, keep_report, muted_by
from pbem.workflow.observers import Observer, mark_answered
from pbem.workflow.queue_mail import queue_for_observer, queue_for_referee, queue_for_seat
from pbem.workflow.session import GameSession

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
Outcomes: TypeAlias = Sequence[tuple[Command, Decision]]


def reply_limit_reached(context: PostContext, transaction: Transaction, address: str) -> bool:
    """Whether an address has had as many replies within the last hour as the settings allow.

    The limit keeps two programs from answering each other for ever.
    """
    return transaction.answers_since(context.now() - HOUR, address) >= context.settings.post.answers_per_hour


@dataclass(slots=True)
class HandledLetter:
    """What came of a letter, collected while its commands are carried out."""

    letter: Letter
    parsed: ParsedLetter
    decisions: list[tuple[Command, Decision]] = field(default_factory=list)
    followed: FollowUp = field(default_factory=FollowUp)
    """What followed by itself: planned turns, standing orders, moves that had waited."""

    @property
    def orders_moves(self) -> bool:
        """Whether the sender has set a standing order, or wants the dice rolled."""
        return any(decision.standing or decision.settings.get("auto_roll") for _, decision in self.decisions)

    def follow_up(self, sender: Seat, followed: FollowUp) -> None:
        """Note what followed. Moves of this letter that were resumed are no longer reported as waiting."""
        self.followed = followed
        self.decisions[:] = add_resumed(self.decisions, followed.resumed.get(sender))

    @property
    def was_carried_out(self) -> bool:
        """Whether anything came of it except refusals."""
        return any(
            decision.drafts or decision.answers or decision.settings or decision.said or decision.plan is not None
            for _, decision in self.decisions
        )

    @property
    def pencil(self) -> MovePencilled | None:
        """What was pencilled of the letter; None if nothing was."""
        drafts = (draft.payload for _, decision in self.decisions for draft in decision.drafts)
        return next((payload for payload in drafts if isinstance(payload, MovePencilled)), None)

    @property
    def refusal_code(self) -> str:
        """The code of the first refusal."""
        if self.parsed.question is not None:
            return self.parsed.question.rule.code
        for _, decision in self.decisions:
            ruling = decision.ruling
            if decision.refused is not None:
                return decision.refused.rule.code
            if ruling is not None and ruling.verdict is not None:
                return ruling.verdict.rule.code
            if ruling is not None and ruling.fault is not None:
                return ruling.fault.code
        return "nothing-understood"


def add_resumed(outcomes: Outcomes, resumed: Decision | None) -> tuple[tuple[Command, Decision], ...]:
    """Decisions about commands whose moves do not wait any more, because they were resumed."""
    if resumed is None or resumed.ruling is None:
        return tuple(outcomes)
    done = resumed.ruling.complete
    return tuple(
        (command, replace(decision, ruling=decision.ruling._replace(later=(), awaits=(), complete=done)))
        if decision.ruling is not None and decision.ruling.awaits
        else (command, decision)
        for command, decision in outcomes
    )


def _outcome(handled: HandledLetter, played: tuple[str, ...], *, form: int) -> str:
    """What became of a letter, in the word that receipts of a form of proof have for it."""
    if form == SECOND_FORM and handled.pencil is not None:
        return PENCILLED
    if not handled.was_carried_out:
        return ASKED if form == SECOND_FORM and handled.parsed.question is not None else REFUSED
    if form != SECOND_FORM:
        return APPLIED
    return PLAYED if played else DONE


def write_receipt(
    session: GameSession, sender: Seat, handled: HandledLetter, row: LetterRow, *, silent: bool = False
) -> tuple[str, ...]:
    """Write, sign and keep the receipt of a letter. Returns its lines, or none if the post has no signing key."""
    signer = session.context.signer_for(session.table)
    lines: tuple[str, ...] = ()
    if signer is not None:
        digest = hashlib.sha256(row.raw).hexdigest()
        # A pencilled move that is played now stands because of the letter that brought it.
        played = tuple(
            draft.phrase
            for _, decision in handled.decisions
            for draft in decision.drafts
            if isinstance(draft.payload, TurnPlayed) and draft.payload.seat == sender
            if draft.payload.letter == digest
        )
        receipt = Receipt(
            post=signer.name,
            # The number of the mail it comes with: one that counted all receipts would tell of other people's letters.
            # A receipt whose reply is left out comes with no mail.
            number=0 if silent else session.people[sender].mails_sent + 1,
            game=session.row.id,
            seat=sender,
            letter=digest,
            mark=mark_letter(handled.letter.message_id),
            received=format_timestamp(row.received_at),
            outcome=_outcome(handled, played, form=session.table.form),
            rule="" if handled.was_carried_out else handled.refusal_code,
            played=played,
            before=(session.before.seq, session.before.head),
            after=(session.table.seq, session.table.head),
            key=signer.key_id,
            form=session.table.form,
            pencilled=handled.pencil.move if handled.pencil is not None else "",
            until=handled.pencil.until if handled.pencil is not None else "",
        )
        lines = sign_receipt(receipt, signer)
    session.transaction.add_receipt(row.id, session.transaction.next_receipt_number(), "\n".join(lines))
    return lines


def send_reply(
    session: GameSession, sender: Seat, handled: HandledLetter, row: LetterRow, *, silent: bool = False
) -> None:
    """Reply to a letter, forward words, and tell the others what happened. If `silent`, the reply is left out."""
    wanted = gets_turn_mail(session, sender, handled.followed, teller=sender)
    reply = occasions.ReplyMail(
        handled.parsed,
        tuple(handled.decisions),
        words=handled.letter.words,
        cut=handled.letter.cut,
        cut_short=handled.letter.cut_short,
        receipt=write_receipt(session, sender, handled, row, silent=silent),
        after=() if wanted else _events_after(session, handled.decisions),
        resumed=handled.followed.resumed.get(sender),
    )
    thread = subject_of_answer(handled.letter.subject, session.row.id)
    # One mail is enough for a move, or for yes to an invitation, and for the sender's turn that it leads to at once.
    joins = not silent and reply.needs_no_mail and wanted
    if not silent and not joins:
        queue_for_seat(session, sender, reply, thread=thread)
    own = iter(session.news)
    for _, decision in handled.decisions:
        caused = [next(own).seq for _ in decision.drafts]
        if decision.said is not None:
            _forward_words(session, decision.said, *caused[-1:])
        if decision.report is not None:
            keep_report(session, decision.report)
            words = find_words(session, decision.report.heard.number)
            queue_for_referee(session, occasions.ReportMail(decision.report, words))
        send_notices(session, decision.notices)
        ask_players(session, decision.notices)
    notify_events(session, handled.followed, teller=sender, reply=reply if joins else None)


def tell_outcome(session: GameSession, seat: Seat, command: Play, decision: Decision, followed: FollowUp) -> None:
    """Tell what came of a move that waited: its player as if it came now, the others as of any move."""
    outcomes = add_resumed(((command, decision),), followed.resumed.get(seat))
    reply = occasions.ReplyMail(
        ParsedLetter((command,)),
        outcomes,
        after=() if gets_turn_mail(session, seat, followed, teller=seat) else _events_after(session, outcomes),
        resumed=followed.resumed.get(seat),
    )
    queue_for_seat(session, seat, reply)
    notify_events(session, followed, teller=seat)


def _events_after(session: GameSession, outcomes: Outcomes) -> tuple[Event, ...]:
    """The events that followed by themselves after the ones the letter caused."""
    return tuple(session.news[sum(len(decision.drafts) for _, decision in outcomes) :])


def _forward_words(session: GameSession, said: PressMessage, number: int = 0) -> None:
    """Pass words on; `number` is that of their event. Who does not want to read them gets none, and nobody is told."""
    session.forwarded.add((said.by, said.words))
    if said.to == REFEREE:
        queue_for_referee(session, occasions.WordsMail(said))
        return
    for seat in session.table.present if said.to == ALL else (said.to,):
        if seat != said.by and said.by not in muted_by(session, seat):
            queue_for_seat(session, seat, occasions.WordsMail(said, number))


def reply_to_duplicate(session: GameSession, seat: Seat, receipt: ReceiptRow | None, letter: Letter) -> None:
    """A letter came twice: say how the table stands."""
    lines = tuple(receipt.text.splitlines()) if receipt is not None else ()
    said = occasions.UnchangedMail("same-letter" if receipt is not None else "nothing", lines)
    queue_for_seat(session, seat, said, thread=subject_of_answer(letter.subject, session.row.id))


def warn_seat_owner(context: PostContext, transaction: Transaction, person: SeatRow, reason: str) -> None:
    """Tell the player of a seat, once a day at most, that a letter was rejected; a stranger's words are not passed on.

    Anybody can send such letters, so the warning must not be worth sending them.
    """
    row, key = transaction.find_game(person.game), f"doubt told to {person.seat} of {person.game}"
    last = transaction.load_setting(key)
    if row is None or (last is not None and context.now() - datetime.fromisoformat(last) < DAY):
        return
    session = GameSession(context, transaction, row)
    queue_for_seat(session, person.seat, occasions.DoubtMail(reason))
    session.save()
    transaction.save_setting(key, context.now().isoformat())


def reply_to_observer(context: PostContext, transaction: Transaction, watched: Mapping[str, Observer]) -> None:
    """Tell an observer, once, that letters from observers are not acted on."""
    *_, (game, observer) = watched.items()
    row = transaction.find_game(game)
    if row is not None and not any(each.answered for each in watched.values()):
        with suppress(BrokenHistoryError):
            queue_for_observer(GameSession(context, transaction, row), observer, occasions.UnchangedMail("watching"))
            mark_answered(transaction, watched)
