"""A post that was just founded, and its office."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext
from tests.post.post_games import Hours, found_post


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return found_post(tmp_path / "post", referee="referee@post.test")


@pytest.fixture
def context(settings: Settings, hours: Hours) -> Iterator[PostContext]:
    with open_post(settings, hours.now) as opened:
        yield opened
