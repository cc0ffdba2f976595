"""Strangers come in by mail, open a table, join one, and play; nobody touches a shell."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.post.people.desks import Lobby, open_lobby

ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        yield found


def test_a_stranger_gets_one_welcome_and_leaves_no_trace(lobby: Lobby) -> None:
    assert lobby.write(ANNA, "Buy cheap pills at http://pills.example").reason == "welcomed"
    (welcome,) = lobby.mails[ANNA]
    assert welcome["Subject"] == "Welcome to Caravan Post"
    assert "pills" not in lobby.last(ANNA)
    assert "Through the Desert (2-5)" in lobby.last(ANNA)
    assert lobby.write(ANNA, "And again").reason == "welcomed-already"
    assert len(lobby.mails[ANNA]) == 1
    with lobby.context.store.reading() as at_desk:
        assert at_desk.people() == []


def test_three_welcomes_without_an_answer_are_enough(lobby: Lobby) -> None:
    for _ in range(10):
        lobby.write(ANNA, "hello?")
        lobby.wait(days=2)
    assert len(lobby.mails[ANNA]) == 3


@pytest.mark.parametrize("verdict", ["fail", "none"])
def test_nobody_is_welcomed_whom_our_server_does_not_vouch_for(lobby: Lobby, verdict: str) -> None:
    assert lobby.write(ANNA, "hello", verdict=verdict).fate == "refused"
    assert lobby.mails == {}


def test_without_a_server_that_vouches_the_lobby_is_closed(tmp_path: Path) -> None:
    with open_lobby(tmp_path, authserv_id=None) as lobby:
        assert lobby.write(ANNA, "hello").fate == "refused"
        assert lobby.mails == {}


def test_a_welcome_works_for_its_reader_alone(lobby: Lobby) -> None:
    lobby.write(ANNA, "hello")
    ticket = str(lobby.mails[ANNA][0]["Reply-To"])
    assert lobby.write(BORIS, "yes", to=ticket).reason == "bad-ticket"
    assert lobby.mails.get(BORIS) is None


def test_an_answer_without_a_word_of_ours_makes_nobody(lobby: Lobby) -> None:
    lobby.write(ANNA, "hello")
    assert lobby.answer(ANNA, "I am out of the office until Monday.").fate == "refused"
    assert len(lobby.mails[ANNA]) == 1
    with lobby.context.store.reading() as at_desk:
        assert at_desk.people() == []


@pytest.mark.parametrize(
    ("words", "greeting"),
    [
        ("tak, jestem Ola", "Witaj, Ola"),
        ("ja, ik ben Ola", "Welkom, Ola"),
        ("да, я Ola", "Здравствуйте, Ola"),
        ("כן, אני Ola", "ברוכים הבאים, \u2068Ola\u2069"),
        ("Cześć!\nstoły", "Żaden stół nie czeka na graczy"),
        ("ok", "Welcome, anna"),
        ("open nomadi", "is open"),
    ],
)
def test_somebody_is_written_to_in_the_language_of_their_first_order(lobby: Lobby, words: str, greeting: str) -> None:
    lobby.come_in(ANNA, words)
    assert greeting in lobby.last(ANNA)


def test_words_of_several_languages_say_nothing_about_the_reader(tmp_path: Path) -> None:
    with open_lobby(tmp_path / "dutch", language="nl") as lobby:
        for address, words in ((ANNA, "ok"), (BORIS, "open nomadi")):
            lobby.come_in(address, words)
            assert "Woorden" in lobby.last(address)


def test_a_no_is_for_ever(lobby: Lobby) -> None:
    lobby.write(ANNA, "hello")
    assert lobby.answer(ANNA, "no more mail").reason == "hushed"
    lobby.wait(days=200)
    assert lobby.write(ANNA, "hello").fate == "refused"
    assert len(lobby.mails[ANNA]) == 1


def test_three_strangers_meet_at_a_table_and_play(lobby: Lobby) -> None:
    lobby.come_in(ANNA, "yes, I am Anna")
    assert "Welcome, Anna" in lobby.last(ANNA)
    assert lobby.answer(ANNA, 'open through the desert, 3 seats, 2 days a turn "Sand"').fate == "applied"
    opened = lobby.last(ANNA)
    assert "is open" in opened
    assert "2 more players" in opened
    table = "sirocco-1"
    assert f"{table}: Through the Desert" in opened
    lobby.come_in(BORIS)
    assert lobby.answer(BORIS, "tables").fate == "applied"
    assert f"{table}: Through the Desert, 1 of 3 (Anna: new here), 2 days a turn" in lobby.last(BORIS)
    assert lobby.answer(BORIS, f"join {table}").fate == "applied"
    lobby.come_in(DOV)
    assert lobby.answer(DOV, f"join {table} as red").fate == "applied"
    texts = {who: lobby.last(who) for who in (ANNA, BORIS, DOV)}
    assert "Your turn" in texts[DOV] or "begins" in texts[DOV]
    with lobby.context.store.reading() as at_desk:
        (game,) = at_desk.games()
        assert (game.id, game.stage) == (table, "playing")
        assert {seat.address for seat in at_desk.find_seats(table)} == {ANNA, BORIS, DOV}
    turn = next(mail for mail in lobby.mails[DOV] if f"+{table}.red." in str(mail["Reply-To"]))
    assert lobby.write(DOV, "status", to=str(turn["Reply-To"])).fate == "applied"


def test_leaving_frees_the_seat_and_the_last_one_closes_the_table(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, "open nomadi for 4")
    assert lobby.answer(ANNA, "leave").fate == "applied"
    assert lobby.last(ANNA).count("Your seat is free again") == 1
    lobby.answer(ANNA, "tables")
    assert "No table waits for players" in lobby.last(ANNA)


def test_a_table_takes_as_many_as_the_game(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, "open nomadi for 9")
    assert "Nomadi takes 2 to 5 players" in lobby.last(ANNA)
    assert "Nothing was opened" in lobby.last(ANNA)


def test_a_private_table_is_found_by_its_word_alone(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, "open nomadi for 3 private sesame")
    lobby.come_in(BORIS)
    lobby.answer(BORIS, "tables")
    assert "No table waits" in lobby.last(BORIS)
    lobby.answer(BORIS, "join sirocco-1")
    wrong = lobby.last(BORIS)
    lobby.answer(BORIS, "join sirocco-9")
    assert wrong.replace("sirocco-1", "X") == lobby.last(BORIS).replace("sirocco-9", "X")
    lobby.answer(BORIS, "join sirocco-1 sesame")
    assert "You sit at sirocco-1" in lobby.last(BORIS)
