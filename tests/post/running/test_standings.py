"""How a game stands is kept in its row: what looks at the clocks and `pbem status` spare themselves by it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from pbem.service.game_status import GameStatus, _fold_status, quick_statuses
from pbem.service.post_folder import open_post
from pbem.store.rows import GameRow
from pbem.store.store import Transaction
from pbem.workflow import tick as ticking
from pbem.workflow.beacon_rounds import wanted_rounds
from pbem.workflow.context import PostContext
from pbem.workflow.session import GameSession
from pbem.workflow.tick import tick
from tests.post.post_games import TABLE, Hours, found_post, make_script, moves_of
from tests.post.running.test_clocks import seat
from tests.post.towns import Town, found_town


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The games that a look opens."""
    opened: list[str] = []
    was = GameSession.__init__

    def count(self: GameSession, context: PostContext, transaction: Transaction, row: GameRow) -> None:
        opened.append(row.id)
        was(self, context, transaction, row)

    with monkeypatch.context() as patched:
        patched.setattr(GameSession, "__init__", count)
        yield opened


def both_ways(context: PostContext) -> tuple[list[GameStatus], list[GameStatus]]:
    """What the row of each game says, and what its events say."""
    with context.store.reading() as at_desk:
        told = quick_statuses(at_desk, all_of_them=True)
        assert told is not None
        return told, [_fold_status(context, at_desk, game.id) for game in at_desk.games()]


def check(town: Town) -> GameStatus:
    told, folded = both_ways(town.context)
    assert told == folded
    (only,) = told
    return only


def test_a_look_at_the_clocks_opens_only_games_that_are_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hours = Hours()
    with open_post(found_post(tmp_path / "post"), hours.now) as context:
        tick(context)
        for number, days in enumerate((3, 6, 9), 1):
            seat(context, f"bora-{number}", per_turn=timedelta(days=days), reminders=(timedelta(hours=1),))
        tick(context)
        with counting(monkeypatch) as opened:
            hours.forward(minutes=30)
            assert tick(context) == []
            assert wanted_rounds(context) == []
            assert opened == []
            while not (done := tick(context)):
                hours.forward(minutes=30)
            assert [(each.what, each.game) for each in done] == [("remind", "bora-1")]
            assert {*opened} == {"bora-1"}


def test_a_summary_is_found_by_the_clock_of_its_game_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = make_script(3)
    (first, opening), (second, answer) = moves_of(script, 2)
    with found_town(tmp_path / "post", DESERT, 3, options=dict(script.setup.options)) as town:
        for who, words in ((first, "notify daily 18:00"), (first, opening), (second, answer)):
            assert town.write(who, words).fate == "applied"
        seat(town.context, "bora-1", per_turn=timedelta(days=90))
        with counting(monkeypatch) as opened:
            done = town.wait(days=1)
        assert [(each.game, each.seat) for each in done if each.what == "digest"] == [(TABLE, first)]
        assert "bora-1" not in opened


def test_what_status_tells_is_what_the_events_say_after_every_letter(tmp_path: Path) -> None:
    script = make_script(3)
    with found_town(tmp_path / "post", DESERT, 3, options=dict(script.setup.options)) as town:
        assert check(town).turn == 1
        for who, words in moves_of(script, 8):
            assert town.write(who, words).fate == "applied"
            check(town)
        due = next(iter(check(town).waits_for))
        for words in ("pause", "draw", "appeal I do not agree"):
            town.write(due, words)
            check(town)
        assert check(town).cases
        town.wait(days=2)
        check(town)
        town.write(due, "resign")
        check(town)


def test_an_invitation_stands_in_its_row_with_those_it_waits_for(tmp_path: Path) -> None:
    with found_town(tmp_path / "post", NOMADI, 3, accepting=False) as town:
        first, second, third = check(town).waits_for
        assert town.write(first, "accept").fate == "applied"
        assert [*check(town).waits_for] == [second, third]
        assert town.write(second, "decline").fate == "applied"
        assert check(town).free == (second,)


def test_a_row_that_says_nothing_is_filled_by_the_next_look_and_told_from_events_until_then(tmp_path: Path) -> None:
    with found_town(tmp_path / "post", DESERT, 3) as town:
        before = check(town)
        with closing(sqlite3.connect(town.context.settings.database)) as database, database:
            database.execute("UPDATE game SET standing = '', turn = 0, due = ''")
            database.execute("UPDATE clock SET due_at = '1970-01-01T00:00:00Z'")
        with town.context.store.reading() as at_desk:
            assert quick_statuses(at_desk, all_of_them=False) is None
            assert _fold_status(town.context, at_desk, TABLE) == before
        assert ticking.tick(town.context) == []
        assert check(town) == before
