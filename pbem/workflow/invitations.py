"""What people ask of the post about others: invite, challenge, play again, wait for a game, watch, block.

An address that never wrote to us gets one mail, whoever invites it, and none after a no. The inviter reads the same
answer whether the friend is known here, wants no mail, or is new: so nobody finds out who plays here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from engine import registry
from pbem.clock.time_control import control_from_terms
from pbem.events.kinds import GameOpened
from pbem.locale.cldr import format_day, format_length
from pbem.mail.post_commands import others as about_others
from pbem.mail.post_commands import tables as about_tables
from pbem.mail.post_commands.delegating import Delegate, StopDelegating
from pbem.mail.reading import parse_address
from pbem.mail.writing.counted_answers import say_share
from pbem.mail.writing.post_mails import PostPage, find_post_sentences
from pbem.people.names import fold_name
from pbem.render.players import show_name
from pbem.store.rows import PersonRow, PlaceRow
from pbem.tables.table import OVER, PLAYING
from pbem.workflow import lobby
from pbem.workflow.delegate_letters import ask_to_delegate, stop_delegating
from pbem.workflow.front_desk import Desk, address_digest, language_of, may_invite, send_invitation, tell
from pbem.workflow.gather import Gathering, ask_for, find_gathering, open_gathering, take_place
from pbem.workflow.observers import add_observer, find_observers, remove_observer
from pbem.workflow.open_seats import BLOCKS, WAITS, tell_waiting, title_of
from pbem.workflow.people import find_answers
from pbem.workflow.session import GameSession
from pbem.workflow.successors import name_for_seat
from pbem.workflow.waiting_tables import ASKED_FOR, say_all_terms

WAITING: Final = timedelta(days=90)
"""For so long somebody waits for a table of a game."""
A_DAY: Final = 5
A_MONTH: Final = 20
AT_ONCE: Final = 10
"""How many invitations one person may send: a day, a month, and without an answer."""
MOST_OBSERVERS: Final = 20


@dataclass(frozen=True, slots=True)
class _Invited:
    """Somebody who is asked to sit down: a person, or an address that nobody is known at."""

    person: PersonRow | None
    address: str = ""

    @property
    def shown(self) -> str:
        """What the inviter knows them by."""
        return self.address or show_name(self.person.name if self.person is not None else "")


def _invite(desk: Desk, command: about_others.Invite) -> PostPage:
    say = desk.sentences.say
    gathering = _sits_at(desk, command.table)
    if gathering is None and (page := name_for_seat(desk, command.who, command.table)) is not None:
        return page
    if gathering is None:
        return PostPage(say("head_not_seated", command.table)) if command.table else lobby.no_table(desk, "")
    if (refused := _refuse_invitation(desk, gathering)) is not None:
        return refused
    invited = _find_invited(desk, command.who)
    if invited is None:
        return _nobody(desk, command.who)
    _ask(desk, gathering, invited)
    day = format_day((desk.context.now() + desk.context.settings.lobby.invitations).date(), desk.language)
    return PostPage(say("head_asked", invited.shown), say("asked_until", gathering.notice.id, day))


def _challenge(desk: Desk, command: about_others.Challenge) -> PostPage:
    say = desk.sentences.say
    game = registry.find_game(command.wanted.game) if command.wanted.game else None
    invited = _find_invited(desk, command.who)
    if game is None:
        return lobby.open_table_for(desk, command.wanted)
    if invited is None:
        return _nobody(desk, command.who)
    if _counts(desk) is not None:
        return PostPage(say("head_many_invited"), say("many_invited"))
    wanted = command.wanted if command.wanted.seats else replace(command.wanted, seats=(game.players[0],) * 2)
    page = lobby.open_table_for(desk, wanted)
    opened = [each for each in desk.transaction.notices() if each.opener == desk.person.id]
    gathering = find_gathering(desk.transaction, opened[-1].id) if opened else None
    if gathering is None or gathering.notice.created_at != desk.context.now():
        return page
    _ask(desk, gathering, invited)
    day = format_day((desk.context.now() + desk.context.settings.lobby.invitations).date(), desk.language)
    return replace(page, after=(say("asked", invited.shown), say("asked_until", gathering.notice.id, day), *page.after))


def _sits_at(desk: Desk, table: str) -> Gathering | None:
    """The table that waits and at which somebody sits, by its name or because it is the only one."""
    places = [place for place in desk.transaction.places_of(desk.person.id) if place.state == "taken"]
    found = [find_gathering(desk.transaction, place.notice) for place in places if table in ("", place.notice)]
    waiting = [each for each in found if each is not None]
    return waiting[0] if len(waiting) == 1 else None


def _refuse_invitation(desk: Desk, gathering: Gathering) -> PostPage | None:
    say = desk.sentences.say
    if not gathering.free:
        return PostPage(say("head_full", gathering.notice.id))
    return PostPage(say("head_many_invited"), say("many_invited")) if _counts(desk) is not None else None


def _counts(desk: Desk) -> str | None:
    """The limit that somebody has reached who invites; None if there is none."""
    transaction, today = desk.transaction, desk.context.now().date()
    key = f"invited by {desk.person.id}"
    if transaction.used(key, since=str(today)) >= A_DAY:
        return "day"
    if transaction.used(key, since=str(today - timedelta(days=30))) >= A_MONTH:
        return "month"
    mine = [place.notice for place in transaction.places_of(desk.person.id) if place.state == "taken"]
    asked = [place for table in mine for place in transaction.places_at(table) if place.state == "asked"]
    return "at once" if len(asked) >= AT_ONCE else None


def _find_invited(desk: Desk, who: str) -> _Invited | None:
    if "@" in who:
        address = parse_address(who)
        if address is None:
            return None
        known = desk.transaction.person_at(address)
        return _Invited(known if known is not None and known.state == "confirmed" else None, address)
    named = desk.transaction.person_named(fold_name(who)) if fold_name(who) else None
    return _Invited(named) if named is not None and named.state == "confirmed" and named.id != desk.person.id else None


def _nobody(desk: Desk, who: str) -> PostPage:
    return PostPage(desk.sentences.say("head_nobody", who), desk.sentences.say("nobody"))


def _ask(desk: Desk, gathering: Gathering, invited: _Invited, seat: str = "", *, again: bool = False) -> Gathering:
    """Keep a place for somebody, and write the one mail about it, if one may be written."""
    context, transaction = desk.context, desk.transaction
    transaction.count_use(f"invited by {desk.person.id}", str(context.now().date()))
    person = invited.person
    if person is not None and any(place.person == person.id for place in gathering.places):
        return gathering
    who = address_digest(context, invited.address) if person is None else person.id
    gathering, place = ask_for(context, transaction, gathering, who, seat)
    if person is None:
        if may_invite(context, transaction, invited.address):
            page = _invitation(desk, gathering, context.settings.post.language, known=False)
            send_invitation(context, transaction, invited.address, page, place.id)
    elif BLOCKS not in _ties(desk, person) and _may_be_asked(desk, person):
        page = _invitation(desk, gathering, language_of(context, transaction, person), known=True, again=again)
        tell(context, transaction, person, page, place=place.id)
        transaction.count_use(f"{ASKED_FOR}{place.id} {person.id}", str(context.now().date()))
    return gathering


def _ties(desk: Desk, person: PersonRow) -> tuple[str, ...]:
    """Whether a person blocks the writer."""
    return (BLOCKS,) if desk.person.id in desk.transaction.bonds_of(person.id, BLOCKS) else ()


def _may_be_asked(desk: Desk, person: PersonRow) -> bool:
    key, today = f"asked {person.id}", str(desk.context.now().date())
    if desk.transaction.used(key, since=today) >= A_DAY:
        return False
    desk.transaction.count_use(key, today)
    return True


def _invitation(desk: Desk, gathering: Gathering, language: str, *, known: bool, again: bool = False) -> PostPage:
    """The mail to somebody who is invited: fixed words and the inviter's name, nothing that the inviter wrote."""
    sentences = find_post_sentences(language)
    say, order = sentences.say, sentences.order
    title, pace = sentences.gettext(gathering.game.title), format_length(gathering.notice.pace, language)
    head = say("head_rematch" if again else "head_invited", show_name(desk.person.name), title)
    buttons = [(say("button_sit"), order("yes")), (say("button_decline"), order("no"))]
    after = [
        say("kept_until", format_day((desk.context.now() + desk.context.settings.lobby.invitations).date(), language))
    ]
    if not known:
        buttons.append((say("button_never"), order("no more mail")))
        after = [say("what_is_this"), *after, say("not_again")]
    lead = say("terms_of", title, len(gathering.places), pace)
    counts = find_answers(desk.transaction, desk.person.id)
    lines = (
        say("counted_player", show_name(desk.person.name), say_share(say, counts)),
        *say_all_terms(sentences, gathering),
    )
    return PostPage(head, lead, tuple(buttons), lines, tuple(after), subject=head)


