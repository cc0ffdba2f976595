"""A person writes to the post: who am I, my games, wishes for all tables, days away, the record of a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.mail.post_commands.reader import parse_post_letter
from pbem.store.rows import SeatRow
from tests.post.people.desks import Lobby, open_lobby

ANNA, BORIS = "anna@people.test", "boris@people.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        yield found


def play(lobby: Lobby, tables: int = 2) -> None:
    """Anna and Boris come in and play at some tables."""
    lobby.come_in(ANNA, "yes, I am Anna")
    lobby.come_in(BORIS, "yes, I am Boris")
    for _ in range(tables):
        lobby.write(ANNA, "open through the desert for 2")
        with lobby.context.store.reading() as at_desk:
            (opened,) = at_desk.notices()
        lobby.write(BORIS, f"join {opened.id} as blue")


def seats(lobby: Lobby, address: str = ANNA) -> list[SeatRow]:
    with lobby.context.store.reading() as at_desk:
        return at_desk.find_player(address)


def said(lobby: Lobby, address: str = ANNA) -> str:
    return " ".join(lobby.last(address).split())


def test_what_is_said_to_the_post_holds_at_all_tables(lobby: Lobby) -> None:
    play(lobby)
    assert lobby.write(ANNA, "language pl\r\nzone Europe/Warsaw\r\nnotify daily 9:00\r\nplain on").fate == "applied"
    assert {(each.language, each.zone, each.notices, each.plain) for each in seats(lobby)} == {
        ("pl", "Europe/Warsaw", "daily 09:00", True)
    }
    assert "Od teraz" in said(lobby)
    assert "(2)" in said(lobby)


def test_a_wish_that_cannot_be_is_refused_in_words(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, "zone Mars/Base")
    assert "We do not know Mars/Base; write a name such as Europe/Warsaw." in said(lobby)


def test_me_tells_what_is_known(lobby: Lobby) -> None:
    lobby.come_in(ANNA, "yes, I am Anna")
    lobby.answer(ANNA, "me")
    for line in ("Anna", f"Address: {ANNA}", "Language: English", "Time zone: UTC", "Here since"):
        assert line in said(lobby)


def test_my_games_lists_what_waits_for_me_and_whom_i_wait_for(lobby: Lobby) -> None:
    play(lobby)
    lobby.write(ANNA, "my games")
    lobby.write(BORIS, "my games")
    both = said(lobby) + said(lobby, BORIS)
    assert both.count("your turn, by") == 2
    assert both.count("you wait for") == 2


def test_the_record_of_a_game_comes_with_its_proof_to_its_players_only(lobby: Lobby) -> None:
    play(lobby, 1)
    lobby.come_in("eve@people.test")
    lobby.answer("eve@people.test", "record sirocco-1")
    assert "You do not sit at sirocco-1" in said(lobby, "eve@people.test")
    lobby.write(ANNA, "record sirocco-1")
    mail = lobby.mails[ANNA][-1]
    (file,) = [part for part in mail.walk() if part.get_filename()]
    assert file.get_filename() == "sirocco-1.turns"
    content = file.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert b"[%head" in content


def test_days_away_are_said_once_and_taken_back_once(lobby: Lobby) -> None:
    play(lobby)
    lobby.write(ANNA, "vacation 2026-12-20 to 2026-12-27")
    assert "You are away at these tables: mistral-2 and sirocco-1." in said(lobby)
    lobby.write(ANNA, "vacation none")
    assert "You are not away any more" in said(lobby)


def test_two_people_cannot_have_names_that_look_alike(lobby: Lobby) -> None:
    lobby.come_in(ANNA, "yes, I am Anna")
    lobby.come_in(BORIS)
    lobby.answer(BORIS, "name \u0410nn\u0430")
    assert "Somebody has the name" in said(lobby, BORIS)
    with lobby.context.store.reading() as at_desk:
        boris = at_desk.person_at(BORIS)
    assert boris is not None
    assert boris.name.endswith(" 2")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("partijverslag van sirocco-1", "record sirocco-1"),
        ("zapis gry sirocco-1", "record sirocco-1"),
        ("запись партии sirocco-1", "record sirocco-1"),
        ("רישום של sirocco-1", "record sirocco-1"),
        ("adres new@example.org", "address new@example.org"),
        ("адрес new@example.org", "address new@example.org"),
        ("כתובת new@example.org", "address new@example.org"),
        ("vergeet mij nu", "forget me now"),
        ("zapomnij mnie", "forget me"),
        ("забудьте меня когда они закончатся", "forget me when they end"),
        ("שכחו אותי עכשיו", "forget me now"),
        ("taal pl", "language pl"),
        ("urlop od 20.12.2026 do 27.12.2026", "vacation 2026-12-20 to 2026-12-27"),
    ],
)
def test_words_about_oneself_are_known_in_five_languages(line: str, meant: str) -> None:
    (command,) = parse_post_letter(line).commands
    assert command.format() == meant
    assert parse_post_letter(meant).commands == (command,)


@pytest.mark.parametrize("language", ["en", "he", "nl", "pl", "ru"])
def test_mails_about_oneself_are_in_the_language_of_the_reader(lobby: Lobby, language: str) -> None:
    play(lobby, 1)
    lobby.write(ANNA, f"language {language}")
    english = {"From now on", "Shall we forget you?", "We have written to", "The record of"}
    for words in ("language " + language, "forget me", "address new@example.org", "record sirocco-1"):
        assert lobby.write(ANNA, words).fate == "applied"
        assert any(each in said(lobby) for each in english) == (language == "en")
