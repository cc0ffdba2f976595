"""Somebody plays for a player for some days: asked in two letters, agreed to, told, and over by itself."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.locale.cldr import format_day
from pbem.service.person_acts import find_known, merge_people
from pbem.service.post_folder import open_post
from pbem.verify.check_record import verify_text
from pbem.workflow.history import read_events
from pbem.workflow.people import find_answers
from pbem.workflow.record_proof import record_text
from tests.post.people.desks import Lobby, open_lobby

ANNA, BORIS, DOV, EVA = "anna@people.test", "boris@people.test", "dov@people.test", "eva@people.test"
TABLE = "sirocco-1"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    """Two people play; a third and a fourth are known to the post."""
    with open_lobby(tmp_path / "post") as found:
        for who in (ANNA, BORIS, DOV, EVA):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        found.answer(ANNA, "open shy-well seats 2")
        found.answer(BORIS, f"join {TABLE}")
        yield found


def kinds(lobby: Lobby) -> list[str]:
    with lobby.context.store.reading() as at_desk:
        return [event.kind for event in read_events(at_desk, TABLE)]


def holder(lobby: Lobby, address: str) -> str:
    with lobby.context.store.reading() as at_desk:
        return next((seat.seat for seat in at_desk.find_seats(TABLE) if seat.address == address), "")


def to_table(lobby: Lobby, who: str, words: str) -> str:
    last = next(mail for mail in reversed(lobby.mails[who]) if f"+{TABLE}." in str(mail["Reply-To"]))
    return lobby.write(who, words, to=str(last["Reply-To"]), subject=f"Re: {last['Subject']}").fate


def days(lobby: Lobby, first: int, last: int) -> str:
    today = lobby.hours.now().date()
    return f"from {today + timedelta(days=first)} to {today + timedelta(days=last)}"


def ask(lobby: Lobby, first: int = 0, last: int = 7) -> None:
    assert to_table(lobby, ANNA, f"delegate to Dov {days(lobby, first, last)}") == "applied"
    assert "Let Dov play for you" in lobby.last(ANNA)
    assert "asks you to play" not in lobby.last(DOV)
    assert lobby.answer(ANNA, "yes").fate == "applied"
    assert "Anna asks you to play" in str(lobby.mails[DOV][-1]["Subject"])


def delegate(lobby: Lobby, first: int = 0, last: int = 7) -> str:
    seat = holder(lobby, ANNA)
    ask(lobby, first, last)
    assert lobby.answer(DOV, "accept").fate == "applied"
    return seat


def test_the_whole_way(lobby: Lobby) -> None:
    seat = delegate(lobby)
    assert (holder(lobby, DOV), holder(lobby, ANNA)) == (seat, "")
    assert kinds(lobby)[-1] == "note.delegated"
    assert "Dov plays for this seat" in lobby.last(BORIS)
    before = len(lobby.mails[ANNA])
    assert to_table(lobby, ANNA, "go") == "refused"
    assert to_table(lobby, DOV, "resign") == "refused"
    assert to_table(lobby, DOV, "substitute") == "refused"
    assert to_table(lobby, DOV, "go") == "applied"
    assert kinds(lobby)[-1] == "played"
    assert [mail for mail in lobby.mails[ANNA][before:] if f"+{TABLE}." in str(mail["Reply-To"])] == []
    to_table(lobby, BORIS, "go")
    for _ in range(9):
        lobby.wait(days=1)
    assert (holder(lobby, DOV), holder(lobby, ANNA)) == ("", seat)
    assert "note.delegation-ended" in kinds(lobby)
    assert to_table(lobby, DOV, "status") == "refused"
    assert to_table(lobby, ANNA, "status") == "applied"


def test_nothing_happens_without_the_second_letter_or_the_delegate(lobby: Lobby) -> None:
    seat = holder(lobby, ANNA)
    before = len(lobby.mails[DOV])
    to_table(lobby, ANNA, f"delegate to Dov {days(lobby, 0, 7)}")
    assert len(lobby.mails[DOV]) == before
    lobby.answer(ANNA, "no")
    assert len(lobby.mails[DOV]) == before
    ask(lobby)
    assert holder(lobby, ANNA) == seat
    lobby.answer(DOV, "decline")
    assert "Dov cannot play for you" in str(lobby.mails[ANNA][-1]["Subject"])
    assert (holder(lobby, ANNA), "note.delegated" in kinds(lobby)) == (seat, False)


def test_days_to_come_begin_by_themselves(lobby: Lobby) -> None:
    seat = delegate(lobby, 2, 4)
    assert (holder(lobby, ANNA), "note.delegated" in kinds(lobby)) == (seat, False)
    lobby.wait(days=1)
    assert holder(lobby, ANNA) == seat
    lobby.wait(days=1, hours=2)
    assert holder(lobby, DOV) == seat
    lobby.wait(days=3)
    assert holder(lobby, ANNA) == seat


@pytest.mark.parametrize("who", [ANNA, DOV])
def test_either_of_the_two_ends_it(lobby: Lobby, who: str) -> None:
    seat = delegate(lobby)
    lobby.write(who, f"delegate off {TABLE}")
    assert holder(lobby, ANNA) == seat
    assert kinds(lobby)[-1] == "note.delegation-ended"


def test_a_seat_that_is_lent_stands_among_the_games_of_its_player(lobby: Lobby) -> None:
    delegate(lobby)
    lobby.write(ANNA, "my games")
    last = format_day(lobby.hours.now().date() + timedelta(days=7), "en")
    assert f"{TABLE}, The Shy Well: Dov plays for you until {last}" in " ".join(lobby.last(ANNA).split())
    lobby.write(ANNA, "forget me")
    assert f"You still play at {TABLE}." in lobby.last(ANNA)
    assert "reply: forget me when they end" in " ".join(lobby.last(ANNA).split())
    lobby.write(DOV, "forget me")
    assert f"You play for somebody else at {TABLE}." in lobby.last(DOV)
    assert "still play" not in lobby.last(DOV)
    assert "when they end" not in " ".join(lobby.last(DOV).split())


@pytest.mark.parametrize("who", [ANNA, DOV])
def test_who_is_merged_meanwhile_keeps_what_was_agreed(lobby: Lobby, who: str) -> None:
    """The owner, or the delegate, turns out to be somebody whom we know under another name."""
    seat = delegate(lobby)
    with lobby.context.store.reading() as at_desk:
        one, into = find_known(at_desk, who), find_known(at_desk, EVA)
    assert one is not None
    assert into is not None
    assert merge_people(lobby.context, one, into) == ""
    lobby.write(EVA, "my games")
    assert ("Dov plays for you" in lobby.last(EVA)) == (who == ANNA)
    assert lobby.write(EVA, f"delegate off {TABLE}").fate == "applied"
    assert holder(lobby, EVA if who == ANNA else ANNA) == seat
    lobby.write(EVA, "delegate off")
    assert "Nobody plays for anybody" in lobby.last(EVA)


def test_two_who_lend_and_borrow_one_seat_are_not_one(lobby: Lobby) -> None:
    delegate(lobby)
    with lobby.context.store.reading() as at_desk:
        one, into = find_known(at_desk, ANNA), find_known(at_desk, DOV)
    assert one is not None
    assert into is not None
    assert merge_people(lobby.context, one, into).startswith(f"both sit at {TABLE}")


def test_nobody_sees_a_second_hand(lobby: Lobby) -> None:
    to_table(lobby, ANNA, f"delegate to Boris {days(lobby, 0, 7)}")
    assert "has a part in" in lobby.last(ANNA)
    delegate(lobby)
    lobby.write(ANNA, f"delegate off {TABLE}")
    to_table(lobby, BORIS, "substitute")
    lobby.write(DOV, f"join {TABLE}")
    assert not holder(lobby, DOV)
    to_table(lobby, BORIS, f"delegate to Dov {days(lobby, 0, 7)}")
    assert "has a part in" in lobby.last(BORIS)


def test_who_forgets_the_delegate_finds_no_name(lobby: Lobby) -> None:
    seat = delegate(lobby)
    lobby.write(DOV, "forget me now")
    assert lobby.answer(DOV, "forget me now").reason == "forgotten"
    assert holder(lobby, ANNA) == seat
    with lobby.context.store.reading() as at_desk:
        row, events = at_desk.find_game(TABLE), read_events(at_desk, TABLE)
        assert row is not None
        text = record_text(lobby.context, row, events)
    assert "Dov" not in text
    assert [each.is_good for each in verify_text(text)] == [True]


def test_misses_are_the_owners_until_the_delegate_came(lobby: Lobby) -> None:
    delegate(lobby)
    assert to_table(lobby, DOV, "go") == "applied"
    with lobby.context.store.reading() as at_desk:
        people = {person.name: find_answers(at_desk, person.id) for person in at_desk.people()}
    assert (people["Dov"].on_time, people["Anna"].on_time) == (1, 0)


def test_a_restart_changes_nothing(lobby: Lobby) -> None:
    seat = delegate(lobby)
    with open_post(lobby.context.settings, lobby.hours.now) as again:
        lobby.context = again
        for _ in range(9):
            lobby.wait(days=1)
        assert holder(lobby, ANNA) == seat
