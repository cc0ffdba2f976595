"""What a newer edition of the rules would change in old records; the records stay as they are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.game import Game, Ply
from engine.replay import PlainRun
from engine.score import Score
from engine.through_the_desert import GAME, ThroughTheDesert
from engine.through_the_desert.rules import RULES
from engine.verdict import Verdict
from notation import Record, write_record

Pbem = Callable[..., Any]
Editions = Callable[[type[Game[Any]]], None]


@pytest.fixture
def publish(monkeypatch: pytest.MonkeyPatch) -> Editions:
    """Let there be a second edition of Through the Desert."""

    def second(newer: type[Game[Any]]) -> None:
        newest = newer()
        newest.edition = "2"
        both = {"1": GAME, "2": newest}
        monkeypatch.setattr(registry, "list_editions", lambda key: tuple(both.values()) if key == GAME.key else ())
        monkeypatch.setattr(registry, "find_game", lambda key, edition=None: both.get(edition or "2"))

    return second


class Stricter(ThroughTheDesert):
    """Nobody places anything in turn 20."""

    def run(self, position: Any) -> Any:  # type: ignore[override]  # one that asks judge below
        return PlainRun(self, position)

    def judge(self, position: Any, ply: Ply) -> Verdict | None:
        if self.turn(position) == 20:
            return Verdict(RULES[0], "turn {turn} is a day of rest", {"turn": 20})
        return super().judge(position, ply)


class Dearer(ThroughTheDesert):
    """No points at all."""

    def score(self, position: Any) -> Score:
        counted = super().score(position)
        return Score(tuple(tally._replace(lines=()) for tally in counted.tallies), counted.winners)


class Chattier(ThroughTheDesert):
    """Everybody sees one thing more from turn 15 on."""

    def view(self, position: Any, viewer: str) -> Any:
        seen = dict(super().view(position, viewer))
        return {**seen, "wind": "east"} if self.turn(position) >= 15 else seen


def test_with_one_edition_there_is_nothing_to_change(pbem: Pbem, file: Path) -> None:
    before = file.read_bytes()
    answer = pbem("upgrade", file)
    assert answer.exit_code == 0, answer.output
    assert "through-the-desert edition 1: there is no newer one" in answer.stdout
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("newer", "kind", "turn"), [(Stricter, "verdict", 20), (Chattier, "state", 14), (Dearer, "points", None)]
)
def test_the_first_difference_is_told_and_nothing_is_rewritten(
    pbem: Pbem, file: Path, publish: Editions, newer: type[Game[Any]], kind: str, turn: int | None
) -> None:
    before = file.read_bytes()
    publish(newer)
    (found,) = json.loads(pbem("upgrade", file, "--json").stdout)["results"]
    assert (found["edition"], found["newest"]) == ("1", "2")
    assert (found["change"]["kind"], found["change"]["turn"]) == (kind, turn)
    answer = pbem("upgrade", file)
    assert answer.exit_code == 0
    assert f"edition 1, newest 2: another {kind}" in answer.stdout
    assert file.read_bytes() == before


def test_an_edition_that_changes_nothing_is_said_so(pbem: Pbem, file: Path, publish: Editions) -> None:
    publish(ThroughTheDesert)
    assert "newest 2: nothing would change" in pbem("upgrade", file).stdout


def test_a_record_that_does_not_stand_is_refused(pbem: Pbem, spoiled: Path) -> None:
    answer = pbem("upgrade", spoiled)
    assert answer.exit_code == 1
    assert "TD-" in answer.output


def test_a_record_of_an_unknown_game_is_told(pbem: Pbem, game: Record, tmp_path: Path) -> None:
    path = tmp_path / "strange.turns"
    path.write_text(write_record(game).replace('[Rules "1"]', '[Rules "77"]'), "utf-8")
    answer = pbem("upgrade", path)
    assert answer.exit_code == 1
    assert "unknown here" in answer.output
