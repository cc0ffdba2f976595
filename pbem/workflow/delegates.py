"""Somebody plays for the player of a seat for some days, and gives the seat back by itself when they are over.

While it lasts, the seat's row is the delegate's: mails go there and letters are taken from there. Whose seat it is
stands in a setting, so that nothing is lost when the post is started anew. The delegate is tied to the seat for good.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from engine.game import Seat
from pbem.events.chain import Draft
from pbem.events.post_kinds import DelegationEnded, SeatDelegated
from pbem.locale.cldr import format_day
from pbem.mail.writing.post_mails import PostPage, find_post_sentences
from pbem.render.players import show_name
from pbem.store.rows import PersonRow
from pbem.store.store import Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import PLAYING
from pbem.workflow import announce
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import forget_intentions, run_follow_ups
from pbem.workflow.front_desk import language_of, tell
from pbem.workflow.observers import remove_observer
from pbem.workflow.open_game import Guest, new_seat
from pbem.workflow.open_seats import SAW, is_met_gladly, seat_key
from pbem.workflow.session import GameSession

PLAYED_FOR: Final = "played for"
"""The tie of a person to the event by which they began to play for somebody."""
_KEPT: Final = "delegation of "


@dataclass(frozen=True, slots=True)
class Delegation:
    """Somebody has agreed to play for somebody else."""

    game: str
    seat: Seat
    owner: str
    delegate: str
    first: str
    last: str
    event: int = 0
    """The event by which it began; 0 while its days are to come."""

    @property
    def key(self) -> str:
        """The name under which it is kept."""
        return f"{_KEPT}{seat_key(self.game, self.seat)}"


def find_delegations(transaction: Transaction, person: str = "", game: str = "") -> list[Delegation]:
    """What has been agreed: everything, or what concerns one person or one table."""
    kept = (Delegation(**json.loads(each)) for each in transaction.load_settings(_KEPT).values())
    return [each for each in kept if person in ("", each.owner, each.delegate) and game in ("", each.game)]


def lent_by(transaction: Transaction, person: str) -> list[Delegation]:
    """The seats of a person that somebody else plays now: their rows are the delegates', and so not among theirs."""
    return [each for each in find_delegations(transaction, person) if each.event and each.owner == person]


def lent_to(transaction: Transaction, person: str) -> list[Delegation]:
    """The seats that a person plays for somebody else now: their rows are the person's for these days alone."""
    return [each for each in find_delegations(transaction, person) if each.event and each.delegate == person]


def keep_delegation(transaction: Transaction, delegation: Delegation) -> None:
    """Remember what was agreed, or what became of it."""
    transaction.save_setting(delegation.key, json.dumps(asdict(delegation)))


def today_of(context: PostContext, transaction: Transaction, person: str) -> date:
    """Which day it is where somebody lives."""
    zone = transaction.wishes_of(person).get("zone", context.settings.time.zone)
    return context.now().astimezone(ZoneInfo(zone)).date()


def may_play_for(transaction: Transaction, person: PersonRow, game: str) -> bool:
    """Whether somebody can play for another: confirmed, no part of the table, and has never seen a hand of it."""
    saw = any(each.endswith(seat_key(game, "")) for each in transaction.bonds_of(person.id, SAW))
    sits = any(each.person == person.id for each in transaction.find_seats(game))
    lent = any(each.owner == person.id for each in find_delegations(transaction, game=game))
    decides = (person.id, game) in transaction.offices("referee")
    return person.state == "confirmed" and not (saw or sits or lent or decides)


def can_be_delegated(session: GameSession, seat: Seat, owner: str) -> bool:
    """Whether somebody else can play a seat for its player now."""
    table = session.table
    if table.stage != PLAYING or not table.is_second_form or session.people[seat].person != owner:
        return False
    return seat not in table.resigned and seat not in table.stand_ins.delegated


def begin_delegation(context: PostContext, transaction: Transaction, agreed: Delegation) -> bool:
    """Let the delegate play from now on; False, and it is dropped, if that is not possible any more."""
    session, delegate = _open(context, transaction, agreed.game), transaction.find_person(agreed.delegate)
    if (
        delegate is None
        or not may_play_for(transaction, delegate, agreed.game)
        or not is_met_gladly(transaction, delegate.id, agreed.game)
        or not can_be_delegated(session, agreed.seat, agreed.owner)
    ):
        transaction.drop_setting(agreed.key)
        return False
    for address in transaction.addresses_of(delegate.id):
        remove_observer(transaction, agreed.game, address.address)
    first, last = date.fromisoformat(agreed.first), date.fromisoformat(agreed.last)
    session.apply_events([Draft(SeatDelegated(agreed.seat, "", delegate.name, first, last))])
    begun = replace(agreed, event=session.table.seq)
    keep_delegation(transaction, begun)
    for each in (agreed.owner, agreed.delegate):
        transaction.save_bond(each, SAW, seat_key(agreed.game, agreed.seat))
    transaction.save_bond(delegate.id, PLAYED_FOR, f"{agreed.game} {begun.event}")
    write_both(context, transaction, begun)
    _hand_over(session, begun, delegate)
    return True


