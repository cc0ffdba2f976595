"""What people say to the post about themselves: who they are, what they wish at all tables, days away, their games."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Any, Final
from zoneinfo import ZoneInfo

from notation import write_record
from pbem.judging.entries import redact_record
from pbem.locale.cldr import format_day, join_list, name_language
from pbem.mail.commands.preferences import DAILY, Wish
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.mail.post_commands import person as about_me
from pbem.mail.writing.counted_answers import say_counts
from pbem.mail.writing.post_mails import PostPage
from pbem.mail.writing.sentences import UTC_ZONE
from pbem.people.names import read_name
from pbem.render.players import show_name
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import INVITING, OVER, PLAYING
from pbem.workflow.bare_letters import SeatTaken, find_seats
from pbem.workflow.days_away import come_back, go_away
from pbem.workflow.delegates import lent_by
from pbem.workflow.front_desk import Desk, rename
from pbem.workflow.gather import find_gathering
from pbem.workflow.history import read_events
from pbem.workflow.people import change_wish, find_answers, live_seats
from pbem.workflow.record_proof import record_with_proof
from pbem.workflow.session import GameSession

SHOWN: Final = 5
"""Games that have ended, and buttons, in one list."""


def keep_wish(desk: Desk, wish: Wish) -> PostPage:
    """Keep a wish for all tables; what was said for single ones no longer counts."""
    say, decision = desk.sentences.say, wish.weigh()
    if decision.refused is not None:
        says = desk.sentences.gettext(decision.refused.says).format_map(decision.refused.facts)
        return PostPage(say("head_not_done"), f"{says[:1].upper()}{says[1:]}.")
    for what, value in decision.settings.items():
        change_wish(desk.context, desk.transaction, desk.person.id, what, value)
    # A new language holds for this answer already.
    say, tables = desk.sentences.say, len(live_seats(desk.transaction, desk.person.id))
    reach = say("wish_everywhere", tables) if tables > 1 else say("wish_to_come")
    said = [_say_wish(desk, what, value) for what, value in decision.settings.items()]
    return PostPage(say("title_settings"), " ".join(said), after=(reach,))


def _say_wish(desk: Desk, what: str, value: str | bool) -> str:
    say, (choice, _, hour) = desk.sentences.say, str(value).partition(" ")
    if what == "notices" and choice == DAILY and hour:
        return say("setting_daily", hour, desk.zone == UTC_ZONE)
    if what == "language":
        return say("setting", what, name_language(str(value), desk.language))
    return say("setting", what, choice if what == "notices" else value)


def _go_away(desk: Desk, command: Vacation) -> PostPage:
    say, language = desk.sentences.say, desk.language
    if not live_seats(desk.transaction, desk.person.id):
        return PostPage(say("head_not_done"), say("nowhere_away"))
    done = go_away(desk.context, desk.transaction, desk.person.id, command.first, command.last)
    if not done:
        says = "days off begin today or later; the last one comes after the first"
        return PostPage(say("head_not_done"), f"{desk.sentences.gettext(says).capitalize()}.")
    days = [format_day(day, language) for day in (command.first, command.last)]
    short = [(each.table, each.short) for each in done if each.short is not None]
    return PostPage(
        say("head_away", *days),
        say("away_at", join_list(tuple(each.table for each in done), language)),
        ((say("button_back"), DropVacation().format()),),
        tuple(say("away_short", table, format_day(day, language)) for table, day in short),
    )


def _come_back(desk: Desk, command: DropVacation) -> PostPage:
    come_back(desk.context, desk.transaction, desk.person.id)
    return PostPage(desk.sentences.say("head_back"))


def _set_name(desk: Desk, command: about_me.SetName) -> PostPage:
    say, name = desk.sentences.say, read_name(command.name)
    if name is None:
        return PostPage(say("head_bad_name"), say("bad_name"))
    called = rename(desk.transaction, desk.person, name).name
    after = () if called == name else (say("name_taken", show_name(name)),)
    return PostPage(say("head_known", show_name(called)), after=after)


def _show_me(desk: Desk, command: about_me.ShowMe) -> PostPage:
    say, wishes = desk.sentences.say, desk.transaction.wishes_of(desk.person.id)
    owned = [each.address for each in desk.transaction.addresses_of(desk.person.id) if each.confirmed_at is not None]
    often = wishes.get("notices", desk.context.settings.post.notices)
    lines = [
        say("me_address", join_list(tuple(owned), desk.language)),
        *([say("me_writes", owned[0])] if len(owned) > 1 else []),
        say("me_language", name_language(desk.language, desk.language)),
        say("me_zone", desk.zone),
        _say_wish(desk, "notices", "turn" if often == "wanted" else often),
        *[_say_wish(desk, what, wishes[what] == "on") for what in ("plain", "calendar", "hints") if what in wishes],
        say("me_counts", say_counts(say, find_answers(desk.transaction, desk.person.id))),
        say("me_since", format_day(desk.person.since.date(), desk.language, with_year=True)),
    ]
    buttons = (
        (say("button_games"), desk.sentences.order("my games")),
        (say("button_tables"), desk.sentences.order("tables")),
    )
    after = (say("change_name"), say("change_me"))
    return PostPage(show_name(desk.person.name), buttons=buttons, lines=tuple(lines), after=after)


def _my_games(desk: Desk, command: about_me.MyGames) -> PostPage:
    say, gettext = desk.sentences.say, desk.sentences.gettext
    wanted, waits, ended = [], [], []
    for each in sorted(_seats(desk), key=lambda seat: (seat.deadline is None, str(seat.deadline), seat.table.id)):
        title = gettext(each.table.game.title)
        if each.waits:
            wanted.append(say("game_wanted", each.table.id, title, _say_deadline(desk, each)))
        elif each.table.stage in (INVITING, PLAYING):
            waits.append(say("game_waits_for", each.table.id, title, _awaited(desk, each)))
        else:
            ended.append((each.table.id, say("game_ended", each.table.id, title)))
    places = [place for place in desk.transaction.places_of(desk.person.id) if place.state == "taken"]
    gathers = [found for place in places if (found := find_gathering(desk.transaction, place.notice)) is not None]
    waits += [say("game_gathers", each.notice.id, gettext(each.game.title), len(each.free)) for each in gathers]
    waits += _say_lent(desk)
    last = ended[-SHOWN:]
    return PostPage(
        say("head_games", len(wanted)),
        buttons=tuple((say("button_record", table), f"record {table}") for table, _ in last[-2:]),
        lines=(*wanted, *waits, *(line for _, line in last)),
        after=(say("open_own"),),
    )


def _say_lent(desk: Desk) -> Iterator[str]:
    """The seats that somebody else plays for the person now, by whom and until when."""
    for each in lent_by(desk.transaction, desk.person.id):
        row, delegate = desk.transaction.find_game(each.game), desk.transaction.find_person(each.delegate)
        with suppress(BrokenHistoryError):
            if row is not None and delegate is not None:
                title = desk.sentences.gettext(GameSession(desk.context, desk.transaction, row).table.game.title)
                last = format_day(date.fromisoformat(each.last), desk.language)
                yield desk.sentences.say("game_lent", each.game, title, show_name(delegate.name), last)


def _seats(desk: Desk) -> list[SeatTaken]:
    return find_seats(desk.context, desk.transaction, desk.transaction.addresses_of(desk.person.id)[0].address)


def _say_deadline(desk: Desk, seat: SeatTaken) -> str:
    if seat.deadline is None:
        return ""
    there = seat.deadline.astimezone(ZoneInfo(desk.zone))
    day = format_day(there.date(), desk.language)
    return desk.sentences.say("moment", day, f"{there:%H:%M}", desk.zone == UTC_ZONE)


def _awaited(desk: Desk, seat: SeatTaken) -> str:
    """The names of those whom a table waits for."""
    table = seat.table
    missing = [each for each in table.seats if each not in table.accepted] if table.stage == INVITING else table.due
    return join_list(tuple(show_name(table.names.get(each, each)) for each in missing), desk.language)


def _send_record(desk: Desk, command: about_me.SendRecord) -> PostPage:
    """The record of a game that the person sits at, as the person may see it."""
    say, transaction = desk.sentences.say, desk.transaction
    mine = {each.game: each.seat for each in transaction.seats_of(desk.person.id)}
    row = transaction.find_game(command.table) if command.table in mine else None
    if row is None:
        return PostPage(
            say("head_not_seated", command.table), buttons=((say("button_games"), desk.sentences.order("my games")),)
        )
    seat = next(each for each in _seats(desk) if each.table.id == row.id)
    title = desk.sentences.gettext(seat.table.game.title)
    if seat.table.is_second_form or seat.table.stage == OVER:
        record = record_with_proof(desk.context, row, read_events(transaction, row.id), seat.person.seat)
    else:  # who prepared a move stands in the open there, and is for nobody while the game goes on
        record = redact_record(seat.table.record, seat.person.seat)
    return PostPage(
        say("head_record", row.id),
        say("lead_record", title, f"{row.id}.turns"),
        after=(say("check_record", f"pbem verify {row.id}.turns"),),
        attached=(f"{row.id}.turns", write_record(record)),
    )


PERSON_COMMANDS: Final[Mapping[type, Callable[[Desk, Any], PostPage]]] = {
    Vacation: _go_away,
    DropVacation: _come_back,
    about_me.SetName: _set_name,
    about_me.ShowMe: _show_me,
    about_me.MyGames: _my_games,
    about_me.SendRecord: _send_record,
}
"""What each command about oneself does."""
