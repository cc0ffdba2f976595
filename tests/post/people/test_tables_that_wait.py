"""Tables that wait for players begin, are reminded of, and go away; whoever sits there is told, and nobody else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.events.kinds import GameOpened
from pbem.tables.table import AT_ONCE, FORCED
from pbem.workflow.history import read_events
from tests.post.people.desks import Lobby, open_lobby

ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        for who in (ANNA, BORIS, DOV):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        yield found


def counts(lobby: Lobby) -> dict[str, int]:
    return {who: len(lobby.mails[who]) for who in (ANNA, BORIS, DOV)}


def state(lobby: Lobby, table: str = "sirocco-1") -> str:
    with lobby.context.store.reading() as at_desk:
        notice = at_desk.find_notice(table)
    assert notice is not None
    return notice.state


def test_nobody_is_mailed_when_somebody_else_joins(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 3")
    before = counts(lobby)
    lobby.answer(BORIS, "join sirocco-1")
    after = counts(lobby)
    assert {who: after[who] - before[who] for who in after} == {ANNA: 0, BORIS: 1, DOV: 0}


def test_the_last_to_join_gets_one_mail_about_it(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 2")
    before = counts(lobby)
    lobby.answer(BORIS, "join sirocco-1")
    after = counts(lobby)
    assert after[BORIS] - before[BORIS] == 1
    assert after[ANNA] - before[ANNA] <= 1
    assert state(lobby) == "begun"


def test_a_table_has_the_terms_that_its_opener_names(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open shy-well seats 2 pace 2d grace 6h reminders 12h rest fri and sat silence play")
    joined = "join sirocco-1"
    said = " ".join(lobby.last(ANNA).split())
    assert "Friday and Saturday" in said, said
    assert "12 hours" in said, said
    assert "6 hours" in said, said
    lobby.answer(BORIS, joined)
    with lobby.context.store.reading() as at_desk:
        opened = read_events(at_desk, "sirocco-1")[0].payload
    assert isinstance(opened, GameOpened)
    wanted = {"per_turn": "2d", "grace": "6h", "reminders": ["12h"], "rest": ["fri", "sat"], "silence": "play"}
    assert {name: opened.terms[name] for name in (*wanted, FORCED)} == wanted | {FORCED: AT_ONCE}


def test_a_term_that_no_table_has_is_told(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open shy-well seats 2 grace 90d reminders 12h")
    assert "We did not understand: grace 90d" in " ".join(lobby.last(ANNA).split())
    with lobby.context.store.reading() as at_desk:
        notice = at_desk.find_notice("sirocco-1")
    assert notice is not None
    assert (notice.terms["grace"], notice.terms["reminders"]) == ("12h", ["12h"])


def test_the_opener_starts_with_as_many_as_the_table_wants_at_least(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 2 to 4")
    assert "With 2 players you can begin: start sirocco-1" in lobby.last(ANNA)
    lobby.answer(ANNA, "start")
    assert "sirocco-1 cannot begin yet" in lobby.last(ANNA).lower()
    lobby.answer(BORIS, "join sirocco-1")
    lobby.answer(BORIS, "start sirocco-1")
    assert state(lobby) == "gathering"
    lobby.answer(ANNA, "start sirocco-1")
    assert state(lobby) == "begun"
    with lobby.context.store.reading() as at_desk:
        assert {seat.address for seat in at_desk.find_seats("sirocco-1")} == {ANNA, BORIS}


def test_the_opener_is_reminded_once_and_the_table_lapses(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 3")
    lobby.answer(BORIS, "join sirocco-1")
    before = counts(lobby)
    lobby.wait(days=20)
    assert counts(lobby) == before
    lobby.wait(days=1, hours=1)
    lobby.wait(days=2)
    assert counts(lobby) == before | {ANNA: before[ANNA] + 1}
    assert "still waits for players" in lobby.last(ANNA)
    lobby.wait(days=8)
    lobby.wait(days=8)
    assert counts(lobby) == {ANNA: before[ANNA] + 2, BORIS: before[BORIS] + 1, DOV: before[DOV]}
    assert "Not enough players came" in lobby.last(BORIS)
    assert state(lobby) == "lapsed"
    lobby.answer(BORIS, "open nomadi seats 3")
    assert "mistral-2" in lobby.last(BORIS), "the number of a table is never used again"


def test_a_table_that_is_kept_waits_as_long_again(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 3")
    lobby.wait(days=22)
    lobby.answer(ANNA, "keep sirocco-1")
    assert "waits on" in lobby.last(ANNA)
    lobby.wait(days=20)
    assert state(lobby) == "gathering"
    lobby.wait(days=11)
    assert state(lobby) == "lapsed"


def test_a_table_that_its_opener_closes_is_told_to_those_who_sat_there(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 3")
    lobby.answer(BORIS, "join sirocco-1")
    before = counts(lobby)
    lobby.answer(BORIS, "close sirocco-1")
    assert state(lobby) == "gathering"
    lobby.answer(ANNA, "close sirocco-1")
    assert state(lobby) == "closed"
    assert counts(lobby) == before | {ANNA: before[ANNA] + 1, BORIS: before[BORIS] + 2}


def test_who_wants_no_mail_is_not_told_either(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 3")
    lobby.answer(ANNA, "no more mail")
    before = counts(lobby)
    lobby.wait(days=22)
    lobby.wait(days=10)
    assert counts(lobby) == before
    assert state(lobby) == "lapsed"
