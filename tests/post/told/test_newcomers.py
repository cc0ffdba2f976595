"""What newcomers typed, and were not understood or were answered beside the point."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.registry import find_game
from tests.post.towns import Town, found_town


class Towns:
    """Towns of one test, which go away with it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack

    def found(self, key: str, language: str = "en") -> Town:
        """A town in which a game begins."""
        game = find_game(key)
        assert game is not None
        return self._stack.enter_context(found_town(self._folder / "post", game, 3, language=language))


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[Towns]:
    with ExitStack() as stack:
        yield Towns(tmp_path, stack)


def answer(town: Town, words: str) -> str:
    """What the player on turn is answered, on one line."""
    seat = town.table.due[0]
    town.write(seat, words)
    text, _, _ = town.last_text(seat).partition("Your receipt, signed")
    return " ".join(text.split())


def test_a_path_that_is_not_there_is_answered_with_those_that_are(towns: Towns) -> None:
    town = towns.found("brotherhood")
    said = answer(town, "settlement 12, road 12-13")
    assert "Not played: there is no path 12-13" in said
    assert "At 12 you find the paths 7-12, 12-17, 12-18." in said
    assert "smaller" not in said
    assert "there is no path 80-90" in answer(town, "settlement 12, road 80-90")
