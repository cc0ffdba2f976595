"""What people ask of the post, one command at a time: each becomes a page of the answer."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine import registry
from pbem.locale.cldr import format_day, format_length, join_list
from pbem.mail.commands.preferences import Wish
from pbem.mail.post_commands import person as about_me
from pbem.mail.post_commands import tables as about_tables
from pbem.mail.writing.post_mails import PostPage
from pbem.people.names import read_name
from pbem.render.players import show_name
from pbem.tables.decision import Refused
from pbem.workflow.front_desk import Desk, hush, not_understood, rename
from pbem.workflow.gather import (
    Gathering,
    begin_game,
    find_gathering,
    leave_place,
    list_gatherings,
    open_gathering,
    take_place,
)
from pbem.workflow.new_tables import terms_of
from pbem.workflow.person_desk import PERSON_COMMANDS, keep_wish
from pbem.workflow.second_letters import ask_for_address, ask_whether_to_forget

SHOWN: Final = 5
"""Tables in one list."""


def carry_out(desk: Desk, command: object) -> PostPage:
    """Do what one command asks for, and say what came of it."""
    if isinstance(command, Wish):
        return keep_wish(desk, command)
    return _COMMANDS[type(command)](desk, command)


def _greet(desk: Desk, command: about_me.SayYes) -> PostPage:
    name = read_name(command.name) if command.name else None
    person = rename(desk.transaction, desk.person, name) if name and name != desk.person.name else desk.person
    listed = _list_tables(desk, about_tables.ListTables())
    say = desk.sentences.say
    return PostPage(
        say("head_known", show_name(person.name)),
        listed.headline if listed.lines else say("lead_known"),
        (*listed.buttons, (say("button_open"), "open nomadi seats 4 pace 3d")),
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
    found = list_gatherings(desk.transaction)
    say = desk.sentences.say
    return PostPage(
        say("head_tables", len(found)),
        buttons=tuple((say("button_join", each.notice.id), f"join {each.notice.id}") for each in found[:SHOWN]),
        lines=tuple(_table_line(desk, each) for each in found[: 2 * SHOWN]),
        after=(say("open_own"),),
    )


def _table_line(desk: Desk, gathering: Gathering) -> str:
    named = (desk.transaction.find_person(place.person) for place in gathering.taken)
    names = join_list(tuple(show_name(each.name) for each in named if each is not None), desk.language)
    title = desk.sentences.gettext(gathering.game.title)
    pace = format_length(gathering.notice.pace, desk.language)
    facts = (gathering.notice.id, title, len(gathering.taken), len(gathering.places), names, pace)
    return desk.sentences.say("table_line", *facts)


def _show_table(desk: Desk, command: about_tables.ShowTable) -> PostPage:
    gathering = find_gathering(desk.transaction, command.table)
    if gathering is None or gathering.notice.word:
        return _no_table(desk, command.table)
    return _terms_page(desk, gathering)


def _terms_page(desk: Desk, gathering: Gathering) -> PostPage:
    say, table = desk.sentences.say, gathering.notice.id
    buttons = ((say("button_join", table), f"join {table}"),)
    return PostPage(say("head_terms", table), _say_terms(desk, gathering), buttons, (_table_line(desk, gathering),))


def _say_terms(desk: Desk, gathering: Gathering) -> str:
    title, pace = desk.sentences.gettext(gathering.game.title), format_length(gathering.notice.pace, desk.language)
    return desk.sentences.say("terms_of", title, len(gathering.places), pace)


def _open(desk: Desk, command: about_tables.OpenTable) -> PostPage:
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
        order = f"open {game.key} seats {nearest}"
        head = say("head_seats", title, game.players[0], game.players[-1])
        return PostPage(head, say("nothing_opened"), ((order, order),))
    sits = [place for place in desk.transaction.places_of(desk.person.id) if _waits(desk, place.notice)]
    if len(sits) >= settings.lobby.waiting_tables:
        return PostPage(say("head_enough", len(sits)), say("enough"))
    time = settings.time if command.pace is None else replace(settings.time, per_turn=command.pace, mode="deadline")
    gathering = open_gathering(
        *(desk, game, seats[1]),
        pace=time.per_turn,
        terms=terms_of(time),
        title=command.title,
        word=command.word,
    )
    return _seated(desk, gathering, say("head_opened", gathering.notice.id))


def _waits(desk: Desk, table: str) -> bool:
    return find_gathering(desk.transaction, table) is not None


def _seated(desk: Desk, gathering: Gathering, headline: str) -> PostPage:
    say, table = desk.sentences.say, gathering.notice.id
    lapses = gathering.notice.due_at
    after = [say("begins_when", len(gathering.free))]
    after += [say("lapses", format_day(lapses.date(), desk.language))] if lapses is not None else []
    buttons = ((say("button_leave"), f"leave {table}"),)
    return PostPage(headline, _say_terms(desk, gathering), buttons, (_table_line(desk, gathering),), tuple(after))


def _join(desk: Desk, command: about_tables.JoinTable) -> PostPage:
    say, gathering = desk.sentences.say, find_gathering(desk.transaction, command.table)
    if gathering is None or (gathering.notice.word and gathering.notice.word not in command.more.lower().split()):
        return _no_table(desk, command.table)
    if any(place.person == desk.person.id for place in gathering.taken):
        return PostPage(say("head_seated", command.table))
    if not gathering.free:
        return PostPage(say("head_full", command.table), lines=_list_tables(desk, about_tables.ListTables()).lines)
    wished = next((seat for seat in gathering.game.seats if seat in command.more.lower().split()), "")
    joined = take_place(desk, gathering, wished)
    if joined.free:
        return _seated(desk, joined, say("head_joined", command.table))
    begun = begin_game(desk.context, desk.transaction, joined)
    if isinstance(begun, Refused):
        raise ValueError(f"{command.table} cannot begin: {begun.says}")
    return PostPage(say("head_begins", command.table), say("begins"))


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


def _no_table(desk: Desk, table: str) -> PostPage:
    listed = _list_tables(desk, about_tables.ListTables())
    return PostPage(desk.sentences.say("head_no_table", table), buttons=listed.buttons, lines=listed.lines)


_COMMANDS: Final[Mapping[type, Callable[[Desk, Any], PostPage]]] = {
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
    about_tables.OpenTable: _open,
    about_tables.JoinTable: _join,
    about_tables.LeaveTable: _leave,
}