def _rematch(desk: Desk, command: about_others.Rematch) -> PostPage | None:
    say, transaction = desk.sentences.say, desk.transaction
    seats = [seat for seat in transaction.seats_of(desk.person.id) if command.table in ("", seat.game)]
    rows = [row for seat in seats if (row := transaction.find_game(seat.game)) is not None and row.stage == OVER]
    if not rows:
        return PostPage(say("head_no_rematch"), buttons=((say("button_games"), desk.sentences.order("my games")),))
    row = max(rows, key=lambda each: each.created_at)
    key = f"rematch of {row.id}"
    gathering = find_gathering(transaction, transaction.load_setting(key) or "")
    if gathering is not None:
        return accept_place(desk, gathering)
    session = GameSession(desk.context, transaction, row)
    first, terms = session.events[0].payload, session.table.terms
    options = first.options if isinstance(first, GameOpened) else {}
    names = session.table.seats
    gathering = open_gathering(
        *(desk, session.table.game, (len(names), len(names))),
        pace=control_from_terms(terms).per_turn,
        terms=terms,
        word=desk.context.new_id(),
        options=options,
        seat=_next_seat(names, next(seat.seat for seat in seats if seat.game == row.id)),
    )
    transaction.save_setting(key, gathering.notice.id)
    for seat, player in session.people.items():
        other = transaction.find_person(player.person)
        if other is not None and other.id != desk.person.id and gathering.free:
            gathering = _ask(desk, gathering, _Invited(other), _next_seat(names, seat), again=True)
    return lobby.seated_page(desk, gathering, say("head_opened", gathering.notice.id))


