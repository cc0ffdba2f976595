"""One letter, from its bytes to its outcome: the order of the steps.

Everything happens in the given transaction: events, state, mails as bytes, receipt, outcome. Nothing is sent here. If
the process dies, the same letter is handled again from the beginning.
"""

import hashlib
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from pbem.events.kinds import PressSent
from pbem.events.post_kinds import MovePencilled
from pbem.mail.commands.command import Command, CommandContext, decide
from pbem.mail.commands.parse_letter import ParsedLetter, parse_letter
from pbem.mail.commands.pencil import PencilMove, PlayPencilled, StopPencil
from pbem.mail.commands.pencilled_letters import answer_pencil, disturbs_pencil, pencil_in
from pbem.mail.commands.submit_moves import Play, Preview
from pbem.mail.commands.vacation import Vacation
from pbem.mail.reading import LIST, Letter, Unreadable, read_letter
from pbem.proof.receipts import mark_letter
from pbem.store.errors import StoreBusyError, StoreFailedError, StoreOvertakenError
from pbem.store.rows import Fate, LetterRow, SeenLetter
from pbem.store.store import LOST_TABLE, Transaction
from pbem.store.timestamps import format_timestamp
from pbem.tables.decision import Decision
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.play import find_pending
from pbem.tables.table import PLAYING, ROLLBACK
from pbem.workflow import apologies, bare_letters, post_letters, reply, sender_checks, undelivered
from pbem.workflow.announce import notify_held
from pbem.workflow.context import PostContext, press_secret
from pbem.workflow.days_away import go_away
from pbem.workflow.follow_up import (
    AskedMoves,
    change_intentions,
    find_asked,
    keep_rest,
    load_intentions,
    run_follow_ups,
)
from pbem.workflow.forget import DONE as FORGOTTEN
from pbem.workflow.forget import settle_forgetting
from pbem.workflow.genuine_letters import AT_ONCE, choose_genuine, find_writer, look_at_new_letters
from pbem.workflow.heard_press import press_heard_by
from pbem.workflow.pencils import erase_unheard, find_pencil_moment
from pbem.workflow.people import confirm_person
from pbem.workflow.queue_mail import change_preferences, note_offset
from pbem.workflow.repetitions import is_asked_again, is_repeated
from pbem.workflow.reply import HandledLetter, reply_limit_reached
from pbem.workflow.rollback import go_on, must_be_kept
from pbem.workflow.sender_checks import BAD_TICKET, NO_GAME, NO_TICKET, KnownSender, RejectedSender, find_outdated
from pbem.workflow.session import GameSession

TOO_LARGE: Final = "too-large"
"""Only the beginning of the letter was kept."""
TRIED_TOO_OFTEN: Final = "tried-too-often"
BROKEN_HISTORY: Final = "broken-history"
"""The game's history is damaged. The letter can be tried again once the game is repaired."""
SAID_BEFORE: Final = "said-before"
"""Nothing was done, and the same words had an answer already."""
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LetterOutcome:
    """What became of a letter, and why."""

    letter: int
    fate: Fate
    reason: str
    game: str | None = None
    seat: str | None = None


def handle_arrived_letters(context: PostContext, *, most: int | None = None) -> Iterator[LetterOutcome]:
    """Handle all letters that have arrived, genuine ones first, one transaction each, or at most `most` of them."""
    done = 0
    choose = partial(choose_genuine, context)
    while most is None or done < most:
        look_at_new_letters(context, beyond=AT_ONCE)
        if (taken := context.store.take_next(choose)) is None:
            return
        try:
            outcome = _put_aside(context, taken.letter) if taken.exhausted else _try_letter(context, taken.letter)
        except StoreOvertakenError as reason:
            _LOG.warning("%s; what was done with it here is undone", reason)
            continue
        if outcome.reason == FORGOTTEN:
            settle_forgetting(context)
        yield outcome
        done += 1


def _try_letter(context: PostContext, row: LetterRow) -> LetterOutcome:
    """Handle a letter that is in hand. If that fails, it is counted; a store that cannot write is not its fault."""
    try:
        with context.store.transaction() as transaction:
            return handle_letter(context, transaction, row)
    except (StoreFailedError, StoreOvertakenError):
        raise
    except Exception as reason:
        if isinstance(reason, StoreBusyError):
            with suppress(StoreBusyError):
                context.store.put_down(row.id, row.claims)
        else:
            context.store.count_failure(row.id, row.claims)
        raise
    except BaseException:  # somebody stops us
        context.store.put_down(row.id, row.claims)
        raise


