"""What a move would show its player is not told before the move stands: not by a preview, and not by a refusal."""

from types import SimpleNamespace
from typing import Any

import pytest

from engine.brotherhood.full_game import GAME
from engine.brotherhood.moves import End, Mance
from engine.chance import KeyedDealer
from engine.game import Ply
from engine.nomadi import GAME as NOMADI
from engine.nomadi.moves import Take
from notation import Entry, write_moves
from pbem.judging.submission import judge_at, preview_at
from pbem.mail.writing.choices import find_choices
from pbem.tables.votes import reveals
from tests.engine.nomadi.nomadi_tables import play, start
from tests.oracle.brotherhood.brotherhood_scene import Scene, lay_scene


@pytest.fixture
def scene() -> Scene:
    """Red may send Mance to blue, who has a keep and three cards."""
    scene = lay_scene()
    mine, theirs, *others = scene.position.settlements
    scene.set(settlements=(mine, theirs & ~(1 << 24), *others), keeps=(0, 1 << 24, 0, 0))
    return scene.lead("red", "mance").hold("red").hold("blue", ore=1, wool=2).roll("red")


def after(scene: Scene, *moves: Any) -> Any:
    position = scene.position
    for move in moves:
        position = GAME.apply(position, Ply("red", move))
    return position


def test_what_follows_a_look_is_judged_once_the_look_stands(scene: Scene) -> None:
    ruling = judge_at(GAME, scene.position, "red", "mance blue, take lumber, flip, end")
    assert ruling.is_legal, "a refusal would tell that blue has no lumber, and nothing would have been played"
    assert (ruling.phrase, ruling.position) == ("mance blue", after(scene, Mance("blue")))
    assert write_moves(GAME, ruling.later) == "take lumber, flip, end"


@pytest.mark.parametrize("text", ["mance blue", "mance blue, take lumber", "mance blue, take ore"])
def test_a_preview_does_not_look_into_a_hand(scene: Scene, text: str) -> None:
    ruling = preview_at(GAME, scene.position, "red", text)
    assert ruling.withheld
    assert (ruling.phrase, ruling.position) == ("mance blue", scene.position)
    other = scene.hold("blue", lumber=3)
    assert preview_at(GAME, other.position, "red", text)._replace(position=None) == ruling._replace(position=None)


def test_a_preview_does_not_turn_a_card_over() -> None:
    seen = 0
    for before, ply, _ in play(start(4), KeyedDealer(b"previews")):
        if isinstance(ply.move, Take):
            ruling = preview_at(NOMADI, before, ply.seat, write_moves(NOMADI, (ply.move,)))
            assert ruling.withheld
            previewed: Any = ruling.position
            assert NOMADI.view(previewed, ply.seat) == NOMADI.view(before, ply.seat)
            seen += 1
    assert seen


def test_other_previews_show_where_a_move_leads(scene: Scene) -> None:
    ruling = preview_at(GAME, scene.position, "red", "end")
    assert not ruling.withheld
    assert ruling == judge_at(GAME, scene.position, "red", "end")


def test_the_example_of_a_turn_tells_nothing_of_a_hand(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    legal = [Ply("red", Mance("blue"))]
    monkeypatch.setattr(type(GAME), "legal", staticmethod(lambda position: list_first(position, legal)))
    table: Any = SimpleNamespace(game=GAME, position=scene.position, due=("red",), resigned=())
    choices = find_choices(table, "red")
    assert choices is not None
    assert choices.example == "mance blue"


def list_first(position: Any, first: list[Ply]) -> list[Ply]:
    """Mance alone, and what could follow him."""
    from engine.brotherhood.legal import legal

    listed = list(legal(position))
    return [ply for ply in listed if ply in first] or listed


@pytest.mark.parametrize(("moves", "shown"), [((Mance("blue"),), True), ((End(),), False)])
def test_a_turn_in_which_a_hand_was_seen_is_not_taken_back_without_asking(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, moves: tuple[Any, ...], shown: bool
) -> None:
    begun = SimpleNamespace(position=scene.position)
    monkeypatch.setattr("pbem.tables.votes.replay_record", lambda record, until: begun)
    table: Any = SimpleNamespace(game=GAME, entries=[Entry(17, "red", moves)], record=None)
    table.standing = tuple(table.entries)
    assert reveals(table, 17) == shown
