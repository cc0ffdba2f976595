"""What a person says once holds at all tables, and what is said for one table stays there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.rows import SeatRow
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest, Invitation, open_table
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
