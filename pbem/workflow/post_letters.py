"""Letters to the post itself: with a ticket of ours, or to our plain address.

A stranger gets one fixed welcome; somebody who answers it is a person from then on, and is served line by line.
"""

from dataclasses import dataclass, replace
from typing import Final

from pbem.mail.commands.preferences import Wish
from pbem.mail.post_commands import person as words
from pbem.mail.post_commands.court import AT_TABLES, CourtOrder
from pbem.mail.post_commands.delegating import Delegate, StopDelegating
from pbem.mail.post_commands.others import Invite, Rematch
from pbem.mail.post_commands.reader import PostCommand, PostLetter, PostLine, find_language, parse_post_letter
from pbem.mail.post_ticket import PostTicket, parse_post_ticket
from pbem.mail.reading import Authenticity, Letter
from pbem.mail.writing.post_mails import PostPage
from pbem.people.names import name_from, read_name
from pbem.store.rows import Fate, LetterRow, PersonRow
from pbem.store.store import Transaction
from pbem.tables.absences import open_seats
from pbem.tables.table import OVER, Table
from pbem.workflow.bare_letters import is_to_bare_address
from pbem.workflow.context import PostContext
from pbem.workflow.court_letters import hear_referee, how_to_rule
from pbem.workflow.front_desk import (
    Desk,
    address_digests,
    answer,
    hush,
    is_open,
    join_pages,
    not_understood,
    welcome,
)
from pbem.workflow.gather import find_gathering, free_place
from pbem.workflow.invitations import COMMANDS, accept_place
from pbem.workflow.people import confirm_person, meet_person
from pbem.workflow.person_desk import keep_wish
from pbem.workflow.referees import decides_anywhere, find_referee
from pbem.workflow.repetitions import is_said_again
from pbem.workflow.second_letters import receive_confirmation
from pbem.workflow.waiting_tables import tell_declined

WELCOME_GOOD: Final = 14
"""Days for which a welcome can be answered."""


@dataclass(frozen=True, slots=True)
class DeskOutcome:
    """What became of a letter to the post."""

    fate: Fate
    reason: str


def find_ticket(context: PostContext, letter: Letter) -> PostTicket | None:
    """The ticket of a letter to the post itself; None if it has none."""
    return parse_post_ticket(context.identity, letter.recipients, letter.subject, letter.sender)


def receive_ticket(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, ticket: PostTicket
) -> DeskOutcome:
    """A letter with a ticket of the post. Whoever wants no more mail is heard even if the ticket is worth nothing."""
    found = _receive_ticket(context, transaction, row, letter, ticket)
    passed = letter.authentic is Authenticity.PASS
    unchecked = context.identity.authserv_id is None and ticket.good and found.reason != "other-sender"
    if found.fate == "refused" and (passed or unchecked) and _wants_no_mail(letter):
        return _send_no_more(context, transaction, letter)
    return found


def _wants_no_mail(letter: Letter) -> bool:
    return any(isinstance(each, words.StopMail) for each in parse_post_letter(letter.words).commands)


def _send_no_more(context: PostContext, transaction: Transaction, letter: Letter) -> DeskOutcome:
    """Write no more to whoever has sent a letter."""
    person = transaction.person_at(letter.sender)
    owned = [] if person is None else transaction.addresses_of(person.id)
    mine = [each.address for each in owned] if person is not None and _owns(transaction, person, letter.sender) else []
    for address in mine or [letter.sender]:
        hush(context, transaction, address)
    return DeskOutcome("applied", "hushed")


def _receive_ticket(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, ticket: PostTicket
) -> DeskOutcome:
    if not ticket.good:
        return DeskOutcome("refused", "bad-ticket")
    if context.identity.authserv_id is not None and letter.authentic is not Authenticity.PASS:
        return DeskOutcome("refused", "not-authentic")
    if ticket.kind == "hi":
        return _receive_answer(context, transaction, row, letter, ticket)
    if ticket.kind == "me":
        person = transaction.find_person(ticket.about[0])
        if person is None or str(person.generation) != ticket.about[1]:
            return DeskOutcome("refused", "bad-ticket")
        if not _owns(transaction, person, letter.sender):
            return DeskOutcome("refused", "other-sender")
        return serve_person(Desk(context, transaction, person, letter, row))
    if ticket.kind == "in":
        return _receive_invited(context, transaction, row, letter, int(ticket.about[0]))
    if ticket.kind == "court":
        return _receive_court(context, transaction, row, letter, ticket)
    if ticket.kind == "yes":
        done, reason = receive_confirmation(context, transaction, row, letter, ticket.about[0])
        return DeskOutcome("applied" if done else "refused", reason)
    return DeskOutcome("refused", "bad-ticket")


