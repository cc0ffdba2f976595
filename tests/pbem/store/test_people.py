"""People and what surrounds them come back from the database as they were put there."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.store.rows import AddressRow, GameRow, NoticeRow, PersonRow, PlaceRow, SeatRow
from pbem.store.store import Store, Transaction

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
ANNA = PersonRow("k7q2m4xwzt3d", "Anna", "anna", "invited", NOW)


@pytest.fixture
def at_desk(tmp_path: Path) -> Iterator[Transaction]:
    with Store.create(f"sqlite:///{tmp_path}/post.db") as store, store.transaction() as transaction:
        transaction.save_person(ANNA)
        transaction.save_address(AddressRow("Anna@Example.org", ANNA.id))
        yield transaction


def test_a_person_is_found_by_id_name_and_address(at_desk: Transaction) -> None:
    assert at_desk.find_person(ANNA.id) == at_desk.person_named("anna") == at_desk.person_at("ANNA@example.org") == ANNA
    assert at_desk.find_person("nobody") is at_desk.person_named("boris") is at_desk.person_at("b@example.org") is None
    at_desk.save_person(replace(ANNA, state="confirmed", generation=1))
    assert at_desk.people() == [replace(ANNA, state="confirmed", generation=1)]


def test_mails_go_to_the_address_that_comes_first(at_desk: Transaction) -> None:
    at_desk.save_address(AddressRow("a@example.org", ANNA.id, NOW, writes=False))
    assert [each.address for each in at_desk.addresses_of(ANNA.id)] == ["Anna@Example.org", "a@example.org"]
    at_desk.drop_address("anna@example.org")
    assert at_desk.addresses_of(ANNA.id) == [AddressRow("a@example.org", ANNA.id, NOW, writes=False)]
    at_desk.drop_addresses(ANNA.id)
    assert at_desk.addresses_of(ANNA.id) == []


def test_wishes_are_kept_for_all_tables_and_for_one(at_desk: Transaction) -> None:
    at_desk.save_wish(ANNA.id, "language", "pl")
    at_desk.save_wish(ANNA.id, "language", "he", game="sirocco-7")
    at_desk.save_wish(ANNA.id, "language", "nl", game="sirocco-7")
    assert (at_desk.wishes_of(ANNA.id), at_desk.wishes_of(ANNA.id, "sirocco-7")) == (
        {"language": "pl"},
        {"language": "nl"},
    )
    at_desk.save_wish(ANNA.id, "language", None, game="sirocco-7")
    assert at_desk.wishes_of(ANNA.id, "sirocco-7") == {}


def test_what_is_tied_to_one_person_is_tied_to_another_afterwards(at_desk: Transaction) -> None:
    boris = replace(ANNA, id="bbbbbbbbbbbb", name="Boris", name_key="boris")
    at_desk.save_person(boris)
    at_desk.save_wish(ANNA.id, "language", "pl")
    at_desk.give_office(ANNA.id, "referee", "sirocco-7")
    at_desk.give_office(ANNA.id, "referee")
    at_desk.give_office(boris.id, "referee")
    for person, kind, other in (
        (ANNA.id, "saw", "red of sirocco-7"),
        (ANNA.id, "blocks", boris.id),
        (boris.id, "blocks", ANNA.id),
        ("chloe", "blocks", ANNA.id),
    ):
        at_desk.save_person(replace(ANNA, id="chloe", name_key="chloe"))
        at_desk.save_bond(person, kind, other)
    at_desk.add_pending(ANNA.id, "forget", {}, until=NOW)
    at_desk.merge_rows(ANNA.id, boris.id)
    assert (at_desk.wishes_of(ANNA.id), at_desk.wishes_of(boris.id)) == ({}, {})
    assert at_desk.offices("referee") == [(boris.id, ""), (boris.id, "sirocco-7")]
    assert [*at_desk.bonds_of(boris.id, "saw")] == ["red of sirocco-7"]
    assert (at_desk.bonds_of(boris.id, "blocks"), [*at_desk.bonds_to(boris.id, "blocks")]) == ({}, ["chloe"])
    assert at_desk.bonds_of(ANNA.id, "saw") == {}
    assert at_desk.pending_of(ANNA.id) == at_desk.pending_of(boris.id) == []


def test_a_table_that_gathers_comes_back_with_its_places(at_desk: Transaction) -> None:
    notice = NoticeRow(
        *("sirocco-8", "nomadi", ANNA.id, "gathering", NOW, NOW, timedelta(days=3), {"silence": "wait"}),
        *({"Map": "1"}, "שלום", "sesame", b"s", b"b"),
    )
    at_desk.save_notice(notice)
    place = at_desk.save_place(PlaceRow(0, "sirocco-8", "free", "", "", NOW))
    taken = at_desk.save_place(replace(place, state="taken", person=ANNA.id, seat="red", letter="l", mark="m"))
    assert at_desk.places_at("sirocco-8") == at_desk.places_of(ANNA.id) == [taken]
    assert at_desk.find_place(taken.id) == taken
    assert at_desk.due_notices(NOW) == at_desk.notices() == [notice]
    assert at_desk.due_notices(NOW - timedelta(seconds=1)) == []
    at_desk.save_notice(replace(notice, state="closed", due_at=None))
    assert at_desk.notices() == []
    found = at_desk.find_notice("sirocco-8")
    assert found is not None
    assert found.state == "closed"


def test_an_act_waits_once(at_desk: Transaction) -> None:
    number = at_desk.add_pending(ANNA.id, "forget", {"when": "now"}, until=NOW)
    (found,) = at_desk.pending_of(ANNA.id)
    assert (found.id, found.kind, found.data, found.due_at) == (number, "forget", {"when": "now"}, NOW)
    assert at_desk.find_pending(number) == found
    assert (at_desk.drop_pending(number), at_desk.drop_pending(number)) == (True, False)
    second = at_desk.add_pending(ANNA.id, "forget", {}, until=NOW)
    at_desk.drop_past(NOW + timedelta(seconds=1))
    assert at_desk.find_pending(second) is None
    assert second > number


def test_offices_bonds_and_quotas(at_desk: Transaction) -> None:
    at_desk.give_office(ANNA.id, "referee")
    at_desk.give_office(ANNA.id, "referee", "sirocco-7")
    at_desk.give_office(ANNA.id, "referee", "sirocco-7")
    assert at_desk.offices("referee") == [(ANNA.id, ""), (ANNA.id, "sirocco-7")]
    assert (at_desk.take_office(ANNA.id, "referee"), at_desk.take_office(ANNA.id, "referee")) == (True, False)
    at_desk.save_bond(ANNA.id, "waits", "nomadi", until=NOW)
    at_desk.save_bond(ANNA.id, "waits", "nomadi")
    assert (at_desk.bonds_of(ANNA.id, "waits"), at_desk.bonds_to("nomadi", "waits")) == (
        {"nomadi": None},
        {ANNA.id: None},
    )
    assert (at_desk.drop_bond(ANNA.id, "waits", "nomadi"), at_desk.drop_bond(ANNA.id, "waits", "nomadi")) == (
        True,
        False,
    )
    for day in ("2026-11-17", "2026-11-18", "2026-11-18"):
        at_desk.count_use("welcome", day)
    assert (at_desk.used("welcome", since="2026-11-18"), at_desk.used("welcome", since="2026-11-01")) == (2, 3)
    at_desk.drop_quotas("2026-11-18")
    assert at_desk.used("welcome", since="2026-11-01") == 2


def test_a_seat_is_found_by_its_person(at_desk: Transaction) -> None:
    at_desk.add_game(GameRow("sirocco-7", "inviting", b"seed", NOW))
    seat = SeatRow("sirocco-7", "red", "Anna@Example.org", "Anna", person=ANNA.id)
    at_desk.save_seat(seat)
    at_desk.save_address(AddressRow("second@example.org", ANNA.id, NOW, writes=False))
    assert at_desk.seats_of(ANNA.id) == at_desk.find_player("SECOND@example.org") == [seat]
