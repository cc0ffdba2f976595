"""What a person says once holds at all tables, and what is said for one table stays there."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.store.rows import SeatRow
from pbem.tables.fold import fold
from pbem.workflow.context import events_from_rows
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest, Invitation, open_table
from pbem.workflow.people import follow_wishes, wish_at
from tests.known_games import known_game
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

OTHER = "mistral-2"
ANNA = "anna@players.test"


def seat_the_same(town: Town) -> None:
    """Open a second table with the same people, as an operator does who knows only their addresses."""
    guests = [
        Guest(seat, f"{friend.name} again", friend.address.upper().replace("PLAYERS.TEST", "players.test"), "nl")
        for seat, friend in town.friends.items()
    ]
    wanted = Invitation(OTHER, "through-the-desert", guests, {}, terms_of(town.context.settings.time))
    assert open_table(town.context, wanted) is None


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with found_town(tmp_path, known_game("through-the-desert"), 2) as found:
        yield found


def seat(town: Town, table: str = TABLE) -> SeatRow:
    with town.context.store.reading() as at_desk:
        found = at_desk.find_seat(table, "red")
    assert found is not None
    return found


def test_an_invitation_comes_in_the_language_that_the_person_chose_elsewhere(town: Town) -> None:
    assert town.write("red", "language pl\nzone Europe/Warsaw\nplain on").fate == "applied"
    seat_the_same(town)
    here, there = seat(town), seat(town, OTHER)
    assert (there.language, there.zone, there.plain) == ("pl", "Europe/Warsaw", True)
    assert there.person == here.person != ""
    assert there.name == "Anna again"


def test_a_language_is_for_all_tables_and_how_often_for_one(town: Town) -> None:
    seat_the_same(town)
    assert town.write("red", "language he\nnotify daily\nzone Asia/Jerusalem").fate == "applied"
    here, there = seat(town), seat(town, OTHER)
    assert (here.language, here.zone, here.notices) == ("he", "Asia/Jerusalem", "daily 08:00")
    assert (there.language, there.zone, there.notices) == ("he", "Asia/Jerusalem", "each")
    assert there.address == here.address == ANNA


def test_whoever_writes_is_confirmed(town: Town) -> None:
    with town.context.store.reading() as at_desk:
        anna = at_desk.person_at(ANNA)
        assert anna is not None
        assert anna.state == "confirmed"
        (address,) = at_desk.addresses_of(anna.id)
    assert address.confirmed_at is not None
    assert (address.address, address.writes) == (ANNA, True)


def test_a_person_that_was_only_invited_is_not(tmp_path: Path) -> None:
    with (
        found_town(tmp_path, known_game("nomadi"), 2, accepting=False) as town,
        town.context.store.reading() as at_desk,
    ):
        assert [person.state for person in at_desk.people()] == ["invited", "invited"]


def said(town: Town) -> str:
    """The last mail to Anna, on one line."""
    return " ".join(town.last_text("red").split())


def test_the_answer_says_how_far_a_wish_reaches(town: Town) -> None:
    seat_the_same(town)
    town.write("red", "language pl")
    assert "To obowi\u0105zuje przy wszystkich twoich sto\u0142ach (2). Tylko przy tym: j\u0119zyk pl tutaj" in said(
        town
    )
    town.write("red", "language en here")
    assert "This holds at this table alone. For all 2 of your tables: language en everywhere" in said(town)
    assert (seat(town).language, seat(town, OTHER).language) == ("en", "pl")
    town.write("red", "notify daily 9:00 everywhere")
    assert "This holds at all 2 of your tables. For this one alone: notify daily 09:00 here" in said(town)
    assert (seat(town).notices, seat(town, OTHER).notices) == ("daily 09:00", "daily 09:00")


def test_somebody_with_one_table_is_told_nothing_of_others(town: Town) -> None:
    town.write("red", "language nl")
    assert "tafel" not in said(town)


@pytest.mark.parametrize("wish", ["hints", "calendar"])
def test_a_wish_for_one_table_is_not_for_the_other(town: Town, wish: str) -> None:
    seat_the_same(town)
    assert town.write("red", f"{wish} on here").fate == "applied"
    here, there = seat(town), seat(town, OTHER)
    with town.context.store.reading() as at_desk:
        assert wish_at(at_desk, here, wish) == "on"
        assert wish_at(at_desk, there, wish) is None


def test_what_a_table_keeps_for_itself_ends_only_by_everywhere(town: Town) -> None:
    seat_the_same(town)
    there = seat(town, OTHER)
    with town.context.store.transaction() as at_desk:
        at_desk.save_wish(there.person, "zone", "Asia/Tokyo", game=OTHER)
        follow_wishes(town.context, at_desk, there)
    town.write("red", "zone Europe/Warsaw")
    assert (seat(town).zone, seat(town, OTHER).zone) == ("Europe/Warsaw", "Asia/Tokyo")
    assert "This holds at this table alone" in said(town)
    town.write("red", "zone Europe/Warsaw everywhere")
    assert seat(town, OTHER).zone == "Europe/Warsaw"


def test_days_away_are_announced_at_all_tables_and_the_answer_says_where_they_are_too_few(town: Town) -> None:
    seat_the_same(town)
    first = (town.hours.now() + timedelta(days=3)).date()
    town.write("red", f"vacation {first} to {first + timedelta(days=19)}")
    assert town.write("red", f"vacation {first} to {first + timedelta(days=24)} everywhere").fate == "applied"
    answer = said(town)
    assert f"You are away at these tables: {TABLE} and {OTHER}." in answer
    assert f"At {TABLE} you have too few days off left" in answer
    with town.context.store.reading() as at_desk:
        there = fold(events_from_rows(at_desk.load_events(OTHER)))
    assert len(there.absences["red"]) == len(town.table.absences["red"]) == 21
