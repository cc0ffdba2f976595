"""What people ask of the post, one command at a time: each becomes a page of the answer."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine import registry
from pbem.locale.cldr import format_day, format_length, join_list
from pbem.mail.post_commands import person as about_me
from pbem.mail.post_commands import tables as about_tables
from pbem.mail.writing.counted_answers import say_share
from pbem.mail.writing.post_mails import PostPage
from pbem.people.names import read_name
from pbem.render.players import show_name
from pbem.store.rows import PersonRow
from pbem.tables.decision import Refused
from pbem.tables.holidays import settle_holidays
from pbem.tables.reliability import RELIABILITY, needed_reliability
from pbem.tables.table import AT_ONCE, FORCED
from pbem.tables.terms import with_terms
from pbem.workflow.front_desk import Desk, hush, not_understood, rename
from pbem.workflow.gather import (
    Gathering,
    begin_game,
    close_gathering,
    find_gathering,
    is_blocked_at,
    keep_gathering,
    lapses_at,
    leave_place,
    list_gatherings,
    open_gathering,
    take_place,
)
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_seats import list_open, refuse_unreliable
from pbem.workflow.people import find_answers
from pbem.workflow.person_desk import PERSON_COMMANDS
from pbem.workflow.second_letters import ask_for_address, ask_whether_to_forget
from pbem.workflow.successors import say_open_seat, take_seat
from pbem.workflow.waiting_tables import say_all_terms, tell_gone

SHOWN: Final = 5
"""Tables in one list."""
GUESSES: Final = 5
"""Wrong words for private tables, of one person in a day. Each is answered as if there were no such table."""


def _greet(desk: Desk, command: about_me.SayYes) -> PostPage:
    name = read_name(command.name) if command.name else None
    person = rename(desk.transaction, desk.person, name) if name and name != desk.person.name else desk.person
    listed = _list_tables(desk, about_tables.ListTables())
    say = desk.sentences.say
    return PostPage(
        say("head_known", show_name(person.name)),
        listed.headline if listed.lines else say("lead_known"),
        (*listed.buttons, (say("button_open"), desk.sentences.order("open", "nomadi", "seats", "4", "pace", "3d"))),
        listed.lines,
        (say("open_own"), say("change_name")),
    )


def _decline(desk: Desk, command: about_me.SayNo) -> PostPage:
    return PostPage(desk.sentences.say("head_gone"))


def _stop(desk: Desk, command: about_me.StopMail) -> PostPage:
    for address in desk.transaction.addresses_of(desk.person.id):
        hush(desk.context, desk.transaction, address.address)
    return PostPage(desk.sentences.say("head_stopped"))


def _help(desk: Desk, command: about_me.AskHelp) -> PostPage:
    return not_understood(desk)


def _list_tables(desk: Desk, command: about_tables.ListTables) -> PostPage:
    found = list_gatherings(desk.transaction, desk.person.id)
    seats = list_open(desk.context, desk.transaction, desk.person.id)
    say, language = desk.sentences.say, desk.language
    names = [*(each.notice.id for each in found[:SHOWN]), *(each.table.id for each in seats[:SHOWN])]
    return PostPage(
        say("head_tables", len(found) + len(seats)),
        buttons=tuple((say("button_join", each), desk.sentences.order("join", each)) for each in names[:SHOWN]),
        lines=(
            *(_table_line(desk, each) for each in found[: 2 * SHOWN]),
            *(say_open_seat(desk.sentences, each, language) for each in seats[:SHOWN]),
        ),
        after=(say("open_own"),),
    )


def _table_line(desk: Desk, gathering: Gathering) -> str:
    named = (desk.transaction.find_person(place.person) for place in gathering.taken)
    names = "; ".join(_say_player(desk, each) for each in named if each is not None)
    title = desk.sentences.gettext(gathering.game.title)
    pace = format_length(gathering.notice.pace, desk.language)
    facts = (gathering.notice.id, title, len(gathering.taken), len(gathering.places), names, pace)
    return desk.sentences.say("table_line", *facts)


def _say_player(desk: Desk, person: PersonRow) -> str:
    """A player's name, and how reliably that player answers."""
    say = desk.sentences.say
    return say("counted_player", show_name(person.name), say_share(say, find_answers(desk.transaction, person.id)))


def _show_table(desk: Desk, command: about_tables.ShowTable) -> PostPage:
    gathering = find_gathering(desk.transaction, command.table)
    if gathering is None or gathering.notice.word:
        return no_table(desk, command.table)
    return _terms_page(desk, gathering)


def _terms_page(desk: Desk, gathering: Gathering) -> PostPage:
    say, table = desk.sentences.say, gathering.notice.id
    buttons = ((say("button_join", table), desk.sentences.order("join", table)),)
    lines = (_table_line(desk, gathering), *say_all_terms(desk.sentences, gathering))
    return PostPage(say("head_terms", table), _say_terms(desk, gathering), buttons, lines)


