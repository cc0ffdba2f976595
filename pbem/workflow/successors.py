"""Somebody takes a seat in a game that goes on: by `join`, named by another player, or seated by the referee.

The hand goes with the seat: the successor sees what the seat sees, with all that was ever opened to it. The former
player gets one last mail, made before anything else happens, and nothing after it.
"""

from collections.abc import Iterable
from dataclasses import replace
from zoneinfo import ZoneInfo

from engine.game import Seat
from pbem.clock.time_control import control_from_terms
from pbem.events.chain import Draft
from pbem.events.kinds import SeatSubstituted
from pbem.events.post_kinds import PlayerInvited
from pbem.locale.cldr import format_day, format_length
from pbem.mail.post_commands.tables import JoinTable
from pbem.mail.writing import occasions
from pbem.mail.writing.post_mails import PostPage, PostSentences, find_post_sentences
from pbem.people.names import fold_name
from pbem.render.players import show_name
from pbem.store.rows import PersonRow
from pbem.tables.decision import REFEREE
from pbem.tables.referee_decisions import seat_substitute
from pbem.workflow import announce, queue_mail
from pbem.workflow.follow_up import forget_intentions, run_follow_ups
from pbem.workflow.front_desk import Desk, language_of, tell
from pbem.workflow.observers import remove_observer
from pbem.workflow.open_game import Guest, new_seat
from pbem.workflow.open_seats import (
    ASKED_TO_SIT,
    BLOCKS,
    NAMED_FOR,
    SAW,
    OpenTable,
    find_open,
    is_public,
    refuse_unreliable,
    seat_key,
)
from pbem.workflow.session import GameSession


def seat_successor(session: GameSession, drafts: Iterable[Draft], newcomer: Guest) -> None:
    """Let events happen by which somebody comes to a seat. Only the number of mails goes on: it names them."""
    waiting = list(drafts)
    # A new player gets the full time, in the new player's own time zone.
    session.clock = replace(session.clock, zones={**session.clock.zones, newcomer.seat: ZoneInfo(newcomer.zone)})
    while waiting:
        draft = waiting.pop(0)
        session.apply_events([draft])
        if isinstance(draft.payload, SeatSubstituted | PlayerInvited) and draft.payload.seat == newcomer.seat:
            _change_player(session, newcomer, by_referee=draft.payload.by == REFEREE)


def _change_player(session: GameSession, newcomer: Guest, *, by_referee: bool) -> None:
    """Tell the old player that the seat is gone, then put the new player there; plans go with the old one."""
    seat, transaction = newcomer.seat, session.transaction
    former = session.people[seat]
    if seat not in session.before.free:  # whoever declined knows that the seat is gone
        if by_referee:
            queue_mail.queue_for_seat(session, seat, occasions.NewsMail(tuple(session.news)))
        person = transaction.find_person(former.person)
        if person is not None and person.state != "forgotten":
            transaction.save_bond(person.id, SAW, seat_key(session.row.id, seat))
            if not by_referee:
                tell(session.context, transaction, person, _farewell(session, person, newcomer))
    forget_intentions(session, seat)
    fresh = new_seat(session.context, transaction, session.row.id, newcomer)
    session.people[seat] = replace(fresh, mails_sent=session.people[seat].mails_sent)
    transaction.save_bond(fresh.person, SAW, seat_key(session.row.id, seat))


def _farewell(session: GameSession, person: PersonRow, newcomer: Guest) -> PostPage:
    """The last mail about a seat to the player who handed it on."""
    say = find_post_sentences(language_of(session.context, session.transaction, person)).say
    head = say("head_handed_on", show_name(newcomer.name), session.row.id)
    return PostPage(head, say("handed_on"), subject=head)


def take_seat(desk: Desk, command: JoinTable) -> tuple[bool, PostPage | None]:
    """Take an open seat of a game that goes on, if there is one for this person; and what else there is to say."""
    transaction, person, table = desk.transaction, desk.person, command.table
    found = find_open(desk.context, transaction, table, person.id)
    if found is None or not _may_join(desk, command):
        return False, None
    if any(each.person == person.id for each in transaction.find_seats(table)):
        return True, PostPage(desk.sentences.say("head_seated", table))
    asked = transaction.bonds_of(person.id, ASKED_TO_SIT).get(table) is not None
    if not asked and (unreliable := refuse_unreliable(desk, table, found.table.terms)) is not None:
        return True, unreliable
    wished = next((seat for seat in found.seats if seat in command.more.lower().split()), found.seats[0])
    for address in transaction.addresses_of(person.id):
        remove_observer(transaction, table, address.address)
    _sit_down(desk, found, wished)
    return True, None