def _receive_court(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, ticket: PostTicket
) -> DeskOutcome:
    """An answer to a mail about a case, from whoever decides at its table."""
    table, case = ticket.about
    person = find_referee(context, transaction, table, letter.sender)
    if person is None or not case.isdigit():
        return DeskOutcome("refused", "other-sender")
    confirm_person(transaction, person.id, letter.sender, context.now())
    found = transaction.find_person(person.id) or person
    return serve_person(Desk(context, transaction, found, letter, row), table=table, case=int(case))


def receive_bare(context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter) -> DeskOutcome | None:
    """A letter to our plain address that is for no table. None if it is not answered."""
    if not is_open(context, letter) or not is_to_bare_address(context.identity, letter):
        return None
    person = transaction.person_at(letter.sender)
    if person is None and _wants_no_mail(letter):
        return _send_no_more(context, transaction, letter)
    if person is None:
        sent = welcome(context, transaction, letter.sender)
        return DeskOutcome("applied", "welcomed") if sent else DeskOutcome("refused", "welcomed-already")
    if transaction.seats_of(person.id) and not is_for_post(letter):
        return None  # it is about a table, and nothing says which
    confirm_person(transaction, person.id, letter.sender, context.now())
    return serve_person(Desk(context, transaction, replace(person, state="confirmed"), letter, row))


def is_for_post(letter: Letter) -> bool:
    """Whether a letter to our plain address asks the post for something, and nothing else."""
    parsed = parse_post_letter(letter.words)
    shared = words.SayYes | words.SayNo | words.AskHelp | words.UndoChange
    asks = [each for each in parsed.commands if not isinstance(each, shared)]
    if any(isinstance(each, PostCommand) and not _may_be_for_table(each) for each in asks):
        return True
    # Wishes and days away are also words of tables: they are for all only if nothing points to one.
    return bool(asks) and not parsed.unread and not letter.in_reply_to


def _may_be_for_table(command: PostCommand) -> bool:
    """Whether a player may have meant a table by the words of a referee: both know `pause`."""
    return isinstance(command, CourtOrder) and (command.act in AT_TABLES or not command.table)


def _owns(transaction: Transaction, person: PersonRow, address: str) -> bool:
    owned = transaction.addresses_of(person.id)
    return any(each.confirmed_at is not None and each.address.lower() == address.lower() for each in owned)


def without_rulings(parsed: PostLetter) -> PostLetter:
    """A letter without what only referees can ask for: in other letters it is prose."""
    return replace(parsed, commands=tuple(each for each in parsed.commands if not isinstance(each, CourtOrder)))


def serve_person(desk: Desk, *, table: str = "", case: int = 0) -> DeskOutcome:
    """Do what a person asks for, line by line, and answer with one mail; what a referee decides is asked about apart.

    `table` and `case` are what the letter answers, if that is a mail to a referee.
    """
    parsed = parse_post_letter(desk.letter.words)
    rulings = [command for command in parsed.commands if isinstance(command, CourtOrder)]
    if rulings and not decides_anywhere(desk.context, desk.transaction, desk.letter.sender):
        parsed, rulings = without_rulings(parsed), []
    heard = replace(parsed, unread=()) if rulings else parsed
    if is_said_again(desk.context, desk.transaction, desk.person.id, desk.letter.words, heard):
        return DeskOutcome("refused", "said-before" if parsed.commands else "nothing-understood")
    others = [command for command in parsed.commands if not isinstance(command, CourtOrder)]
    pages = [page for command in others if (page := _carry_out(desk, command)) is not None]
    if not parsed.commands:
        pages = [how_to_rule(desk, table) if table else not_understood(desk)]
    if pages:
        answer(desk, join_pages(pages))
    hear_referee(desk, rulings, table=table, case=case)
    return DeskOutcome(
        "applied" if parsed.commands else "refused", "carried-out" if parsed.commands else "nothing-understood"
    )


def _carry_out(desk: Desk, command: PostLine) -> PostPage | None:
    """Do what one command asks for; what came of it, unless another mail says so."""
    return keep_wish(desk, command) if isinstance(command, Wish) else COMMANDS[type(command)](desk, command)