def _say_terms(desk: Desk, gathering: Gathering) -> str:
    title, pace = desk.sentences.gettext(gathering.game.title), format_length(gathering.notice.pace, desk.language)
    said = desk.sentences.say("terms_of", title, len(gathering.places), pace)
    needed = needed_reliability(gathering.notice.terms)
    return f"{said} {desk.sentences.say('needs_reliability', needed)}" if needed else said


def open_table_for(desk: Desk, command: about_tables.OpenTable) -> PostPage:
    """Open a table that waits for players."""
    say, settings = desk.sentences.say, desk.context.settings
    game = registry.find_game(command.game) if command.game else None
    if game is None:
        known = (registry.find_game(key) for key in registry.game_keys())
        listed = join_list(
            tuple(desk.sentences.gettext(each.title) for each in known if each is not None), desk.language
        )
        return PostPage(say("head_no_game"), say("known_games", listed), after=(say("nothing_opened"), say("open_own")))
    title = desk.sentences.gettext(game.title)
    seats = command.seats or (game.players[-1], game.players[-1])
    if seats[0] not in game.players or seats[1] not in game.players:
        nearest = min(game.players, key=lambda count: abs(count - seats[0]))
        order = desk.sentences.order("open", title, "seats", str(nearest))
        head = say("head_seats", title, game.players[0], game.players[-1])
        return PostPage(head, say("nothing_opened"), ((order, order),))
    if (enough := sits_at_enough(desk)) is not None:
        return enough
    time = settings.time if command.pace is None else replace(settings.time, per_turn=command.pace, mode="deadline")
    today = desk.context.now().date()
    own, unknown = with_terms(terms_of(time), [settle_holidays(each, today) for each in command.terms])
    own |= {RELIABILITY: command.reliability} if command.reliability else {}
    own |= {FORCED: AT_ONCE} if time.forced == AT_ONCE else {}
    gathering = open_gathering(
        *(desk, game, seats),
        pace=time.per_turn,
        terms=own,
        title=command.title,
        word=command.word,
    )
    page = seated_page(desk, gathering, say("head_opened", gathering.notice.id))
    unread = ", ".join(each for each in (*unknown, command.unread) if each)
    return replace(page, after=(*page.after, say("not_read", unread))) if unread else page


def sits_at_enough(desk: Desk) -> PostPage | None:
    """What somebody is told who sits at as many tables that wait as the post allows; None if there are fewer."""
    places = [place for place in desk.transaction.places_of(desk.person.id) if place.state == "taken"]
    sits = [place for place in places if _waits(desk, place.notice)]
    if len(sits) < desk.context.settings.lobby.waiting_tables:
        return None
    return PostPage(desk.sentences.say("head_enough", len(sits)), desk.sentences.say("enough"))


def _waits(desk: Desk, table: str) -> bool:
    return find_gathering(desk.transaction, table) is not None


def seated_page(desk: Desk, gathering: Gathering, headline: str) -> PostPage:
    """What somebody is told who sits at a table that waits."""
    say, table = desk.sentences.say, gathering.notice.id
    order, lapses = desk.sentences.order, lapses_at(desk.context, gathering.notice)
    after = [say("begins_when", gathering.missing)]
    if gathering.notice.least:
        after.append(say("start_with", gathering.notice.least, order("start", table)))
    after.append(say("lapses", format_day(lapses.date(), desk.language)))
    buttons = ((say("button_leave"), order("leave", table)),)
    lines = (_table_line(desk, gathering), *say_all_terms(desk.sentences, gathering))
    return PostPage(headline, _say_terms(desk, gathering), buttons, lines, tuple(after))


def _join(desk: Desk, command: about_tables.JoinTable) -> PostPage | None:
    say, gathering = desk.sentences.say, find_gathering(desk.transaction, command.table)
    if gathering is None:
        taken, page = take_seat(desk, command)
        return page if taken else no_table(desk, command.table)
    if gathering.notice.word and not _knows_word(desk, gathering.notice.word, command.more):
        return no_table(desk, command.table)
    if is_blocked_at(desk.transaction, gathering, desk.person.id):
        return no_table(desk, command.table)
    if (unreliable := refuse_unreliable(desk, command.table, gathering.notice.terms)) is not None:
        return unreliable
    if (enough := sits_at_enough(desk)) is not None:
        return enough
    if any(place.person == desk.person.id for place in gathering.taken):
        return PostPage(say("head_seated", command.table))
    if not gathering.free:
        return PostPage(say("head_full", command.table), lines=_list_tables(desk, about_tables.ListTables()).lines)
    wished = next((seat for seat in gathering.game.seats if seat in command.more.lower().split()), "")
    return sit_down(desk, take_place(desk, gathering, wished))