def _put_aside(context: PostContext, row: LetterRow) -> LetterOutcome:
    person = apologies.put_aside_exhausted(context, row)
    if person is not None:
        with context.store.transaction() as transaction:
            erase_unheard(context, transaction, person)
    where = (person.game, person.seat) if person is not None else (None, None)
    return LetterOutcome(row.id, "quarantined", TRIED_TOO_OFTEN, *where)


def handle_letter(context: PostContext, transaction: Transaction, row: LetterRow) -> LetterOutcome:
    """Handle one letter and write down its outcome."""
    outcome = _find_outcome(context, transaction, row)
    if outcome.fate == "quarantined" and outcome.seat is None:
        outcome = _answer_unread(context, transaction, row, outcome)
    where = {"game": outcome.game, "seat": outcome.seat}
    transaction.set_fate(row.id, outcome.fate, outcome.reason, **where, claim=row.claims)
    return outcome


def _answer_unread(
    context: PostContext, transaction: Transaction, row: LetterRow, outcome: LetterOutcome
) -> LetterOutcome:
    """Tell the writer of a letter that was not read, if it is certain who that is."""
    person = find_writer(context, transaction, row)
    if person is None:
        return outcome
    why = apologies.TOO_LARGE if outcome.reason == TOO_LARGE else apologies.UNREAD
    apologies.apologize(context, transaction, row, person, why, outcome.reason)
    erase_unheard(context, transaction, person)
    return replace(outcome, game=person.game, seat=person.seat)


def _find_outcome(context: PostContext, transaction: Transaction, row: LetterRow) -> LetterOutcome:
    letter = read_letter(
        row.raw,
        post=context.identity,
        envelope_from=row.env_from,
        envelope_to=row.env_to,
        largest=context.settings.post.largest_letter,
    )
    if isinstance(letter, Unreadable):
        return LetterOutcome(row.id, "quarantined", letter.reason)
    if letter.automatic is not None:
        undelivered.count_bounce(context, transaction, letter)
        return LetterOutcome(row.id, "automatic", letter.automatic)
    ticket = post_letters.find_ticket(context, letter)
    if ticket is not None:
        served = post_letters.receive_ticket(context, transaction, row, letter, ticket)
        return LetterOutcome(row.id, served.fate, served.reason)
    known = sender_checks.identify_sender(letter, transaction, context.identity)
    if isinstance(known, RejectedSender) and letter.listed:
        return LetterOutcome(row.id, "automatic", LIST)  # a list that got hold of a reply address is told nothing
    if (
        isinstance(known, RejectedSender)
        and known.watched
        and letter.ticket is None
        and post_letters.is_for_post(letter)
    ):
        known = RejectedSender(NO_TICKET)  # who watches a table may ask the post for something, as anybody may
    if isinstance(known, RejectedSender) and known.reason in (NO_TICKET, BAD_TICKET) and not known.watched:
        return _handle_bare_letter(context, transaction, row, letter, known.reason)
    if isinstance(known, RejectedSender) and known.reason == NO_GAME and letter.ticket is not None:
        # Only we can write such an address: there was a table, and this database is too old to know it.
        transaction.save_setting(f"{LOST_TABLE}{letter.ticket.game}", format_timestamp(context.now()))
        return LetterOutcome(row.id, "quarantined", NO_GAME)
    if isinstance(known, RejectedSender):
        if known.tell is not None:
            with suppress(BrokenHistoryError):
                reply.warn_seat_owner(context, transaction, known.tell, known.reason)
        if known.watched and not reply_limit_reached(context, transaction, letter.sender):
            reply.reply_to_observer(context, transaction, known.watched)
        # A good ticket tells which seat the letter was for, even if somebody else wrote it. The referee finds it there.
        where = (known.tell.game, known.tell.seat) if known.tell is not None else (None, None)
        return LetterOutcome(row.id, "refused", known.reason, *where)
    return _handle_known_sender(context, transaction, row, letter, known)


def _handle_bare_letter(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, reason: str
) -> LetterOutcome:
    # A wrong ticket says that the letter is for something else than what we would find without one.
    if reason != NO_TICKET:
        bare_letters.answer_letter(context, transaction, letter)
        return LetterOutcome(row.id, "refused", reason)
    known = None if post_letters.is_for_post(letter) else bare_letters.match_letter(context, transaction, letter)
    if known is not None:
        return _handle_known_sender(context, transaction, row, letter, known)
    if bare_letters.answer_letter(context, transaction, letter) is None:
        served = post_letters.receive_bare(context, transaction, row, letter)
        if served is not None:
            return LetterOutcome(row.id, served.fate, served.reason)
    return LetterOutcome(row.id, "refused", reason)