def end_delegation(context: PostContext, transaction: Transaction, delegation: Delegation) -> None:
    """Give a seat back to its player; whoever played for that player gets one last mail about it."""
    transaction.drop_setting(delegation.key)
    if not delegation.event:
        return
    session = _open(context, transaction, delegation.game)
    owner = transaction.find_person(delegation.owner)
    if owner is None or session.people[delegation.seat].person != delegation.delegate:
        return  # somebody else has taken the seat since
    if session.table.stage == PLAYING and delegation.seat in session.table.stand_ins.delegated:
        session.apply_events([Draft(DelegationEnded(delegation.seat))])
    for each, head in ((delegation.delegate, "head_delegation_over"), (delegation.owner, "head_seat_back")):
        person = transaction.find_person(each)
        if person is not None:
            say = find_post_sentences(language_of(context, transaction, person)).say
            lead = say("delegation_over") if each == delegation.delegate else ""
            said = say(head, delegation.game)
            tell(context, transaction, person, PostPage(said, lead, subject=said))
    _hand_over(session, delegation, owner)


def _open(context: PostContext, transaction: Transaction, game: str) -> GameSession:
    row = transaction.find_game(game)
    if row is None:
        raise LookupError(game)
    return GameSession(context, transaction, row)


def _hand_over(session: GameSession, delegation: Delegation, person: PersonRow) -> None:
    """Put somebody into the seat's row; plans go with whoever made them. The number of mails goes on: it names them."""
    context, transaction, seat = session.context, session.transaction, delegation.seat
    wishes, time = transaction.wishes_of(person.id), context.settings.time
    address = transaction.addresses_of(person.id)[0].address
    guest = Guest(seat, person.name, address, language_of(context, transaction, person), wishes.get("zone", time.zone))
    forget_intentions(session, seat)
    fresh = new_seat(context, transaction, delegation.game, guest)
    session.clock = replace(session.clock, zones={**session.clock.zones, seat: ZoneInfo(fresh.zone)})
    session.people[seat] = replace(fresh, mails_sent=session.people[seat].mails_sent)
    announce.notify_events(session, run_follow_ups(session) if session.news else None, newcomer=seat)
    session.save()


def write_both(context: PostContext, transaction: Transaction, delegation: Delegation) -> None:
    """Tell the player and the delegate what was agreed, and how either of them ends it."""
    owner, delegate = (transaction.find_person(each) for each in (delegation.owner, delegation.delegate))
    for reader, other, head in ((owner, delegate, "head_plays_for_you"), (delegate, owner, "head_you_play_for")):
        if reader is not None and other is not None:
            language = language_of(context, transaction, reader)
            said = find_post_sentences(language).say(head, show_name(other.name), delegation.game)
            page = PostPage(said, say_until(delegation, language), stop_button(delegation, language))
            tell(context, transaction, reader, replace(page, subject=said))


def say_until(delegation: Delegation, language: str) -> str:
    """From which day to which."""
    first, last = (format_day(date.fromisoformat(each), language) for each in (delegation.first, delegation.last))
    return find_post_sentences(language).say("delegated_days", first, last)


def stop_button(delegation: Delegation, language: str) -> tuple[tuple[str, str], ...]:
    """The button by which either of the two ends it."""
    sentences = find_post_sentences(language)
    return ((sentences.say("button_delegate_off"), sentences.order("delegate off", delegation.game)),)


def due_delegations(context: PostContext, transaction: Transaction) -> list[Delegation]:
    """What begins or ends now."""
    agreed = find_delegations(transaction)
    return [each for each in agreed if _is_over(context, transaction, each) or _begins(context, transaction, each)]


def settle_delegation(context: PostContext, transaction: Transaction, delegation: Delegation) -> str:
    """Begin or end what is due; what was done."""
    if _is_over(context, transaction, delegation):
        end_delegation(context, transaction, delegation)
        return "delegation ended"
    return "delegation began" if begin_delegation(context, transaction, delegation) else "delegation dropped"


def _is_over(context: PostContext, transaction: Transaction, each: Delegation) -> bool:
    row = transaction.find_game(each.game)
    past = each.last < today_of(context, transaction, each.owner).isoformat()
    return past or row is None or row.stage != PLAYING


def _begins(context: PostContext, transaction: Transaction, each: Delegation) -> bool:
    return not each.event and each.first <= today_of(context, transaction, each.owner).isoformat()


def end_all_of(context: PostContext, transaction: Transaction, person: str) -> None:
    """Somebody leaves for good: nobody plays for them, and they play for nobody."""
    for each in find_delegations(transaction, person):
        with suppress(BrokenHistoryError):
            end_delegation(context, transaction, each)


def played_for_others(transaction: Transaction, person: str) -> Iterator[tuple[str, int]]:
    """The tables and events at which somebody began to play for somebody else."""
    for each in transaction.bonds_of(person, PLAYED_FOR):
        game, _, event = each.rpartition(" ")
        yield game, int(event)
