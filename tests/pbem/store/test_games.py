"""Games, their chains of events, and the places that moves take."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.store.errors import StoreConflictError
from pbem.store.rows import EventRow, GameRow, PlyRow, SeatRow
from pbem.store.store import Store

BORN = datetime(2026, 11, 1, 12, tzinfo=UTC)
GAME = GameRow("sirocco-7", "inviting", b"\x00seed", BORN)
FIRST = EventRow("sirocco-7", 1, "opened", '{"seats":["red"]}', "2026-11-01T12:00:00Z", "", "h1")
SECOND = EventRow("sirocco-7", 2, "played", "{}", "2026-11-01T12:00:01Z", "h1", "h2")
PLY = PlyRow("sirocco-7", epoch=0, turn=1, part=0, seat="red", canonical="lilac E5", event_seq=2)
ANNA = SeatRow("sirocco-7", "red", "Anna@Example.org", "Anna", language="pl", zone="Europe/Warsaw", plain=True)


@pytest.fixture
def table(store: Store) -> Store:
    with store.transaction() as at_desk:
        at_desk.add_game(GAME)
        at_desk.append_event(FIRST)
        at_desk.append_event(SECOND)
        at_desk.save_seat(ANNA)
    return store


def test_a_game_is_found_with_the_end_of_its_chain(table: Store) -> None:
    with table.transaction() as at_desk:
        assert at_desk.find_game("sirocco-7") == replace(GAME, head_seq=2, head_hash="h2")
        assert at_desk.find_game("khamsin-1") is None
        at_desk.set_stage("sirocco-7", "playing")
        assert [game.stage for game in at_desk.games()] == ["playing"]
        assert at_desk.games("inviting") == []
        assert [game.id for game in at_desk.games("playing")] == ["sirocco-7"]
    assert "seed" not in repr(GAME).replace("seed=", ""), "the secret seed is not printed"


def test_events_come_back_as_they_went_in(table: Store) -> None:
    letter = table.receive(b"x", intake="pipe").id
    third = EventRow("sirocco-7", 3, "press", '{"words":"שלום"}', "2026-11-01T12:00:02Z", "h2", "h3", letter)
    with table.transaction() as at_desk:
        at_desk.append_event(third)
    with table.reading() as at_desk:
        assert at_desk.load_events("sirocco-7") == [FIRST, SECOND, third]
        assert at_desk.load_events("sirocco-7", after=2) == [third]
        assert at_desk.load_events("khamsin-1") == []


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(replace(SECOND, prev="h1"), id="the same again"),
        pytest.param(replace(SECOND, seq=4, prev="h2"), id="a gap"),
        pytest.param(replace(SECOND, seq=3, prev="forged"), id="another past"),
        pytest.param(replace(SECOND, game="khamsin-1", seq=1, prev=""), id="a game that is not there"),
    ],
)
def test_an_event_that_does_not_follow_the_last_is_refused(table: Store, event: EventRow) -> None:
    with pytest.raises(StoreConflictError, match="does not follow"), table.transaction() as at_desk:
        at_desk.append_event(event)
    with table.reading() as at_desk:
        assert at_desk.load_events("sirocco-7") == [FIRST, SECOND]


def test_a_place_is_taken_once_and_the_second_is_told_by_whom(table: Store) -> None:
    with table.transaction() as at_desk:
        assert at_desk.add_ply(PLY) is None
        assert at_desk.add_ply(replace(PLY, canonical="mint E5")) == PLY
        assert at_desk.find_ply("sirocco-7", epoch=0, turn=1) == PLY
        assert at_desk.add_ply(replace(PLY, epoch=1)) is None, "after a take-back the place is free again"
        assert at_desk.add_ply(replace(PLY, part=1)) is None
        assert at_desk.add_ply(replace(PLY, turn=2)) is None
        assert at_desk.find_ply("sirocco-7", epoch=0, turn=3) is None


def test_a_place_cannot_be_taken_without_the_event_that_took_it(table: Store) -> None:
    with pytest.raises(StoreConflictError), table.transaction() as at_desk:
        at_desk.add_ply(replace(PLY, event_seq=9))


def test_a_chain_cut_by_hand_is_complained_about(table: Store) -> None:
    with table.reading() as at_desk:
        assert at_desk.integrity_problems() == []
    with table.transaction():
        table._connection.execute("DELETE FROM event WHERE seq = 2")
    with table.reading() as at_desk:
        assert at_desk.integrity_problems() == ["sirocco-7: its chain does not end where the game says"]


def test_a_player_is_found_by_address_whatever_the_size_of_its_letters(table: Store) -> None:
    with table.transaction() as at_desk:
        assert at_desk.find_player("anna@example.ORG") == [ANNA]
        assert at_desk.find_player("nobody@example.org") == []
        assert at_desk.find_seats("sirocco-7") == [ANNA]
        assert at_desk.find_seat("sirocco-7", "red") == ANNA
        assert at_desk.find_seat("sirocco-7", "blue") is None


def test_a_seat_is_saved_over_and_over(table: Store) -> None:
    moved = replace(ANNA, address="anna@new.example", paused=True, bounces=3, mails_sent=7, last_seen_seq=2)
    boris = SeatRow("sirocco-7", "blue", "boris@example.org", "Boris")
    with table.transaction() as at_desk:
        at_desk.save_seat(moved)
        at_desk.save_seat(boris)
        assert at_desk.find_seats("sirocco-7") == [boris, moved]
        assert at_desk.find_player("anna@example.org") == []
        assert at_desk.find_player("Anna@new.example") == [moved]
        at_desk.save_seats([replace(boris, mails_sent=1), replace(moved, mails_sent=8)])
        assert [seat.mails_sent for seat in at_desk.find_seats("sirocco-7")] == [1, 8]
        at_desk.save_seats([])


def test_clocks_are_kept_and_the_urgent_ones_found(table: Store) -> None:
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    with table.transaction() as at_desk:
        at_desk.add_game(replace(GAME, id="khamsin-1"))
        at_desk.add_game(replace(GAME, id="zephyr-2"))
        assert at_desk.load_clock("sirocco-7") is None
        at_desk.save_clock("sirocco-7", {"bank": {"red": 3}}, due_at=noon)
        at_desk.save_clock("khamsin-1", {}, due_at=noon - timedelta(hours=1))
        at_desk.save_clock("zephyr-2", {}, due_at=None)
        assert at_desk.load_clock("sirocco-7") == {"bank": {"red": 3}}
        assert at_desk.due_clocks(noon) == ["khamsin-1", "sirocco-7"]
        assert at_desk.due_clocks(noon - timedelta(seconds=1)) == ["khamsin-1"]
        at_desk.save_clock("khamsin-1", {"paused": ["vote"]}, due_at=None)
        assert at_desk.due_clocks(noon) == ["sirocco-7"]
        assert at_desk.load_clock("khamsin-1") == {"paused": ["vote"]}


def test_plans_are_kept_changed_and_forgotten(table: Store) -> None:
    with table.transaction() as at_desk:
        assert at_desk.load_plan("sirocco-7", "red") is None
        at_desk.save_plan("sirocco-7", "red", {"steps": ["lilac E5"]})
        at_desk.save_plan("sirocco-7", "red", {"steps": ["lilac E6"]})
        assert at_desk.load_plan("sirocco-7", "red") == {"steps": ["lilac E6"]}
        at_desk.save_plan("sirocco-7", "red", None)
        assert at_desk.load_plan("sirocco-7", "red") is None


def test_moments_need_their_time_zone(table: Store) -> None:
    naive = BORN.replace(tzinfo=None)
    with pytest.raises(ValueError, match="time zone"), table.transaction() as at_desk:
        at_desk.save_clock("sirocco-7", {}, due_at=naive)


def test_writing_while_only_looking_is_an_error_of_ours_and_changes_nothing(table: Store) -> None:
    with pytest.raises(Exception, match=r"read-?only"), table.reading() as at_desk:
        at_desk.set_stage("sirocco-7", "over")
    with table.transaction() as at_desk:
        assert [game.stage for game in at_desk.games()] == ["inviting"]
        at_desk.set_stage("sirocco-7", "playing")


def test_a_transaction_inside_another_is_our_own_bug(table: Store) -> None:
    with pytest.raises(RuntimeError, match="inside another"), table.transaction():
        table.receive(b"x", intake="pipe")
    assert table.counters().received == 0