def _handle_known_sender(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, known: KnownSender
) -> LetterOutcome:
    person = known.person
    where = (person.game, person.seat)
    silent = reply_limit_reached(context, transaction, person.address)
    game = transaction.find_game(person.game)
    if game is None:
        raise LookupError(f"a seat without a game: {person.game}")
    seen = SeenLetter(person.address, letter.message_id or "", letter.body_sha256, *where)
    earlier = transaction.was_seen(seen) if letter.message_id else None
    try:
        session = GameSession(context, transaction, game)
    except BrokenHistoryError:
        if not notify_held(context, transaction, person.game):
            apologies.apologize(context, transaction, row, person, apologies.HELD)
        return LetterOutcome(row.id, "quarantined", BROKEN_HISTORY, *where)
    if must_be_kept(session, known, row.id):
        session.save()
        return LetterOutcome(row.id, "waiting", ROLLBACK, *where)
    confirm_person(transaction, person.person, letter.sender, context.now())
    note_offset(transaction, person, letter.offset)
    letter_commands = _parse_letter(session, row, letter, known)
    if silent and (earlier is not None or not _changes_anything(letter_commands)):
        return LetterOutcome(row.id, "waiting", "too-many-letters", *where)
    place = f"{person.seat} of {person.game}"
    if earlier is not None:
        if not is_repeated(context, transaction, f"{place}, letter {earlier}", ""):
            reply.reply_to_duplicate(session, person.seat, transaction.find_receipt(earlier), letter)
        session.save()
        return LetterOutcome(row.id, "duplicate", "same-letter", *where)
    if letter.message_id:
        transaction.remember_seen(seen, inbox_id=row.id)
    wanted = post_letters.find_for_post(letter, session.table)
    if wanted is not None:
        post_letters.serve_at_table(context, transaction, row, letter, person.person, wanted)
        return LetterOutcome(row.id, "applied", "carried-out", *where)
    if person.bounces or person.paused:
        # A letter from this address shows that the mailbox is alive.
        session.change_person(person.seat, bounces=0, paused=False)
        transaction.release_mails(*where)
    handled = _carry_out(letter_commands, row)
    _erase_disturbed(letter_commands, handled)
    _note_question(letter_commands, handled)
    if session.news or handled.orders_moves:
        handled.follow_up(person.seat, run_follow_ups(session))
    go_on(session)
    asked = handled.parsed.question
    again = asked is not None and is_asked_again(context, transaction, place, session.table.head, letter.words, asked)
    reply.send_reply(session, person.seat, handled, row, silent=silent or again)
    session.save()
    if again:
        return LetterOutcome(row.id, "refused", SAID_BEFORE, *where)
    if handled.was_carried_out:
        return LetterOutcome(row.id, "applied", "carried-out", *where)
    return LetterOutcome(row.id, "refused", handled.refusal_code, *where)


@dataclass(frozen=True, slots=True)
class _LetterCommands:
    """A letter's commands, and what is needed to decide them."""

    session: GameSession
    letter: Letter
    known: KnownSender
    parsed: ParsedLetter
    digest: str
    pencil_until: str
    """When moves of this letter would be played that are pencilled; empty if none are here."""

    def decide(self, command: Command) -> tuple[Command, Decision]:
        """What one command brings about at the table as it stands now. Nothing is changed."""
        session, letter, person = self.session, self.letter, self.known.person
        overtaken = find_outdated(session, letter, self.known, command)
        if isinstance(command, Play | PencilMove) and command.turn is None:
            # A letter acts on the turn that its reply address names.
            command = replace(command, turn=self.known.turn)
        if overtaken:
            return command, Decision(refused=overtaken)
        moment = CommandContext(
            session.context.now().astimezone(ZoneInfo(person.zone)),
            session.dealer(),
            letter=self.digest,
            mark=mark_letter(letter.message_id),
            standing=load_intentions(session, person.seat).standing if command.needs_standing else (),
            heard=press_heard_by(session, person.seat) if command.needs_press else (),
            secret=press_secret(session.context, session.row.id),
            pencil_until=self.pencil_until,
        )
        return command, decide(session.table, person.seat, command, moment)


