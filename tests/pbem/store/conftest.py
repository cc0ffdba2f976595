"""A store in a fresh file, and a clock that tests move by hand."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.store.store import Store


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
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/post.db"


@pytest.fixture
def store(url: str, clock: HandClock) -> Iterator[Store]:
    with Store.create(url, now=clock) as opened:
        yield opened
