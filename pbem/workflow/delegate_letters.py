"""Letters about a seat that somebody else is to play for some days: asked, said back, confirmed, agreed to, ended.

It takes two letters of the player and one of the delegate. Until that one has come, the player answers for the seat.
"""

from datetime import timedelta
from typing import Final

from pbem.mail.post_commands.delegating import Delegate, StopDelegating, find_day
from pbem.mail.writing.post_mails import PostPage, find_post_sentences
from pbem.people.names import fold_name
from pbem.render.players import show_name
from pbem.store.rows import PendingRow, PersonRow
from pbem.store.store import Transaction
from pbem.tables.table import PLAYING
from pbem.workflow.context import PostContext
from pbem.workflow.delegates import (
    Delegation,
    begin_delegation,
    can_be_delegated,
    end_delegation,
    find_delegations,
    keep_delegation,
    may_play_for,
    say_until,
    today_of,
    write_both,
)
from pbem.workflow.front_desk import Desk, answer, is_hushed, language_of, send_page, tell
from pbem.workflow.open_seats import is_met_gladly
from pbem.workflow.people import live_seats
from pbem.workflow.session import GameSession

DELEGATE: Final = "delegate"
"""What waits for the second letter of the player."""
PLAY_FOR: Final = "play for"
"""What waits for the answer of the delegate."""
_SECOND_LETTER: Final = timedelta(hours=48)
_ANSWER: Final = timedelta(days=7)
_LONGEST: Final = timedelta(days=90)
_ASKED_A_DAY: Final = 3
"""How often a day one person can ask others to play for them."""


def ask_to_delegate(desk: Desk, command: Delegate) -> PostPage:
    """Say back what will happen, and ask whether it should."""
    transaction, say = desk.transaction, desk.sentences.say
    seats = [each for each in live_seats(transaction, desk.person.id) if command.table in ("", each.game)]
    if len(seats) != 1:
        return PostPage(say("head_delegate_where"), lines=tuple(sorted(each.game for each in seats)))
    (seat,) = seats
    today = today_of(desk.context, transaction, desk.person.id)
    days = [day for each in command.days if (day := find_day(each, today)) is not None]
    if len(days) != 2 or not (today <= days[1] and days[0] <= days[1] <= days[0] + _LONGEST):
        return PostPage(say("head_delegate_days"), say("delegate_days"))
    named = transaction.person_named(fold_name(command.who)) if fold_name(command.who) else None
    if named is None or named.state != "confirmed" or named.id == desk.person.id:
        return PostPage(say("head_nobody", command.who), say("names_only"))
    first, last = (day.isoformat() for day in days)
    wanted = Delegation(seat.game, seat.seat, desk.person.id, named.id, first, last)
    if (refused := _refuse(desk, wanted, named)) is not None:
        return refused
    _drop_asked(desk, wanted.game)
    until = desk.context.now() + _SECOND_LETTER
    number = transaction.add_pending(desk.person.id, DELEGATE, _data(wanted), until=until)
    name = show_name(named.name)
    page = PostPage(
        say("head_delegate", name, wanted.game),
        f"{say_until(wanted, desk.language)} {say('lead_delegate', name)}",
        ((say("button_agree"), desk.sentences.order("yes")), (say("button_disagree"), desk.sentences.order("no"))),
        after=(say("within_two_days"),),
        ticket=("yes", str(number)),
    )
    for each in transaction.addresses_of(desk.person.id)[1:]:  # the answer to the letter goes to the first
        if each.confirmed_at is not None:
            send_page(desk.context, transaction, desk.person, page, to=each.address, ticket=page.ticket)
    return page


def _refuse(desk: Desk, wanted: Delegation, named: PersonRow) -> PostPage | None:
    """Why somebody cannot play for another; None if that is possible."""
    say, row = desk.sentences.say, desk.transaction.find_game(wanted.game)
    if row is None or row.stage != PLAYING or find_delegations(desk.transaction, wanted.owner, wanted.game):
        return PostPage(say("head_not_done"), say("delegate_not_now"))
    if not can_be_delegated(GameSession(desk.context, desk.transaction, row), wanted.seat, wanted.owner):
        return PostPage(say("head_not_done"), say("delegate_not_now"))
    if not may_play_for(desk.transaction, named, wanted.game):
        return PostPage(say("head_not_done"), say("delegate_knows", show_name(named.name), wanted.game))
    return None


def _data(wanted: Delegation) -> dict[str, str]:
    return {
        "game": wanted.game,
        "seat": wanted.seat,
        "owner": wanted.owner,
        "delegate": wanted.delegate,
        "first": wanted.first,
        "last": wanted.last,
    }


