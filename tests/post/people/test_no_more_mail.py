"""Whoever wants no more mail gets none, also when the post's keys are others or the mail they answer is old."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.key_rotation import rotate_ticket_key
from pbem.service.post_folder import open_post
from pbem.settings.kinds import Secret
from tests.post.people.desks import POST, Lobby, open_lobby
from tests.post.people.test_addresses import agree

ANNA, STRANGER, FRIEND = "anna@people.test", "eve@elsewhere.test", "fred@elsewhere.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        found.come_in(ANNA, "yes, I am Anna")
        yield found


@contextmanager
def other_key(lobby: Lobby, *, stolen: bool) -> Iterator[None]:
    """The same post, opened again with another key for its reply addresses."""
    settings = lobby.context.settings
    path = settings.folder / "ticket.key"
    lobby.context.store.close()
    rotate_ticket_key(settings, lobby.hours.now(), stolen=stolen)
    post = replace(settings.post, ticket_key=Secret(path.read_text("ascii").strip(), path))
    with open_post(replace(settings, post=post), lobby.hours.now) as again:
        lobby.context = again
        yield


@pytest.mark.parametrize("stolen", [False, True])
def test_a_no_is_for_ever_whatever_becomes_of_the_keys(lobby: Lobby, *, stolen: bool) -> None:
    lobby.write(STRANGER, "hello")
    assert lobby.answer(STRANGER, "no more mail").reason == "hushed"
    lobby.write(ANNA, "open nomadi seats 3")
    with other_key(lobby, stolen=stolen):
        before = len(lobby.mails[STRANGER])
        assert lobby.write(STRANGER, "hello again").reason == "welcomed-already"
        lobby.write(ANNA, f"invite {STRANGER}")
        lobby.wait(days=100)
        assert len(lobby.mails[STRANGER]) == before


@pytest.mark.parametrize("stolen", [False, True])
def test_the_link_in_an_old_mail_still_unsubscribes(lobby: Lobby, *, stolen: bool) -> None:
    lobby.write(STRANGER, "hello")
    lobby.write(ANNA, "open nomadi seats 4")
    lobby.write(ANNA, f"invite {FRIEND}")
    with other_key(lobby, stolen=stolen):
        for who in (STRANGER, FRIEND, ANNA):
            assert lobby.answer(who, "no more mail", verdict="fail").fate == "refused", "anybody can write that From"
            assert lobby.answer(who, "no more mail").fate == "applied"
        counts = {who: len(mails) for who, mails in lobby.mails.items()}
        for who in (STRANGER, FRIEND):
            assert lobby.write(who, "hello").reason == "welcomed-already"
        lobby.wait(days=25)
        assert {who: len(mails) for who, mails in lobby.mails.items()} == counts


def test_a_place_that_somebody_was_asked_to_take_is_still_theirs_under_another_key(lobby: Lobby) -> None:
    lobby.write(ANNA, "open shy-well seats 2")
    lobby.write(ANNA, f"invite {FRIEND}")
    with other_key(lobby, stolen=False):
        assert lobby.answer(FRIEND, "accept").fate == "applied"
        with lobby.context.store.reading() as at_desk:
            assert [game.stage for game in at_desk.games()] == ["playing"]


def test_limits_for_strangers_are_not_begun_anew_by_another_key(lobby: Lobby) -> None:
    lobby.write(STRANGER, "hello")
    with other_key(lobby, stolen=False):
        assert lobby.write(STRANGER, "hello").reason == "welcomed-already"


def test_a_welcome_that_is_too_old_to_be_answered_still_unsubscribes(lobby: Lobby) -> None:
    lobby.write(STRANGER, "hello")
    lobby.wait(days=20)
    assert lobby.answer(STRANGER, "yes").reason == "late"
    assert lobby.answer(STRANGER, "no more mail").reason == "hushed"
    assert lobby.write(STRANGER, "hello").reason == "welcomed-already"


def test_a_question_about_something_else_can_be_answered_so(lobby: Lobby) -> None:
    lobby.write(ANNA, "address anna@new.test")
    assert lobby.answer("anna@new.test", "no more mail").reason == "hushed"
    assert agree(lobby, ANNA, "no more mail") == "hushed"
    lobby.write(STRANGER, "no more mail", to=POST)
    assert STRANGER not in lobby.mails, "who asks for no mail is not welcomed"
