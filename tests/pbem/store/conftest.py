"""A store in a fresh database of each kind, and a clock that tests move by hand."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.store.store import Store
from tests.postgresql import databases


class HandClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def move(self, **span: float) -> datetime:
        self.moment += timedelta(**span)
        return self.moment


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """The address of a new file, for what only SQLite does."""
    return f"sqlite:///{tmp_path}/post.db"


@pytest.fixture
def file_store(file_url: str, clock: HandClock) -> Iterator[Store]:
    with Store.create(file_url, now=clock) as opened:
        yield opened


@pytest.fixture(params=databases())
def url(request: pytest.FixtureRequest, file_url: str) -> str:
    """The address of a new database of each kind."""
    return file_url if request.param == "sqlite" else request.getfixturevalue("server_url")


@pytest.fixture
def store(url: str, clock: HandClock) -> Iterator[Store]:
    with Store.create(url, now=clock) as opened:
        yield opened
