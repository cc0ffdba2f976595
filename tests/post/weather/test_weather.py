"""Whatever the weather, the post keeps its word; and when it clears up, the game goes on.

Mails are lost, doubled, late and out of order; mail servers put them off and send them back; people answer old mails,
twice, with something else, or by a machine; somebody uses reply addresses that are not his; the post falls over after
any step, or is shut for days. `CARAVAN_WORLDS` says how many worlds there are of each game, `CARAVAN_FIRST_WORLD`
which is the first.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from pbem.tables.decision import Decision
from pbem.tables.silence import handle_timeout
from pbem.tables.table import CALLED_OFF, OVER, Table
from pbem.workflow import tick as ticking
from pbem.workflow.pencils import play_pencil
from pbem.workflow.session import GameSession
from tests.post.post_games import START
from tests.post.running.way_of_a_letter import INSIDE
from tests.post.weather.mistakes import MISTAKES
from tests.post.weather.sky import CALM, FLOODED, HARSH, MURMURING, Weather
from tests.post.weather.watching import find_breaches
from tests.post.weather.world import World, live, make_world

WORLDS = int(os.environ.get("CARAVAN_WORLDS", "1"))
FIRST = int(os.environ.get("CARAVAN_FIRST_WORLD", "1"))
GAMES = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
FALLS = {step: place for step, place in INSIDE.items() if step not in ("sent", "taken")}

Enter = Callable[..., World]


@pytest.fixture
def enter_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Enter]:
    """Makes worlds, of which the last goes on; its post falls over after any of the named steps."""
    going: list[World] = []

    def stumbling(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            answer = function(*given, **named)
            for world in going:
                world.stumble(step)
            return answer

        return call

    def close() -> None:
        while going:
            going.pop().context.store.close()

    def enter(game: str, seed: int, weather: Weather | None = None) -> World:
        close()
        going.append(make_world(Path(tempfile.mkdtemp(dir=tmp_path), "post"), seed, game, weather))
        return going[0]

    def witnessing(table: Table, seat: Seat, **named: Any) -> Decision:
        for world in going:
            world.witness_lateness(table, seat)
        return handle_timeout(table, seat, **named)

    def witnessing_pencils(session: GameSession, seat: Seat) -> bool:
        for world in going:
            world.witness_pencil(session.table, seat)
        return play_pencil(session, seat)

    monkeypatch.setattr(ticking, "handle_timeout", witnessing)
    monkeypatch.setattr(ticking, "play_pencil", witnessing_pencils)
    for step, (place, name) in FALLS.items():
        monkeypatch.setattr(place, name, stumbling(step, getattr(place, name)))
    yield enter
    close()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + WORLDS))
@pytest.mark.parametrize("game", GAMES)
def test_every_promise_is_kept_and_the_game_goes_on(enter_world: Enter, tmp_path: Path, game: str, seed: int) -> None:
    world = enter_world(game, seed)
    after = live(world)
    assert list(find_breaches(world, tmp_path / "mails")) == []
    table = world.table
    assert table.stage in (OVER, CALLED_OFF) or table.seq >= after.seq + 10, dict(world.seen)


def test_nobody_is_called_late_whose_letter_lies_there_however_many_others_come(
    enter_world: Enter, tmp_path: Path
) -> None:
    world = enter_world("through-the-desert", 1, FLOODED)
    world.live_until(START + timedelta(days=4))
    world.weather = CALM
    world.live_until(START + timedelta(days=5))
    assert list(find_breaches(world, tmp_path / "mails")) == []
    assert world.seen["flood"] > 2, dict(world.seen)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_pencilled_is_played_once_at_its_moment_or_never(enter_world: Enter, tmp_path: Path, game: str) -> None:
    world = enter_world(game, 5, MURMURING)
    world.live_until(START + timedelta(days=6))
    world.weather = CALM
    world.live_until(START + timedelta(days=7))
    assert list(find_breaches(world, tmp_path / "mails")) == []
    happened = Counter(event.kind for event in world.events)
    assert happened["note.pencilled"] > 2, happened
    assert happened["note.erased"] > 0, happened
    assert world.seen["pencil played"] > 0, dict(world.seen)


def test_a_seed_makes_the_same_world_again(enter_world: Enter) -> None:
    lives = []
    for _ in range(2):
        world = enter_world("nomadi", 7, HARSH)
        world.live_until(START + timedelta(days=3))
        lives.append((world.table.head, dict(world.sent), world.seen))
    assert lives[0] == lives[1]
    assert len(world.sent) > 10


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_post_that_makes_a_mistake_is_found_out(
    enter_world: Enter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    make, shows, weather = MISTAKES[mistake]
    make(monkeypatch)
    for seed, day in product(range(6), range(1, 6)):
        if day == 1:
            world = enter_world("through-the-desert", seed, weather)
        world.live_until(START + timedelta(days=day))
        if any(shows in breach for breach in find_breaches(world, tmp_path / f"mails-{seed}-{day}")):
            return
    pytest.fail("nobody noticed")
