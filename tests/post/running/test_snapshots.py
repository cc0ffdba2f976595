"""Snapshots of tables: a letter finds the same table as from all events, and nothing in the database is trusted."""

import base64
import pickle
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from isal import isal_zlib

from engine.brotherhood.base_game import GAME as WATCH
from engine.chance import KeyedDealer
from engine.game import Game
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from pbem.demo.players import plan_moves
from pbem.events.chain import Event
from pbem.store.store import Transaction
from pbem.tables.fold import apply_event
from pbem.tables.table import Table
from pbem.workflow import snapshots
from pbem.workflow.context import PostContext
from pbem.workflow.forget import forget_person
from pbem.workflow.session import GameSession
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

NAME = f"snapshot of {TABLE}"
OFTEN = 7


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", OFTEN)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with found_town(tmp_path / "post", DESERT, 3) as found:
        play(found, 4)
        yield found


def play(town: Town, letters: int, *, forgets: bool = False) -> None:
    """Let whoever is due write; with `forgets` no table is in memory when a letter comes."""
    for number in range(letters):
        table = town.table
        seat = table.due[0]
        if forgets:
            town.context.table_cache.drop(TABLE)
            vars(town.context).pop("composer", None)
        words = plan_moves(table, seat, KeyedDealer(b"%d" % number)).phrase
        assert town.write(seat, words).fate == "applied"


def kept(town: Town) -> str | None:
    with town.context.store.reading() as at_desk:
        return at_desk.load_setting(NAME)


def keep(town: Town, text: str) -> None:
    with town.context.store.transaction() as at_desk:
        at_desk.save_setting(NAME, text)


def session_of(town: Town, at_desk: Transaction) -> GameSession:
    row = at_desk.find_game(TABLE)
    assert row is not None
    return GameSession(town.context, at_desk, row)


def unread(town: Town) -> int:
    """How many events a session leaves unread when no table is in memory; it must have the table that all make."""
    town.context.table_cache.drop(TABLE)
    table, events = town.table, town.events
    with town.context.store.reading() as at_desk:
        session = session_of(town, at_desk)
        assert session.table == table
        found = session.events.unread
        assert [*reversed(session.events)] == events[::-1]
        assert [*session.events] == events
        return found


@pytest.mark.parametrize("game", [DESERT, NOMADI, WATCH], ids=lambda game: game.key)
def test_with_a_snapshot_all_mails_are_as_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game[Any]
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", bytes)  # no secret of a town is one
    mails = []
    for forgets in (True, False):
        with found_town(tmp_path / str(forgets), game, 3) as town:
            play(town, 7, forgets=forgets)
            mails.append(town.mails)
            assert unread(town) > 0
    assert mails[0] == mails[1]


def test_only_the_events_since_a_snapshot_are_folded(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[int] = []

    def count(table: Table, event: Event) -> Table:
        folded.append(event.seq)
        return apply_event(table, event)

    monkeypatch.setattr(snapshots, "apply_event", count)
    before = unread(town)
    assert folded == [*range(before + 1, len(town.events) + 1)]
    assert len(folded) < OFTEN + 3


def test_a_snapshot_that_somebody_else_wrote_runs_nothing(town: Town, tmp_path: Path) -> None:
    class Bad:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "ran",)

    seal, code, key, edition, _ = (kept(town) or "").split(" ")
    for wrong in (seal, "0" * 64):
        packed = base64.b64encode(isal_zlib.compress(pickle.dumps(Bad()))).decode()
        keep(town, f"{wrong} {code} {key} {edition} {packed}")
        assert unread(town) == 0
    keep(
        town,
        f"{snapshots._mac(town.context, TABLE, f'{code} {key} {edition} {packed}')} {code} {key} {edition} {packed}",
    )
    with pytest.raises(pickle.UnpicklingError):
        unread(town)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("text", ["", "x", "a b c d e", "é 1 2 3 4"])
def test_a_snapshot_that_is_none_is_passed_over(town: Town, text: str) -> None:
    keep(town, text)
    assert unread(town) == 0


def test_a_snapshot_of_another_game_is_not_ours(town: Town) -> None:
    assert snapshots._open(town.context, "sirocco-8", kept(town) or "") is None


def test_a_snapshot_of_other_code_is_passed_over(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unread(town) > 0
    monkeypatch.setattr(snapshots, "_describe_code", lambda package: "another")
    assert unread(town) == 0
    play(town, 1)
    assert unread(town) > 0


def test_a_snapshot_from_which_the_events_do_not_go_on_is_passed_over(town: Town) -> None:
    old = kept(town) or ""
    table = snapshots._open(town.context, TABLE, old)
    assert table is not None
    keep(town, snapshots._seal(town.context, replace(table, head="0" * 64)))
    assert unread(town) == 0


def test_no_snapshot_is_left_when_a_game_ends(town: Town) -> None:
    assert kept(town)
    for seat in town.table.seats[:2]:
        town.write(seat, "resign")
    assert town.table.stage == "over"
    assert kept(town) is None


def test_what_was_changed_beside_events_is_in_no_snapshot(town: Town) -> None:
    assert kept(town)
    with town.context.store.transaction() as at_desk:
        snapshots.drop_table(town.context, at_desk, TABLE)
    assert kept(town) is None
    assert unread(town) == 0


def test_somebody_who_is_forgotten_is_in_no_snapshot(town: Town) -> None:
    assert kept(town)
    with town.context.store.transaction() as at_desk:
        seat = at_desk.find_seats(TABLE)[0]
        person = at_desk.find_person(seat.person)
        assert person is not None
        forget_person(town.context, at_desk, person)
    assert kept(town) is None


def test_a_game_whose_positions_cannot_be_kept_goes_on_without(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(context: PostContext, table: object) -> str:
        raise pickle.PicklingError

    with town.context.store.transaction() as at_desk:
        at_desk.drop_setting(NAME)
    monkeypatch.setattr(snapshots, "_seal", refuse)
    play(town, OFTEN)
    assert kept(town) is None