def _next_seat(seats: tuple[str, ...], seat: str) -> str:
    return seats[(seats.index(seat) + 1) % len(seats)]


def accept_place(desk: Desk, gathering: Gathering, place: PlaceRow | None = None) -> PostPage | None:
    """Sit down at the place that was kept for somebody."""
    say, table = desk.sentences.say, gathering.notice.id
    if any(each.person == desk.person.id for each in gathering.taken):
        return PostPage(say("head_seated", table))
    kept = place or next((each for each in gathering.places if each.person == desk.person.id), None)
    if kept is None and not gathering.free:
        return PostPage(say("head_full", table))
    return lobby.sit_down(desk, take_place(desk, gathering, asked=kept))


def _open(desk: Desk, command: about_tables.OpenTable) -> PostPage:
    """Open a table, and tell those who wait for one."""
    page = lobby.open_table_for(desk, command)
    opened = [each for each in desk.transaction.notices() if each.opener == desk.person.id]
    if not opened or opened[-1].created_at != desk.context.now() or opened[-1].word:
        return page
    tell_waiting(desk.context, desk.transaction, opened[-1].game, opened[-1].id, but={desk.person.id})
    return page


def _wait(desk: Desk, command: about_others.WaitFor) -> PostPage:
    say, until = desk.sentences.say, desk.context.now() + WAITING
    if not command.on:
        for game in registry.game_keys() if command.game is None else (command.game,):
            desk.transaction.drop_bond(desk.person.id, WAITS, game)
        return PostPage(say("head_waits_no_more"))
    if command.game is None:
        return lobby.open_table_for(desk, about_tables.OpenTable(None))
    desk.transaction.save_bond(desk.person.id, WAITS, command.game, until=until)
    title = desk.sentences.gettext(title_of(command.game))
    order = desk.sentences.order("stop waiting")
    return PostPage(say("head_waiting", title), say("waiting", format_day(until.date(), desk.language), order))


def _block(desk: Desk, command: about_others.Block) -> PostPage:
    other = desk.transaction.person_named(fold_name(command.who)) if fold_name(command.who) else None
    if other is None or other.id == desk.person.id:
        return _nobody(desk, command.who)
    say, name = desk.sentences.say, show_name(other.name)
    if not command.on:
        desk.transaction.drop_bond(desk.person.id, BLOCKS, other.id)
        return PostPage(say("head_unblocked", name))
    desk.transaction.save_bond(desk.person.id, BLOCKS, other.id)
    return PostPage(say("head_blocked", name), say("blocked", desk.sentences.order("unblock", name)))


def _watch(desk: Desk, command: about_others.Watch) -> PostPage:
    say, transaction = desk.sentences.say, desk.transaction
    owned = [each.address for each in transaction.addresses_of(desk.person.id)]
    if not command.on:
        tables = [command.table] if command.table else [row.id for row in transaction.games()]
        for table in tables:
            for address in owned:
                remove_observer(transaction, table, address)
        return PostPage(say("head_watches_no_more"))
    row, notice = transaction.find_game(command.table), transaction.find_notice(command.table)
    open_to_all = row is not None and row.stage == PLAYING and notice is not None and not notice.word
    if not open_to_all or len(find_observers(transaction, command.table)) >= MOST_OBSERVERS:
        return PostPage(say("head_no_watching", command.table), say("no_watching"))
    if any(seat.person == desk.person.id for seat in transaction.find_seats(command.table)):
        return PostPage(say("head_seated", command.table))
    wishes = transaction.wishes_of(desk.person.id)
    zone = wishes.get("zone", desk.context.settings.time.zone)
    add_observer(
        *(transaction, command.table),
        name=desk.person.name,
        address=owned[0],
        language=desk.language,
        zone=zone,
    )
    return PostPage(say("head_watching", command.table), say("watching", desk.sentences.order("stop watching")))


COMMANDS: Final[Mapping[type, Callable[[Desk, Any], PostPage | None]]] = {
    **lobby.COMMANDS,
    about_tables.OpenTable: _open,
    about_others.Invite: _invite,
    about_others.Challenge: _challenge,
    about_others.Rematch: _rematch,
    about_others.WaitFor: _wait,
    about_others.Watch: _watch,
    about_others.Block: _block,
    Delegate: ask_to_delegate,
    StopDelegating: stop_delegating,
}
"""What the post does for each kind of command."""
