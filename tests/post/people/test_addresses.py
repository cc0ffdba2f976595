"""Another address: asked for at both, taken back for a week, and never shared by two people."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.post.people.desks import Lobby, open_lobby
from tests.post.people.test_person import ANNA, BORIS, play, said, seats

NEW = "anna@new.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        play(found)
        yield found


def ask(lobby: Lobby) -> None:
    assert lobby.write(ANNA, f"address {NEW}").fate == "applied"


def asked_at(lobby: Lobby, address: str) -> str:
    """The ticket of the last question to an address."""
    return next(str(mail["Reply-To"]) for mail in reversed(lobby.mails[address]) if "+yes." in str(mail["Reply-To"]))


def agree(lobby: Lobby, address: str, words: str = "yes") -> str:
    return lobby.write(address, words, to=asked_at(lobby, address)).reason


def test_both_addresses_must_agree_and_all_seats_follow(lobby: Lobby) -> None:
    ask(lobby)
    assert len(lobby.mails[NEW]) == 1
    assert "Anna" not in str(lobby.mails[NEW][0])
    assert agree(lobby, NEW) == "agreed"
    assert {each.address for each in seats(lobby)} == {ANNA}
    assert agree(lobby, ANNA) == "address-changed"
    assert {each.address for each in seats(lobby)} == {NEW}
    assert "From now on our mails go to anna@new.test" in said(lobby)
    assert "reply undo within 7 days" in said(lobby)


def test_letters_are_taken_from_both_afterwards(lobby: Lobby) -> None:
    ask(lobby)
    agree(lobby, ANNA)
    agree(lobby, NEW)
    for address in (ANNA, NEW):
        assert lobby.write(address, "me").fate == "applied"
    assert ANNA in said(lobby, NEW)
    assert f"Our mails go to {NEW}" in said(lobby, NEW)
    turn = next(mail for mail in reversed(lobby.mails[ANNA]) if "+sirocco-1." in str(mail["Reply-To"]))
    assert lobby.write(ANNA, "status", to=str(turn["Reply-To"])).fate == "applied"
    assert lobby.write(NEW, "status", to=str(turn["Reply-To"])).fate == "applied"


def test_the_old_address_takes_it_back_within_a_week(lobby: Lobby) -> None:
    ask(lobby)
    agree(lobby, ANNA)
    agree(lobby, NEW)
    old_ticket = str(lobby.mails[NEW][-1]["Reply-To"])
    assert lobby.write(NEW, "undo", to=asked_at(lobby, ANNA)).reason == "other-sender"
    assert agree(lobby, ANNA, "undo") == "address-undone"
    assert {each.address for each in seats(lobby)} == {ANNA}
    assert lobby.write(NEW, "my games", to=old_ticket).fate == "refused"
    with lobby.context.store.reading() as at_desk:
        assert at_desk.person_at(NEW) is None


def test_after_a_week_it_is_too_late(lobby: Lobby) -> None:
    ask(lobby)
    agree(lobby, ANNA)
    agree(lobby, NEW)
    ticket = asked_at(lobby, ANNA)
    lobby.hours.forward(days=8)
    assert lobby.write(ANNA, "undo", to=ticket).reason == "late"


def test_a_no_or_two_days_end_it(lobby: Lobby) -> None:
    ask(lobby)
    assert agree(lobby, NEW, "no") == "dropped"
    assert agree(lobby, ANNA) == "late"
    ask(lobby)
    lobby.hours.forward(hours=49)
    assert agree(lobby, ANNA) == "late"


def test_nobody_gets_the_address_of_another_and_is_not_told_so(lobby: Lobby) -> None:
    ask(lobby)
    free = said(lobby)
    before = len(lobby.mails[BORIS])
    lobby.write(ANNA, f"address {BORIS}")
    assert said(lobby) == free.replace(NEW, BORIS)
    assert len(lobby.mails[BORIS]) == before


def test_a_stranger_cannot_agree(lobby: Lobby) -> None:
    ask(lobby)
    assert lobby.write("eve@people.test", "yes", to=asked_at(lobby, ANNA)).reason == "other-sender"


def test_three_new_addresses_a_day_are_enough(lobby: Lobby) -> None:
    for number in range(5):
        lobby.write(ANNA, f"address anna@{number}.test")
    assert "enough addresses today" in said(lobby)
    assert "anna@4.test" not in lobby.mails


@pytest.mark.parametrize("address", ["caravan@post.test", "anna@localhost"])
def test_what_cannot_be_an_address_is_refused(lobby: Lobby, address: str) -> None:
    lobby.write(ANNA, f"address {address}")
    assert "not an address that we can write to" in said(lobby)
