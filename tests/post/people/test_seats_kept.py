"""Seats that are kept for somebody: reminded of once, offered on; terms in full; words that are guessed."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.post.people.desks import Lobby, open_lobby, text_of
from tests.post.people.test_addresses import asked_at

ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"
FRIEND = "friend@elsewhere.test"


def come_in(lobby: Lobby) -> None:
    for who in (ANNA, BORIS, DOV):
        lobby.come_in(who, f"yes, I am {who.partition('@')[0].title()}")


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        come_in(found)
        yield found


def said(lobby: Lobby, who: str) -> str:
    return " ".join(lobby.last(who).split())


def test_a_person_is_reminded_once_of_a_seat_and_a_stranger_never(lobby: Lobby) -> None:
    lobby.write(ANNA, f"open nomadi seats 3\ninvite boris to sirocco-1\ninvite {FRIEND} to sirocco-1")
    before = len(lobby.mails[BORIS])
    lobby.wait(days=3)
    assert len(lobby.mails[BORIS]) == before
    lobby.wait(days=1)
    assert "A seat at sirocco-1 is still kept for you" in said(lobby, BORIS)
    assert "We remind you 1 day before your time is up." in said(lobby, BORIS)
    for _ in range(5):
        lobby.wait(hours=12)
    assert (len(lobby.mails[BORIS]), len(lobby.mails[FRIEND])) == (before + 1, 1)
    assert lobby.answer(BORIS, "yes").fate == "applied"
    assert "You sit at sirocco-1" in said(lobby, BORIS)


def test_who_blocks_the_inviter_is_reminded_of_nothing(lobby: Lobby) -> None:
    lobby.write(BORIS, "block anna")
    before = len(lobby.mails[BORIS])
    lobby.write(ANNA, "open nomadi seats 3\ninvite boris to sirocco-1")
    lobby.wait(days=4)
    lobby.wait(days=2)
    assert len(lobby.mails[BORIS]) == before


def test_the_post_says_how_long_a_seat_is_kept(tmp_path: Path) -> None:
    with open_lobby(tmp_path, invitations=timedelta(days=2)) as lobby:
        come_in(lobby)
        lobby.write(ANNA, f"open nomadi seats 2\ninvite {FRIEND}")
        lobby.write(DOV, "join sirocco-1")
        assert "sirocco-1 is full" in said(lobby, DOV).lower()
        lobby.wait(days=2, hours=1)
        assert "somebody you invited does not come" in said(lobby, ANNA)
        lobby.write(DOV, "join sirocco-1")
        with lobby.context.store.reading() as at_desk:
            assert {seat.address for seat in at_desk.find_seats("sirocco-1")} == {ANNA, DOV}


@pytest.mark.parametrize("declines", [True, False])
def test_a_seat_that_becomes_free_is_offered_to_those_who_wait(lobby: Lobby, declines: bool) -> None:
    lobby.write(ANNA, f"open nomadi seats 2\ninvite {FRIEND}")
    lobby.write(DOV, "wait for nomadi")
    before = len(lobby.mails[DOV])
    if declines:
        lobby.answer(FRIEND, "no")
    else:
        lobby.wait(days=8)
    assert len(lobby.mails[DOV]) == before + 1
    lobby.answer(DOV, "join sirocco-1")
    with lobby.context.store.reading() as at_desk:
        assert {seat.address for seat in at_desk.find_seats("sirocco-1")} == {ANNA, DOV}


def test_a_free_seat_at_a_private_table_is_offered_to_nobody(lobby: Lobby) -> None:
    lobby.write(ANNA, f"open nomadi seats 2 private sesame\ninvite {FRIEND}")
    lobby.write(DOV, "wait for nomadi")
    before = len(lobby.mails[DOV])
    lobby.answer(FRIEND, "no")
    assert "The seat is free again" in said(lobby, ANNA)
    assert len(lobby.mails[DOV]) == before


@pytest.mark.parametrize("ends", ["close", "lapse", "leave"])
def test_the_number_of_a_table_is_never_used_twice(lobby: Lobby, ends: str) -> None:
    lobby.write(ANNA, "open nomadi seats 2")
    if ends == "lapse":
        lobby.wait(days=31)
    else:
        lobby.write(ANNA, f"{ends} sirocco-1")
    lobby.write(BORIS, "open nomadi seats 2")
    assert "mistral-2 is open" in said(lobby, BORIS).lower()


def test_terms_are_said_back_in_full_to_who_opens_sits_down_or_looks(lobby: Lobby) -> None:
    terms = (
        "You have 2 days for a turn.",
        "We remind you 16 hours before",
        "If you are late, everybody waits.",
        "days off",
    )
    lobby.write(ANNA, "open through the desert seats 4 pace 2d\ninvite boris")
    lobby.write(BORIS, "join sirocco-1")
    lobby.write(DOV, "table sirocco-1")
    for who in (ANNA, BORIS, DOV):
        for words in terms:
            assert words in said(lobby, who), (who, words)
    (invitation,) = [mail for mail in lobby.mails[BORIS] if "invites you" in str(mail["Subject"])]
    assert all(words in " ".join(text_of(invitation).split()) for words in terms)


@pytest.mark.parametrize("language", ["en", "he", "nl", "pl", "ru"])
def test_terms_are_said_in_the_language_of_the_reader(lobby: Lobby, language: str) -> None:
    lobby.write(ANNA, f"language {language}")
    lobby.write(ANNA, "open brotherhood seats 4 pace 2d")
    assert ("for a turn" in said(lobby, ANNA)) == (language == "en")
    assert ("everybody waits" in said(lobby, ANNA)) == (language == "en")


def test_who_guesses_a_private_word_too_often_is_told_of_no_table_even_with_the_right_one(lobby: Lobby) -> None:
    lobby.write(ANNA, "open nomadi seats 3 private sesame")
    lobby.write(BORIS, "join kestrel-9 sesame")
    nowhere = said(lobby, BORIS).replace("kestrel-9", "T").replace("Kestrel-9", "T")
    for word in ("one", "two", "three", "four", "five", "sesame"):
        lobby.write(BORIS, f"join sirocco-1 {word}")
        assert said(lobby, BORIS).replace("sirocco-1", "T").replace("Sirocco-1", "T") == nowhere
    lobby.write(DOV, "join sirocco-1 sesame")
    assert "You sit at sirocco-1" in said(lobby, DOV)
    lobby.wait(days=1)
    lobby.write(BORIS, "join sirocco-1 sesame")
    assert "sirocco-1 begins" in said(lobby, BORIS).lower() or "+sirocco-1." in str(lobby.mails[BORIS][-1]["Reply-To"])


def test_a_new_address_that_never_wrote_gets_one_mail_whoever_names_it(lobby: Lobby) -> None:
    for who in (ANNA, BORIS):
        lobby.write(who, f"address {FRIEND}")
        assert "If no mail comes there, answer the one here from the new address, too." in said(lobby, who)
        lobby.write(who, f"open nomadi seats 3\ninvite {FRIEND}")
    assert len(lobby.mails[FRIEND]) == 1
    assert lobby.write(BORIS, "yes", to=asked_at(lobby, BORIS)).reason == "agreed"
    assert lobby.write(FRIEND, "yes", to=asked_at(lobby, BORIS)).reason == "address-changed"