def _knows_word(desk: Desk, word: str, said: str) -> bool:
    """Whether somebody knows the word of a private table; who has guessed often today does not, whatever they say."""
    key, today = f"guesses of {desk.person.id}", str(desk.context.now().date())
    if desk.transaction.used(key, since=today) >= GUESSES:
        return False
    if word in said.lower().split():
        return True
    if said:
        desk.transaction.count_use(key, today)
    return False


def sit_down(desk: Desk, joined: Gathering) -> PostPage | None:
    """What somebody is told who has just sat down; if the table begins and its first mail tells it, nothing."""
    say, table = desk.sentences.say, joined.notice.id
    return seated_page(desk, joined, say("head_joined", table)) if joined.missing else _begin(desk, joined)


def _begin(desk: Desk, gathering: Gathering) -> PostPage | None:
    say, table = desk.sentences.say, gathering.notice.id
    begun = begin_game(desk.context, desk.transaction, gathering)
    if isinstance(begun, Refused):
        raise ValueError(f"{table} cannot begin: {begun.says}")
    if any(seat.person == desk.person.id and seat.mails_sent for seat in begun.people.values()):
        return None
    return PostPage(say("head_begins", table), say("begins"), lines=say_all_terms(desk.sentences, gathering))


def _start(desk: Desk, command: about_tables.StartTable) -> PostPage | None:
    gathering = _mine(desk, command.table)
    if gathering is None:
        return _not_mine(desk, command.table)
    say, table = desk.sentences.say, gathering.notice.id
    if not gathering.may_start:
        return seated_page(desk, gathering, say("head_too_few", table))
    return _begin(desk, gathering)


def _close(desk: Desk, command: about_tables.CloseTable) -> PostPage:
    gathering = _mine(desk, command.table)
    if gathering is None:
        return _not_mine(desk, command.table)
    others = [each for each in close_gathering(desk.transaction, gathering, lapsed=False) if each.id != desk.person.id]
    tell_gone(desk.context, desk.transaction, gathering, others)
    return PostPage(desk.sentences.say("head_closed", gathering.notice.id))


def _keep(desk: Desk, command: about_tables.KeepTable) -> PostPage:
    gathering = _mine(desk, command.table)
    if gathering is None:
        return _not_mine(desk, command.table)
    kept = keep_gathering(desk.context, desk.transaction, gathering)
    return seated_page(desk, kept, desk.sentences.say("head_kept", kept.notice.id))


def _mine(desk: Desk, table: str) -> Gathering | None:
    """The table that somebody has opened, by its name or because it is the only one."""
    opened = [each for each in desk.transaction.notices() if each.opener == desk.person.id and table in ("", each.id)]
    return find_gathering(desk.transaction, opened[0].id) if len(opened) == 1 else None


def _not_mine(desk: Desk, table: str) -> PostPage:
    return no_table(desk, table) if table else not_understood(desk)


def _leave(desk: Desk, command: about_tables.LeaveTable) -> PostPage:
    say = desk.sentences.say
    mine = [place.notice for place in desk.transaction.places_of(desk.person.id) if place.state == "taken"]
    open_ones = [table for table in mine if _waits(desk, table)]
    table = command.table or (open_ones[0] if len(open_ones) == 1 else "")
    gathering = find_gathering(desk.transaction, table) if table in open_ones else None
    if gathering is None:
        return (
            PostPage(say("head_not_seated", table)) if table else PostPage(say("head_games", 0), lines=tuple(open_ones))
        )
    leave_place(desk, gathering)
    return PostPage(say("head_left", table), say("left_free"))


def no_table(desk: Desk, table: str) -> PostPage:
    """What somebody is told who names a table that does not wait, or not for them."""
    listed = _list_tables(desk, about_tables.ListTables())
    return PostPage(desk.sentences.say("head_no_table", table), buttons=listed.buttons, lines=listed.lines)


COMMANDS: Final[Mapping[type, Callable[[Desk, Any], PostPage | None]]] = {
    about_me.SayYes: _greet,
    about_me.SayNo: _decline,
    about_me.StopMail: _stop,
    about_me.AskHelp: _help,
    **PERSON_COMMANDS,
    about_me.SetAddress: ask_for_address,
    about_me.ForgetMe: ask_whether_to_forget,
    about_me.UndoChange: _decline,
    about_tables.ListTables: _list_tables,
    about_tables.ShowTable: _show_table,
    about_tables.OpenTable: open_table_for,
    about_tables.JoinTable: _join,
    about_tables.LeaveTable: _leave,
    about_tables.StartTable: _start,
    about_tables.CloseTable: _close,
    about_tables.KeepTable: _keep,
}
