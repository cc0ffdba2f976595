"""From what an operator types to a table: guests, names, time."""

from datetime import timedelta

import pytest

from engine.through_the_desert import GAME
from pbem.clock.time_control import control_from_terms
from pbem.service.invitations import (
    change_time_settings,
    invite,
    language_problem,
    read_guest,
    table_name_problem,
)
from pbem.settings.sections import TimeSettings
from pbem.tables.decision import Refused
from pbem.workflow.context import PostContext
from pbem.workflow.new_tables import WINDS, name_table, terms_of
from pbem.workflow.open_game import Guest
from tests.post.post_games import TABLE, invite_friends, make_friends, make_script


@pytest.mark.parametrize(
    ("text", "seat", "name", "address"),
    [
        ("red=Anna:anna@example.org", "red", "Anna", "anna@example.org"),
        (" Red=Anna Maria:anna@EXAMPLE.org ", "red", "Anna Maria", "anna@example.org"),
        ("blue=boris@example.org", "blue", "boris", "boris@example.org"),
        ("green=Хлоя:chloe+games@example.org", "green", "Хлоя", "chloe+games@example.org"),
    ],
)
def test_a_guest_is_read(text: str, seat: str, name: str, address: str) -> None:
    assert read_guest(text, language="pl", zone="Europe/Warsaw") == Guest(seat, name, address, "pl", "Europe/Warsaw")


@pytest.mark.parametrize(
    "text",
    [
        *("", "red", "red=", "red=Anna", "red=Anna:anna", "red=Anna:anna@", "red=A<b>:a@x.org", "red=\x1b[2J:a@x.org"),
        *("red=" + "A" * 61 + ":a@x.org", "red=Anna:a@x.org b@x.org", "=Anna:a@x.org", "red=  :a@x.org"),
    ],
)
def test_what_names_nobody_is_explained(text: str) -> None:
    assert isinstance(read_guest(text, language="en", zone="UTC"), str)


def test_a_new_table_is_named_after_a_wind_and_never_like_another() -> None:
    taken: list[str] = []
    for _ in range(3 * len(WINDS)):
        taken.append(name_table(taken))
    assert len({*taken}) == len(taken)
    assert taken[:2] == ["sirocco-1", "mistral-2"]
    assert name_table(["mistral-2"]) == "khamsin-3"


@pytest.mark.parametrize("name", ["sirocco-7", "a", "g2", "x" * 12])
def test_names_that_fit_into_an_address(context: PostContext, name: str) -> None:
    assert table_name_problem(context, name, GAME) is None


@pytest.mark.parametrize("name", ["", "Sirocco", "a b", "a.b", "a+b", "-a", "x" * 25, "ab-" * 6 + "ab", "é"])
def test_names_that_do_not(context: PostContext, name: str) -> None:
    assert table_name_problem(context, name, GAME) is not None


def test_time_is_changed_word_by_word() -> None:
    wishes = {"mode": "bank", "bank": "10d", "increment": "12h", "silence": "play", "weekends": "rest"}
    time = change_time_settings(TimeSettings(), wishes)
    assert isinstance(time, TimeSettings)
    control = control_from_terms(terms_of(time))
    assert (control.bank, control.increment) == (timedelta(days=10), timedelta(hours=12))
    assert (control.silence, control.weekends) == ("play", False)
    assert control_from_terms(terms_of(TimeSettings())).bank is None


def test_a_bank_of_thirty_days_begins_with_thirty_days() -> None:
    time = change_time_settings(TimeSettings(), {"mode": "bank", "bank": "30d"})
    assert isinstance(time, TimeSettings)
    control = control_from_terms(terms_of(time))
    assert control.first_length == control.bank == control.cap == timedelta(days=30)
    smaller = change_time_settings(TimeSettings(), {"mode": "bank", "bank": "3d"})
    assert isinstance(smaller, TimeSettings)
    assert smaller.cap == TimeSettings().cap


def test_what_a_turn_adds_needs_a_bank_to_add_to() -> None:
    told = change_time_settings(TimeSettings(), {"increment": "12h"})
    assert isinstance(told, str)
    assert "no bank" in told
    assert isinstance(change_time_settings(TimeSettings(mode="bank"), {"increment": "12h"}), TimeSettings)


@pytest.mark.parametrize(("key", "wish"), [("per_turn", "soon"), ("silence", "scream"), ("zone", "Mars/Olympus")])
def test_what_time_is_not_is_explained(key: str, wish: str) -> None:
    answer = change_time_settings(TimeSettings(), {key: wish})
    assert isinstance(answer, str)
    assert wish in answer


def test_languages_that_are_there_and_not() -> None:
    assert language_problem("he") is None
    assert "tlh" in (language_problem("tlh") or "")


def test_everybody_is_invited_at_once(context: PostContext) -> None:
    invite_friends(context, make_friends().values(), make_script())
    with context.store.reading() as at_desk:
        assert [seat.seat for seat in at_desk.find_seats(TABLE)] == ["blue", "green", "red"]
        assert at_desk.mails_by_state() == {"queued": 3}


def test_what_cannot_be_is_refused_and_then_nothing_has_happened(context: PostContext) -> None:
    invite_friends(context, make_friends().values(), make_script())
    two = [Guest("red", "Anna", "a@x.org"), Guest("blue", "Boris", "b@x.org")]
    time = context.settings.time

    def ask(guests: list[Guest], table: str = "bora-1", **options: str) -> object:
        return invite(context, GAME, guests, table=table, options=options, time=time)

    assert "already" in str(ask(two, table=TABLE))
    assert "one seat" in str(ask([two[0], two[0]]))
    assert "called" in str(ask(two, table="No Name"))
    assert isinstance(ask(two[:1]), Refused)
    assert isinstance(ask(two, Board="round"), Refused)
    assert isinstance(ask(two, Weather="fine"), Refused)
    assert isinstance(ask([two[0], Guest("mauve", "M", "m@x.org")]), Refused)
    with context.store.reading() as at_desk:
        assert [game.id for game in at_desk.games()] == [TABLE]
    assert ask(two) is None