def _wanted(pending: PendingRow) -> Delegation:
    game, seat, owner, delegate, first, last = (
        str(pending.data[name]) for name in ("game", "seat", "owner", "delegate", "first", "last")
    )
    return Delegation(game, seat, owner, delegate, first, last)


def _drop_asked(desk: Desk, game: str) -> bool:
    """Let nothing wait for an answer that this person wants, or is asked, about a table; whether anything did."""
    beyond = desk.context.now() + 2 * _ANSWER
    waits = [each for kind in (DELEGATE, PLAY_FOR) for each in desk.transaction.past_pending(kind, beyond)]
    mine = [each for each in waits if desk.person.id in (_wanted(each).owner, each.person)]
    dropped = [each for each in mine if game in ("", _wanted(each).game)]
    for each in dropped:
        desk.transaction.drop_pending(each.id)
    return bool(dropped)


def agree_to_delegate(desk: Desk, pending: PendingRow) -> tuple[bool, str]:
    """The second letter: the delegate is asked."""
    transaction, wanted, say = desk.transaction, _wanted(pending), desk.sentences.say
    transaction.drop_pending(pending.id)
    named, today = transaction.find_person(wanted.delegate), str(desk.context.now().date())
    refused = PostPage(say("head_not_done"), say("delegate_not_now")) if named is None else _refuse(desk, wanted, named)
    if refused is not None or named is None:
        answer(desk, refused or PostPage(say("head_not_done")))
        return False, "not-possible"
    if transaction.used(f"delegates asked by {desk.person.id}", since=today) >= _ASKED_A_DAY:
        answer(desk, PostPage(say("head_many_invited"), say("many_invited")))
        return False, "asked-enough"
    transaction.count_use(f"delegates asked by {desk.person.id}", today)
    _ask(desk, wanted, named)
    answer(desk, PostPage(say("head_asked", show_name(named.name)), say("plays_until_agreed")))
    return True, "delegate-asked"


def _ask(desk: Desk, wanted: Delegation, named: PersonRow) -> None:
    """Ask somebody whether they would play. The player reads the same whether that one wants to be asked or not."""
    context, transaction = desk.context, desk.transaction
    addresses = transaction.addresses_of(named.id)
    gladly = is_met_gladly(transaction, named.id, wanted.game)
    if not addresses or not gladly or is_hushed(context, transaction, addresses[0].address):
        return
    number = transaction.add_pending(named.id, PLAY_FOR, _data(wanted), until=context.now() + _ANSWER)
    language = language_of(context, transaction, named)
    sentences = find_post_sentences(language)
    say, order = sentences.say, sentences.order
    head = say("head_play_for", show_name(desk.person.name), wanted.game)
    buttons = ((say("button_agree"), order("yes")), (say("button_disagree"), order("no")))
    page = PostPage(head, f"{say_until(wanted, language)} {say('lead_play_for')}", buttons, subject=head)
    send_page(context, transaction, named, page, ticket=("yes", str(number)))


def agree_to_play(desk: Desk, pending: PendingRow) -> tuple[bool, str]:
    """The delegate agrees: it begins, or is kept until its first day."""
    transaction, wanted, say = desk.transaction, _wanted(pending), desk.sentences.say
    transaction.drop_pending(pending.id)
    today = today_of(desk.context, transaction, wanted.owner).isoformat()
    if wanted.last < today or _refuse(desk, wanted, desk.person) is not None:
        answer(desk, PostPage(say("head_gone")))
        return False, "late"
    if wanted.first <= today:
        begun = begin_delegation(desk.context, transaction, wanted)
        if not begun:
            answer(desk, PostPage(say("head_gone")))
        return begun, "delegated" if begun else "late"
    keep_delegation(transaction, wanted)
    write_both(desk.context, transaction, wanted)
    return True, "agreed"


def tell_refused(context: PostContext, transaction: Transaction, pending: PendingRow) -> None:
    """The delegate does not want to: the player is told."""
    wanted = _wanted(pending)
    owner, named = transaction.find_person(wanted.owner), transaction.find_person(wanted.delegate)
    if owner is not None and named is not None:
        say = find_post_sentences(language_of(context, transaction, owner)).say
        head = say("head_plays_not", show_name(named.name), wanted.game)
        tell(context, transaction, owner, PostPage(head, say("plays_until_agreed"), subject=head))


def stop_delegating(desk: Desk, command: StopDelegating) -> PostPage:
    """End what one of the two wants no more, and ask nobody any more."""
    transaction, say = desk.transaction, desk.sentences.say
    found = find_delegations(transaction, desk.person.id, command.table)
    dropped = _drop_asked(desk, command.table)
    for each in found:
        end_delegation(desk.context, transaction, each)
    if not found and not dropped:
        return PostPage(say("head_no_delegate"))
    return PostPage(say("head_delegate_stopped"))
