"""No line of a history can be changed, left out or moved without its heads giving it away."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.digest import canonical
from pbem.events.chain import ORIGIN, Draft, Event, append_event, first_broken
from pbem.events.codec import decode, encode
from pbem.events.kinds import CaseClosed, InvitationDeclined, PressSent, TurnPlayed, VoteAsked
from pbem.events.payload import Payload

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
MORE = st.dictionaries(TEXT, st.integers() | TEXT | st.lists(TEXT, max_size=3), max_size=2)
PAYLOADS = st.one_of(
    st.builds(PressSent, TEXT, TEXT, TEXT, st.none() | TEXT),
    st.builds(VoteAsked, TEXT, TEXT, st.integers(), st.none() | st.booleans()),
    st.builds(TurnPlayed, TEXT, st.integers(), TEXT, TEXT, TEXT, st.none() | st.lists(TEXT, max_size=3).map(tuple)),
)
DRAFTS = st.lists(st.builds(Draft, PAYLOADS), min_size=2, max_size=8)


def chain(drafts: list[Draft], game: str = "sirocco-7") -> list[Event]:
    events: list[Event] = []
    for number, draft in enumerate(drafts):
        head = events[-1].hash if events else ORIGIN
        events.append(append_event(game, number, head, draft, f"2026-11-16T12:00:{number:02}Z"))
    return events


@given(DRAFTS)
def test_a_chain_as_it_grew_is_whole(drafts: list[Draft]) -> None:
    events = chain(drafts)
    assert first_broken(events) is None
    assert [event.seq for event in events] == list(range(1, len(drafts) + 1))
    assert len({event.hash for event in events}) == len(events)


@given(DRAFTS, st.data())
def test_a_changed_event_is_found_where_it_stands(drafts: list[Draft], data: st.DataObject) -> None:
    events = chain(drafts)
    index = data.draw(st.integers(0, len(events) - 1))
    changes: dict[str, Any] = {
        "payload": replace(events[index].payload, unknown={"extra": 1}),
        "at": "2026-11-16T13:00:00Z",
        "game": "sirocco-8",
        "seq": 99,
        "prev": "f" * 64,
        "hash": "f" * 64,
    }
    for name, value in changes.items():
        spoiled = [*events[:index], replace(events[index], **{name: value}), *events[index + 1 :]]
        # The game of the first event is the game; all the others then are strangers, unless it is alone.
        assert first_broken(spoiled) == index + 1 or (name == "game" and index == 0)
        assert first_broken(spoiled) is not None


@given(DRAFTS, st.data())
def test_an_event_left_out_or_moved_is_found(drafts: list[Draft], data: st.DataObject) -> None:
    events = chain(drafts)
    index = data.draw(st.integers(0, len(events) - 2))
    assert first_broken(events[:index] + events[index + 1 :]) == index + 1
    moved = [*events[:index], events[index + 1], events[index], *events[index + 2 :]]
    assert first_broken(moved) == index + 1


def test_a_chain_put_together_of_two_games_is_found() -> None:
    drafts = [Draft(CaseClosed(number, by="referee")) for number in range(4)]
    ours, theirs = chain(drafts), chain(drafts, "sirocco-8")
    assert first_broken(ours[:2] + theirs[2:]) == 3
    stranger = append_event("sirocco-8", 2, ours[1].hash, drafts[2], ours[2].at)
    assert first_broken([*ours[:2], stranger]) == 3, "though its own hash is right"


@given(PAYLOADS, MORE)
def test_an_event_is_the_same_after_it_was_kept_as_json(payload: Payload, more: dict[str, Any]) -> None:
    known = encode(payload)
    unknown = {name: value for name, value in more.items() if name not in ("words", "plies", "reveals", *known)}
    event = chain([Draft(replace(payload, unknown=unknown))])[0]
    kept = replace(event, payload=decode(event.kind, json.loads(canonical(encode(event.payload)))))
    assert kept == event
    assert first_broken([kept]) is None


def test_the_hash_of_an_event_is_what_the_format_says() -> None:
    event = append_event("sirocco-7", 0, ORIGIN, Draft(InvitationDeclined("red", reason="")), "2026-11-16T12:00:00Z")
    body = (
        b'{"at":"2026-11-16T12:00:00Z","data":{"reason":"","seat":"red"},"game":"sirocco-7","kind":"declined","seq":1}'
    )
    parts = b"\x01pbm-event-1", bytes(32), sha256(body).digest(), sha256(b"").digest()
    assert event.hash == sha256(b"".join(parts)).hexdigest()
    assert event.hash == "bc20a6f22c7f82d8a23b04850f96338a1110853f8b2ced31e71f21aacddb9dce"


@pytest.mark.parametrize("odd", [{"x": float("nan")}, {"x": b"bytes"}, {"x": {1, 2}}])
def test_what_is_not_plain_data_never_becomes_an_event(odd: dict[str, Any]) -> None:
    closed = CaseClosed(1, by="referee", unknown=odd)
    with pytest.raises((ValueError, TypeError)):
        append_event("sirocco-7", 0, ORIGIN, Draft(closed), "2026-11-16T12:00:00Z")