def _may_join(desk: Desk, command: JoinTable) -> bool:
    """Whether a person may take an open seat: anybody may, or they were named, or they know the table's word."""
    until = desk.transaction.bonds_of(desk.person.id, ASKED_TO_SIT).get(command.table)
    if is_public(desk.transaction, command.table) or (until is not None and until >= desk.context.now()):
        return True
    notice = desk.transaction.find_notice(command.table)
    return notice is not None and notice.word in command.more.lower().split()


def _sit_down(desk: Desk, found: OpenTable, seat: Seat) -> None:
    """Put a person into a seat; the first mail about it tells everything, so there is no other answer."""
    context, transaction, person = desk.context, desk.transaction, desk.person
    row = transaction.find_game(found.table.id)
    if row is None:
        raise LookupError(found.table.id)
    session = GameSession(context, transaction, row)
    address = transaction.addresses_of(person.id)[0].address
    newcomer = Guest(seat, person.name, address, desk.language, desk.zone)
    decision = seat_substitute(session.table, seat, person.name, session.dealer(), by=seat)
    seat_successor(session, decision.drafts, newcomer)
    announce.notify_events(session, run_follow_ups(session), newcomer=seat)
    session.save()
    transaction.drop_bond(person.id, ASKED_TO_SIT, row.id)


def name_for_seat(desk: Desk, who: str, table: str) -> PostPage | None:
    """A player names somebody for an open seat, who is asked in one mail; None if there is no such seat."""
    transaction, say = desk.transaction, desk.sentences.say
    sits = [each.game for each in transaction.seats_of(desk.person.id) if table in ("", each.game)]
    named = transaction.person_named(fold_name(who)) if fold_name(who) else None
    other = named.id if named is not None else ""
    open_ones = [found for game in sits if (found := find_open(desk.context, transaction, game, other)) is not None]
    if not sits or (table and not open_ones) or len(open_ones) != 1:
        return None
    (found,) = open_ones
    if named is None or named.state != "confirmed" or named.id == desk.person.id:
        return PostPage(say("head_nobody", who), say("names_only"))
    until = desk.context.now() + NAMED_FOR
    if desk.person.id not in transaction.bonds_of(named.id, BLOCKS) and _may_be_named(desk, named):
        transaction.save_bond(named.id, ASKED_TO_SIT, found.table.id, until=until)
        tell(desk.context, transaction, named, _invitation(desk, named, found))
    day = format_day(until.date(), desk.language)
    return PostPage(say("head_asked", show_name(named.name)), say("named_until", found.table.id, day))


def _may_be_named(desk: Desk, person: PersonRow) -> bool:
    """Whether somebody may be asked again today: once for each table, whoever asks."""
    key, today = f"named to {person.id}", str(desk.context.now().date())
    if desk.transaction.used(key, since=today):
        return False
    desk.transaction.count_use(key, today)
    return True


def _invitation(desk: Desk, person: PersonRow, found: OpenTable) -> PostPage:
    language = language_of(desk.context, desk.transaction, person)
    sentences = find_post_sentences(language)
    say, table = sentences.say, found.table.id
    head = say("head_named", show_name(desk.person.name), sentences.gettext(found.table.game.title))
    buttons = ((say("button_join", table), sentences.order("join", table)),)
    until = format_day((desk.context.now() + NAMED_FOR).date(), language)
    line = say_open_seat(sentences, found, language)
    return PostPage(head, say("seat_open"), buttons, (line,), (say("may_join_until", until),), subject=head)


def say_open_seat(sentences: PostSentences, found: OpenTable, language: str) -> str:
    """A line about a game that goes on and has a seat for somebody."""
    table = found.table
    pace = format_length(control_from_terms(table.terms).per_turn, language)
    return sentences.say("open_seat_line", table.id, sentences.gettext(table.game.title), table.turn, pace)
