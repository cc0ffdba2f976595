"""One person at five tables says things once; and when they are forgotten, every place is searched for them."""

import zipfile
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest

from pbem.service.person_acts import export_person, find_known
from pbem.store.rows import SeatRow
from pbem.store.store import Transaction
from pbem.tables.fold import fold
from pbem.verify.check_record import verify_text
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from tests.post.people.desks import Lobby, open_lobby
from tests.post.people.test_addresses import asked_at
from tests.post.people.test_forgetting import NAME, TRACES, ZELDA, forget, traces
from tests.post.people.test_person import BORIS, said

NEW = "zelda.q@moved.test"
TABLES = 5


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        found.come_in(ZELDA, f"yes, I am {NAME}")
        found.come_in(BORIS, "yes, I am Boris")
        for number in range(TABLES):
            game = ("through the desert", "nomadi")[number % 2]
            found.write(ZELDA, f"open {game} for 2")
            with found.context.store.reading() as at_desk:
                (opened,) = at_desk.notices()
            found.write(BORIS, f"join {opened.id}")
        yield found


def seats(lobby: Lobby) -> list[SeatRow]:
    with lobby.context.store.reading() as at_desk:
        person = at_desk.person_at(ZELDA)
        assert person is not None
        found = at_desk.seats_of(person.id)
    assert len(found) == TABLES
    return found


def records(lobby: Lobby) -> list[str]:
    def write(at_desk: Transaction) -> list[str]:
        rows = at_desk.games()
        return [record_text(lobby.context, row, read_events(at_desk, row.id)) for row in rows]

    with lobby.context.store.reading() as at_desk:
        return write(at_desk)


def test_language_zone_days_away_and_address_are_said_once(lobby: Lobby) -> None:
    lobby.write(ZELDA, "language pl\nzone Europe/Warsaw\nvacation 2026-12-20 to 2026-12-27")
    assert {(seat.language, seat.zone) for seat in seats(lobby)} == {("pl", "Europe/Warsaw")}
    sits = seats(lobby)
    with lobby.context.store.reading() as at_desk:
        for seat in sits:
            days = fold(read_events(at_desk, seat.game)).absences[seat.seat]
            assert (min(days), max(days), len(days)) == (date(2026, 12, 20), date(2026, 12, 27), 8), seat.game
    lobby.write(ZELDA, f"address {NEW}")
    for who in (NEW, ZELDA):
        lobby.write(who, "tak", to=asked_at(lobby, who))
    assert {seat.address for seat in seats(lobby)} == {NEW}
    before = len(lobby.mails[ZELDA])
    lobby.write(BORIS, "my games")
    lobby.write(ZELDA, "moje gry")
    assert len(lobby.mails[ZELDA]) == before
    assert said(lobby, NEW).count("Nomadi") == 2


def test_nothing_is_left_of_somebody_forgotten_at_five_tables(lobby: Lobby, tmp_path: Path) -> None:
    whole = records(lobby)
    assert all(NAME in record for record in whole)
    lobby.write(ZELDA, "language pl\nvacation 2026-12-20 to 2026-12-27")
    lobby.write(ZELDA, "language en")
    forget(lobby)
    assert "You are forgotten" in said(lobby, ZELDA)
    lobby.context.store.checkpoint()
    lobby.context.store.copy_to(tmp_path / "backup.db")
    assert traces(tmp_path) == []
    with lobby.context.store.reading() as at_desk:
        boris = find_known(at_desk, BORIS)
        assert find_known(at_desk, NAME) is None
        assert find_known(at_desk, ZELDA) is None
    assert boris is not None
    archive = zipfile.ZipFile(BytesIO(export_person(lobby.context, boris)))
    exported = [archive.read(name) for name in archive.namelist() if not name.startswith("mails/")]
    assert len(exported) > TABLES
    for content in (*exported, *(record.encode() for record in records(lobby))):
        assert not any(trace.lower() in content.lower() for trace in TRACES)
    for record in records(lobby):
        (verified,) = verify_text(record)
        assert (verified.findings, verified.withheld_names) == ((), 1)
