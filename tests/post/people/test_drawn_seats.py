"""Who sits where at a table that gathered by letter: drawn by lots that anybody can check when the game is over."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.events.codec import encode
from pbem.proof.draws import seat_lot
from pbem.verify.check_record import verify_text
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from tests.post.people.desks import Lobby, open_lobby
from tests.second_verifier.second_verifier import check

PEOPLE = ("anna@people.test", "boris@elsewhere.test", "dov@third.test")
TABLE = "sirocco-1"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        yield found


def play_to_the_end(lobby: Lobby, *joins: str) -> tuple[tuple[Any, ...], str]:
    """Everybody sits down, and all but one resign; the events, and the record with its secrets open."""
    for who in PEOPLE:
        lobby.come_in(who)
    lobby.answer(PEOPLE[0], "open through the desert seats 3")
    for who, words in zip(PEOPLE[1:], joins, strict=True):
        assert lobby.answer(who, words).fate == "applied", lobby.last(who)
    for who in PEOPLE[:2]:
        to = next(str(mail["Reply-To"]) for mail in reversed(lobby.mails[who]) if f"+{TABLE}." in str(mail["Reply-To"]))
        assert lobby.write(who, "resign", to=to).fate == "applied", lobby.last(who)
    with lobby.context.store.reading() as at_desk:
        row, events = at_desk.find_game(TABLE), read_events(at_desk, TABLE)
        assert row is not None
        return events, record_text(lobby.context, row, events)


def test_seats_that_nobody_wished_for_are_drawn_and_the_record_shows_it(lobby: Lobby) -> None:
    events, text = play_to_the_end(lobby, f"join {TABLE}", f"join {TABLE}")
    data = encode(events[0].payload)
    assert data["proof"]["seated"] == data["seats"] == ["red", "blue", "green"]
    accepted = {encode(each.payload)["seat"]: encode(each.payload) for each in events if each.kind == "accepted"}
    (seed,) = (line.split('"')[0] for line in text.split("[%seed ")[1:])
    lots = [seat_lot(bytes.fromhex(seed[:64]), TABLE, accepted[seat]["entropy_sha256"]) for seat in data["seats"]]
    assert lots == sorted(lots)
    assert [verified.findings for verified in verify_text(text)] == [()]
    check(text)


def test_a_wish_comes_first_and_only_the_others_are_drawn(lobby: Lobby) -> None:
    events, text = play_to_the_end(lobby, f"join {TABLE}", f"join {TABLE} as red")
    assert encode(events[0].payload)["proof"]["seated"] == ["blue", "green"]
    assert [verified.findings for verified in verify_text(text)] == [()]
    check(text)


def test_nothing_is_said_to_be_drawn_where_one_place_was_left(lobby: Lobby) -> None:
    events, text = play_to_the_end(lobby, f"join {TABLE} as blue", f"join {TABLE} as red")
    assert "seated" not in encode(events[0].payload)["proof"]
    assert [verified.findings for verified in verify_text(text)] == [()]
