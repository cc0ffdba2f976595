"""Acts that take two letters: what will happen is said back with a ticket for exactly that act, good once.

Another address is the first: both addresses must agree, and the old one can take it back for a week.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pbem.locale.cldr import format_day
from pbem.mail.post_commands import person as words
from pbem.mail.post_commands.reader import PostLine, parse_post_letter
from pbem.mail.reading import Letter
from pbem.mail.writing.post_mails import PostPage, PostSentences, find_post_sentences
from pbem.store.rows import AddressRow, LetterRow, PendingRow, PersonRow
from pbem.store.store import Transaction
from pbem.workflow import court_letters
from pbem.workflow.appeal_votes import APPEAL, receive_vote
from pbem.workflow.context import PostContext
from pbem.workflow.delegate_letters import DELEGATE, PLAY_FOR, agree_to_delegate, agree_to_play, tell_refused
from pbem.workflow.forget import DONE, LATER, ask_to_forget, confirm_forgetting
from pbem.workflow.front_desk import Desk, answer, may_invite, send_page
from pbem.workflow.people import live_seats

PATIENCE: Final = timedelta(hours=48)
UNDO: Final = timedelta(days=7)
ADDRESS: Final = "address"
UNDO_ADDRESS: Final = "undo address"
BY_OPERATOR: Final = "address by the operator"
NOTICE: Final = timedelta(days=7)
"""For so long the old address can say no, before the operator may let mails go to another one."""
FORGET: Final = "forget"
MOST_CHANGES: Final = 3
"""How often a day somebody may name a new address: each time, somebody there gets a mail."""
_MAILBOX: Final = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}", re.IGNORECASE)


def ask_for_address(desk: Desk, command: words.SetAddress) -> PostPage:
    """Ask both addresses whether mails should go to the new one. The answer tells nothing about who else is here."""
    context, transaction, person, new = desk.context, desk.transaction, desk.person, command.address
    say = desk.sentences.say
    if not _MAILBOX.fullmatch(new) or context.identity.owns(new):
        return PostPage(say("head_not_done"), say("bad_address"))
    owner = transaction.person_at(new)
    if owner is not None and owner.id == person.id:
        return _switch(desk, new)
    today = str(context.now().date())
    if transaction.used(f"new address of {person.id}", since=today) >= MOST_CHANGES:
        return PostPage(say("head_not_done"), say("enough_addresses"))
    transaction.count_use(f"new address of {person.id}", today)
    _drop_kind(transaction, person.id, ADDRESS)
    until = context.now() + PATIENCE
    number = transaction.add_pending(person.id, ADDRESS, {"new": new, "agreed": ""}, until=until)
    _ask_address(context, transaction, person, number, _old(transaction, person.id), new, is_new=False)
    if owner is None and may_invite(context, transaction, new):  # one mail to somebody who never wrote, and no more
        _ask_address(context, transaction, person, number, new, new, is_new=True)
    return PostPage(
        say("head_asked_address", new), say("both_must_agree"), after=(say("nothing_there"), say("within_two_days"))
    )


def _old(transaction: Transaction, person: str) -> str:
    return transaction.addresses_of(person)[0].address


def _drop_kind(transaction: Transaction, person: str, kind: str) -> None:
    for each in transaction.pending_of(person):
        if each.kind == kind:
            transaction.drop_pending(each.id)


def _ask_address(
    context: PostContext, transaction: Transaction, person: PersonRow, number: int, to: str, new: str, *, is_new: bool
) -> None:
    sentences = _sentences(context, transaction, person)
    say, order = sentences.say, sentences.order
    page = PostPage(
        say("head_is_yours") if is_new else say("head_new_address", new),
        say("lead_is_yours") if is_new else say("lead_new_address"),
        ((say("button_agree"), order("yes")), (say("button_disagree"), order("no"))),
        after=(say("within_two_days"),),
        subject=say("head_is_yours") if is_new else say("head_new_address", new),
    )
    shown = replace(person, name="") if is_new else person  # nobody's name goes to an address that did not write
    send_page(context, transaction, shown, page, to=to, ticket=("yes", str(number)))


def _sentences(context: PostContext, transaction: Transaction, person: PersonRow) -> PostSentences:
    language = transaction.wishes_of(person.id).get("language", context.settings.post.language)
    return find_post_sentences(language)


def _switch(desk: Desk, address: str) -> PostPage:
    """Let mails go to another address of the person, which is confirmed already."""
    old = _old(desk.transaction, desk.person.id)
    if old.lower() == address.lower():
        return PostPage(desk.sentences.say("head_same_address", address))
    _change_address(desk.context, desk.transaction, desk.person, address)
    return PostPage(desk.sentences.say("head_changed_address", address))


def change_for(context: PostContext, transaction: Transaction, person: PersonRow, new: str) -> datetime | str | None:
    """The operator speaks for an old address that is dead. It is told, and can say no until the moment that this gives.

    After that moment the same again makes the change, and gives nothing; what cannot be is told in words.
    """
    owner, now = transaction.person_at(new), context.now()
    if not _MAILBOX.fullmatch(new) or context.identity.owns(new):
        return f"{new} is not an address that we can write to"
    if owner is not None and owner.id != person.id:
        return f"{new} is the address of {owner.id}"
    if not transaction.addresses_of(person.id):
        return f"{person.id} has no address"
    if _old(transaction, person.id).lower() == new.lower():
        return f"mails go to {new} already"
    waits = next((each for each in transaction.pending_of(person.id) if each.kind == BY_OPERATOR), None)
    if waits is not None and _said(waits, "new") == new and waits.due_at > now:
        since = waits.due_at - NOTICE
        if since > now:
            return since
        transaction.drop_pending(waits.id)
        _change_address(context, transaction, person, new)
        return None
    _drop_kind(transaction, person.id, BY_OPERATOR)
    number = transaction.add_pending(person.id, BY_OPERATOR, {"new": new}, until=now + 2 * NOTICE)
    sentences = _sentences(context, transaction, person)
    say, head = sentences.say, sentences.say("head_by_operator", new)
    lead = say("lead_by_operator", format_day((now + NOTICE).date(), sentences.locale.code))
    page = PostPage(head, lead, ((say("button_disagree"), sentences.order("no")),), subject=head)
    for each in transaction.addresses_of(person.id):
        send_page(context, transaction, person, page, to=each.address, ticket=("yes", str(number)))
    return now + NOTICE


def _change_address(context: PostContext, transaction: Transaction, person: PersonRow, new: str) -> None:
    """Mails go to another address; letters are taken from both, and the old one can take it back."""
    old = _old(transaction, person.id)
    for each in transaction.addresses_of(person.id):
        transaction.save_address(replace(each, writes=False))
    transaction.save_address(AddressRow(new, person.id, context.now(), writes=True))
    move_seats(transaction, person.id, new)
    _drop_kind(transaction, person.id, UNDO_ADDRESS)
    until = context.now() + UNDO
    number = transaction.add_pending(person.id, UNDO_ADDRESS, {"old": old, "new": new}, until=until)
    say = _sentences(context, transaction, person).say
    page = PostPage(
        say("head_changed_address", new),
        say("letters_from_both"),
        ((say("button_undo"), "undo"),),
        after=(say("undo_within_week"),),
        subject=say("head_changed_address", new),
    )
    send_page(context, transaction, person, page, to=old, ticket=("yes", str(number)))


def move_seats(transaction: Transaction, person: str, address: str) -> None:
    """All seats of a person follow to an address."""
    transaction.save_seats([replace(each, address=address) for each in transaction.seats_of(person)])


def receive_confirmation(
    context: PostContext, transaction: Transaction, row: LetterRow, letter: Letter, number: str
) -> tuple[bool, str]:
    """The second letter of an act: whether anything came of it, and why."""
    pending = transaction.find_pending(int(number)) if number.isdigit() else None
    if pending is None or pending.due_at < context.now():
        court_letters.answer_late(context, transaction, row, letter)
        return False, "late"
    if pending.kind == APPEAL and letter.sender.lower() in _may_answer(transaction, pending):
        voter = transaction.find_person(pending.person)
        commands = parse_post_letter(letter.words).commands
        if voter is not None:
            return receive_vote(Desk(context, transaction, voter, letter, row), pending, commands)
    if pending.kind == court_letters.COURT:
        return court_letters.receive_second(context, transaction, row, letter, pending)
    person = transaction.find_person(pending.person)
    if person is None:
        return False, "late"
    if letter.sender.lower() not in _may_answer(transaction, pending):
        return False, "other-sender"
    commands = parse_post_letter(letter.words).commands
    desk = Desk(context, transaction, person, letter, row)
    if any(isinstance(each, words.SayNo) for each in commands):
        transaction.drop_pending(pending.id)
        if pending.kind == PLAY_FOR:
            tell_refused(context, transaction, pending)
        _reply(desk, PostPage(desk.sentences.say("head_dropped"), desk.sentences.say("nothing_changes")))
        return True, "dropped"
    return _ACTS[pending.kind](desk, pending, commands) if pending.kind in _ACTS else (False, "late")


def _may_answer(transaction: Transaction, pending: PendingRow) -> set[str]:
    """Who may answer: all confirmed addresses of the person, and the new one that is asked about."""
    owned = {each.address.lower() for each in transaction.addresses_of(pending.person) if each.confirmed_at is not None}
    return owned | ({_said(pending, "new").lower()} if pending.kind == ADDRESS else set())


def _said(pending: PendingRow, what: str) -> str:
    """What is kept of an act that waits."""
    return str(pending.data.get(what, ""))


def _reply(desk: Desk, page: PostPage) -> None:
    """Answer to the address that the letter came from."""
    to, context = desk.letter.sender, desk.context
    send_page(context, desk.transaction, desk.person, page, to=to, ticket=page.ticket, answers=desk.letter)


def _says_yes(commands: tuple[PostLine, ...]) -> bool:
    """Whether somebody agrees without another word: `yes, but tomorrow` is no agreement."""
    return any(isinstance(each, words.SayYes) and not each.more for each in commands)


def _agree_to_address(desk: Desk, pending: PendingRow, commands: tuple[PostLine, ...]) -> tuple[bool, str]:
    transaction, new = desk.transaction, _said(pending, "new")
    if not _says_yes(commands):
        return False, "nothing-understood"
    side = "new" if desk.letter.sender.lower() == new.lower() else "old"
    before = _said(pending, "agreed").split()
    if side in before:
        return False, "said-before"
    agreed = sorted({*before, side})
    if agreed != ["new", "old"]:
        transaction.change_pending(pending.id, {"new": new, "agreed": " ".join(agreed)})
        say = desk.sentences.say
        _reply(desk, PostPage(say("head_agreed"), say("other_must_agree")))
        return True, "agreed"
    transaction.drop_pending(pending.id)
    if transaction.person_at(new) is not None:
        return False, "taken"
    _change_address(desk.context, transaction, desk.person, new)
    answer(desk, PostPage(desk.sentences.say("head_changed_address", new), desk.sentences.say("letters_from_both")))
    return True, "address-changed"


def _undo_address(desk: Desk, pending: PendingRow, commands: tuple[PostLine, ...]) -> tuple[bool, str]:
    """The old address takes it back: the new one is forgotten."""
    old, new, transaction = _said(pending, "old"), _said(pending, "new"), desk.transaction
    if not any(isinstance(each, words.UndoChange | words.SayYes) for each in commands):
        return False, "nothing-understood"
    if desk.letter.sender.lower() != old.lower():
        return False, "other-sender"
    transaction.drop_pending(pending.id)
    page = PostPage(desk.sentences.say("head_changed_address", old), desk.sentences.say("undone_address"))
    send_page(desk.context, transaction, desk.person, page, to=new)
    transaction.drop_address(new)
    for each in transaction.addresses_of(desk.person.id):
        transaction.save_address(replace(each, writes=each.address.lower() == old.lower()))
    move_seats(transaction, desk.person.id, old)
    # Whoever had the new address may have reply addresses of this person: they are worth nothing from now on.
    transaction.save_person(replace(desk.person, generation=desk.person.generation + 1))
    _reply(replace(desk, person=replace(desk.person, generation=desk.person.generation + 1)), page)
    return True, "address-undone"


def ask_whether_to_forget(desk: Desk, command: words.ForgetMe) -> PostPage:
    """Say what forgetting means for this person, and ask at all their addresses."""
    _drop_kind(desk.transaction, desk.person.id, FORGET)
    until = desk.context.now() + PATIENCE
    number = desk.transaction.add_pending(desk.person.id, FORGET, {"when": command.when}, until=until)
    page = ask_to_forget(desk)
    for each in desk.transaction.addresses_of(desk.person.id)[1:]:  # the answer to the letter goes to the first
        if each.confirmed_at is not None:
            send_page(desk.context, desk.transaction, desk.person, page, to=each.address, ticket=("yes", str(number)))
    return replace(page, ticket=("yes", str(number)))


def _agree_to_forget(desk: Desk, pending: PendingRow, commands: tuple[PostLine, ...]) -> tuple[bool, str]:
    """Only the words themselves count, not a yes or OK that may be meant for anything; games are never left unasked."""
    more = "\n".join(each.more for each in commands if isinstance(each, words.SayYes))
    behind = parse_post_letter(more).commands
    said = next((each.when for each in (*commands, *behind) if isinstance(each, words.ForgetMe)), None)
    when = said or _said(pending, "when")
    if said is None or (not when and live_seats(desk.transaction, desk.person.id)):
        return _ask_once_more(desk, pending, commands)
    desk.transaction.drop_pending(pending.id)
    confirm_forgetting(desk, at_end=when == words.AT_END)
    return True, LATER if when == words.AT_END else DONE


def _ask_once_more(desk: Desk, pending: PendingRow, commands: tuple[PostLine, ...]) -> tuple[bool, str]:
    """Tell somebody who says yes which words are needed; only once, for a program may say so, too."""
    if _said(pending, "again") or not any(isinstance(each, words.SayYes | words.ForgetMe) for each in commands):
        return False, "nothing-understood"
    desk.transaction.change_pending(pending.id, {**pending.data, "again": "asked"})
    _reply(desk, replace(ask_to_forget(desk, again=True), ticket=("yes", str(pending.id))))
    return False, "asked-again"


def _agree_to_delegate(desk: Desk, pending: PendingRow, commands: tuple[PostLine, ...]) -> tuple[bool, str]:
    if not _says_yes(commands):
        return False, "nothing-understood"
    return agree_to_delegate(desk, pending) if pending.kind == DELEGATE else agree_to_play(desk, pending)


_ACTS: Final[Mapping[str, Callable[[Desk, PendingRow, tuple[PostLine, ...]], tuple[bool, str]]]] = {
    ADDRESS: _agree_to_address,
    UNDO_ADDRESS: _undo_address,
    FORGET: _agree_to_forget,
    **dict.fromkeys((DELEGATE, PLAY_FOR), _agree_to_delegate),
}
"""What happens when somebody agrees."""