def _parse_letter(session: GameSession, row: LetterRow, letter: Letter, known: KnownSender) -> _LetterCommands:
    table = session.table
    pending = find_pending(table, known.person.seat)
    if pending is not None:
        pending = pending._replace(asked=find_asked(session, known.person.seat))
    parsed = parse_letter(letter.words, letter.shown, game=table.game, playing=table.stage == PLAYING, pending=pending)
    until = find_pencil_moment(session, known.person.seat, known.turn)
    parsed = answer_pencil(parsed if until is None else pencil_in(parsed), pending)
    if parsed.question is not None and pending is not None:
        parsed = replace(parsed, question=parsed.question.judged(pending))
    moment = "" if until is None else format_timestamp(until)
    return _LetterCommands(session, letter, known, parsed, hashlib.sha256(row.raw).hexdigest(), moment)


def _changes_anything(letter_commands: _LetterCommands) -> bool:
    """Whether a letter asks for more than answers and words for others. Nothing is changed.

    Up to the first command that changes something, all are decided at the table as it stands. A pencil does not count:
    without the mail that tells of it nobody could object.
    """
    if letter_commands.parsed.question is not None:
        return False
    decisions = (letter_commands.decide(command)[1] for command in letter_commands.parsed.commands)
    return any(
        decision.settings
        or decision.plan is not None
        or decision.standing is not None
        or any(not isinstance(draft.payload, PressSent | MovePencilled) for draft in decision.drafts)
        for decision in decisions
    )


def _erase_disturbed(letter_commands: _LetterCommands, handled: HandledLetter) -> None:
    """Rub out what the sender had pencilled before, unless the letter leaves it alone or something took its place."""
    session, seat = letter_commands.session, letter_commands.known.person.seat
    pencil, before = session.table.pencil(seat), session.before.pencil(seat)
    if pencil is None or before is None or pencil.letter != before.letter:
        return
    if disturbs_pencil(letter_commands.parsed, find_pending(session.before, seat)):
        command, decision = letter_commands.decide(StopPencil())
        handled.decisions.append((command, decision))
        session.apply_events(decision.drafts)


def _note_question(letter_commands: _LetterCommands, handled: HandledLetter) -> None:
    """Remember which moves our answer gives back to the sender to choose from: the next letter may only say yes."""
    session, seat = letter_commands.session, letter_commands.known.person.seat
    question, kept = handled.parsed.question, load_intentions(session, seat).asked
    texts = question.suggests if question is not None else _previewed(handled)
    if texts:
        asked = AskedMoves(texts, session.table.turn, session.table.epoch)
        change_intentions(session, seat, asked=asked)
    elif kept is not None and (
        question is not None or disturbs_pencil(handled.parsed, find_pending(session.table, seat))
    ):
        change_intentions(session, seat, asked=None)


def _previewed(handled: HandledLetter) -> tuple[str, ...]:
    """The one turn that a letter has previewed, if it could be played."""
    shown = [(command.text, decision.ruling) for command, decision in handled.decisions if isinstance(command, Preview)]
    return tuple(text for text, ruling in shown if len(shown) == 1 and ruling is not None and ruling.is_legal)


def _carry_out(letter_commands: _LetterCommands, row: LetterRow) -> HandledLetter:
    """Carry out the commands of a letter one after the other."""
    session, person = letter_commands.session, letter_commands.known.person
    handled = HandledLetter(letter_commands.letter, letter_commands.parsed)
    if handled.parsed.question is not None:
        return handled
    for each in handled.parsed.commands:
        command, decision = letter_commands.decide(each)
        handled.decisions.append((command, decision))
        if decision.plan is not None:
            change_intentions(session, person.seat, plan=decision.plan)
        if decision.standing is not None:
            change_intentions(session, person.seat, standing=decision.standing)
        if isinstance(command, Play | PlayPencilled):
            keep_rest(session, person.seat, decision)
        elif isinstance(command, PencilMove) and decision.drafts:
            change_intentions(session, person.seat, rest=None)  # who writes again does not want the rest
        if decision.settings:
            tables = change_preferences(session, person.seat, decision.settings, decision.reach)
            handled.decisions[-1] = (command, replace(decision, tables=tables))
        if isinstance(command, Vacation) and command.everywhere and decision.away:
            days = (command.first, command.last)
            others = go_away(session.context, session.transaction, person.person, *days, but=session.row.id)
            handled.decisions[-1] = (command, replace(decision, away=(*decision.away, *others)))
        # What was pencilled names the letter that brought it, and not the one that answers.
        about_pencil = isinstance(command, PlayPencilled | StopPencil)
        session.apply_events(decision.drafts, inbox_id=None if about_pencil else row.id)
    return handled
