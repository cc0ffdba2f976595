"""The scene that these tests are laid in."""

import pytest

from tests.oracle.brotherhood.brotherhood_scene import Scene, lay_scene


@pytest.fixture
def scene() -> Scene:
    """Red's first turn, before the roll; a guard of each on a section of its own."""
    return lay_scene()