def _receive_answer(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, ticket: PostTicket
) -> DeskOutcome:
    """The answer to a welcome: whoever sends it holds the address, and is a person from now on."""
    today = context.now().date().toordinal()
    day = int(ticket.about[0]) if ticket.about[0].isdigit() else 0
    if not today - WELCOME_GOOD <= day <= today:
        return DeskOutcome("refused", "late")
    parsed = without_rulings(parse_post_letter(letter.words))
    if any(isinstance(each, words.StopMail | words.SayNo) for each in parsed.commands):
        hush(context, transaction, letter.sender)
        return DeskOutcome("applied", "hushed")
    if not parsed.commands:
        return DeskOutcome("refused", "nothing-understood")  # an auto-responder's answer looks like this
    known = transaction.person_at(letter.sender)
    person = known or _make_person(context, transaction, letter, parsed)
    confirm_person(transaction, person.id, letter.sender, context.now())
    found = transaction.find_person(person.id)
    if found is None:
        raise LookupError(person.id)
    return serve_person(Desk(context, transaction, found, letter, row))


def _receive_invited(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, number: int
) -> DeskOutcome:
    """The answer to an invitation, from whom it went to."""
    place, known = transaction.find_place(number), transaction.person_at(letter.sender)
    confirmed = known is not None and known.state == "confirmed" and _owns(transaction, known, letter.sender)
    gathering = find_gathering(transaction, place.notice) if place is not None else None
    mine = {*address_digests(context, letter.sender), *([known.id] if known is not None and confirmed else [])}
    parsed = parse_post_letter(letter.words)
    if any(isinstance(each, words.StopMail) for each in parsed.commands) and not confirmed:
        hush(context, transaction, letter.sender)
    if place is None or gathering is None or place.state != "asked" or place.person not in mine:
        if known is not None and confirmed and parsed.commands:
            return serve_person(Desk(context, transaction, known, letter, row))
        return DeskOutcome("refused", "late")
    if any(isinstance(each, words.StopMail | words.SayNo) for each in parsed.commands):
        free_place(transaction, place)
        tell_declined(context, transaction, gathering)
        return DeskOutcome("applied", "declined")
    if not any(isinstance(each, words.SayYes | Rematch) for each in parsed.commands):
        if known is not None and confirmed and parsed.commands:
            return serve_person(Desk(context, transaction, known, letter, row))
        return DeskOutcome("refused", "nothing-understood")
    person = known or _make_person(context, transaction, letter, parsed)
    confirm_person(transaction, person.id, letter.sender, context.now())
    desk = Desk(context, transaction, transaction.find_person(person.id) or person, letter, row)
    page = accept_place(desk, gathering, place)
    if page is not None:
        answer(desk, page)
    return DeskOutcome("applied", "carried-out")


def find_for_post(letter: Letter, table: Table) -> Rematch | Invite | Delegate | StopDelegating | None:
    """What a letter to a table asks of the post: to play again, or somebody to be asked to an open seat."""
    asked = parse_post_letter(letter.words).commands
    if len(asked) == 1 and isinstance(asked[0], Delegate | StopDelegating):
        return replace(asked[0], table=table.id)
    if table.stage != OVER and not open_seats(table):
        return None
    if table.stage == OVER:
        again = [each for each in asked if isinstance(each, Rematch)]
        return Rematch(again[0].table or table.id) if again else None
    named = asked[0] if len(asked) == 1 else None
    return Invite(named.who, table.id) if isinstance(named, Invite) else None


def serve_at_table(
    context: PostContext,
    transaction: Transaction,
    row: LetterRow,
    letter: Letter,
    person: str,
    command: Rematch | Invite | Delegate | StopDelegating,
) -> None:
    """Do what a letter to a table asks of the post, and answer it."""
    found = transaction.find_person(person)
    if found is not None:
        desk = Desk(context, transaction, found, letter, row)
        page = COMMANDS[type(command)](desk, command)
        if page is not None:
            answer(desk, page)


def _make_person(context: PostContext, transaction: Transaction, letter: Letter, parsed: PostLetter) -> PersonRow:
    """A new person, who is written to in the language of their first order."""
    said = next((each.name for each in parsed.commands if isinstance(each, words.SayYes) and each.name), "")
    settings = context.settings
    begins = {
        "language": find_language(letter.words) or settings.post.language,
        "zone": settings.time.zone,
        "notices": "turn" if settings.post.notices == "wanted" else settings.post.notices,
    }
    name = read_name(said) or name_from(letter.sender)
    return meet_person(context, transaction, name=name, address=letter.sender, wishes=begins)
