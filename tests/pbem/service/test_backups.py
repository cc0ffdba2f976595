"""The service makes copies of the database by itself, keeps the last few, and the doctor looks at them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from pbem.service.backups import back_up_if_due, list_backups, time_until_due
from pbem.service.checks import run_checks
from pbem.service.folder_checks import ADVICE, BAD, GOOD
from pbem.service.post_folder import create_post
from pbem.service.server import Intervals, StopSignal, serve
from pbem.settings.sections import Settings
from pbem.settings.upkeep import BackupSettings
from pbem.store.sqlite_copy import peek_extent
from tests.post.running.served_post import until

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def backed(settings: Settings, tmp_path: Path) -> Settings:
    return replace(settings, backup=BackupSettings(tmp_path / "copies", DAY, keep=2))


def states(settings: Settings) -> list[tuple[str, str]]:
    return [(found.state, found.text) for found in run_checks(settings) if found.about == "backups"]


def test_a_copy_is_made_when_the_last_one_is_old_enough(backed: Settings) -> None:
    first = back_up_if_due(backed, NOW)
    assert first is not None
    assert peek_extent(first.path) is not None
    assert first.path.stat().st_mode & 0o077 == 0, "nobody else may read it"
    assert back_up_if_due(backed, NOW + timedelta(hours=23)) is None
    assert time_until_due(backed, NOW + timedelta(hours=23)) == timedelta(hours=1)
    assert back_up_if_due(backed, NOW + DAY) is not None


def test_only_the_last_few_are_kept_and_nothing_else_is_removed(backed: Settings) -> None:
    for days in range(4):
        back_up_if_due(backed, NOW + days * DAY)
    assert backed.backup.folder is not None
    other = backed.backup.folder / "post-of-my-own.db"
    other.write_text("mine")
    back_up_if_due(backed, NOW + 4 * DAY)
    assert [each.made for each in list_backups(backed.backup)] == [NOW + 3 * DAY, NOW + 4 * DAY]
    assert other.exists()


def test_a_copy_from_a_clock_that_was_ahead_does_not_stop_the_next_one(backed: Settings) -> None:
    back_up_if_due(backed, NOW + 300 * DAY)
    assert back_up_if_due(backed, NOW) is not None


def test_the_doctor_says_when_the_last_copy_was_made_and_whether_it_can_be_read(
    settings: Settings, backed: Settings
) -> None:
    assert states(replace(settings, backup=BackupSettings()))[0][0] == ADVICE
    made = back_up_if_due(backed, datetime.now(UTC))
    assert made is not None
    ((state, text),) = states(backed)
    assert state == GOOD
    assert "which can be read" in text
    made.path.write_bytes(b"spoilt")
    assert states(backed)[0][0] == BAD
    made.path.unlink()
    back_up_if_due(backed, NOW - 900 * DAY)
    assert "is `pbem serve` running" in states(backed)[0][1]


def test_a_new_post_makes_copies_and_one_without_the_section_makes_none(tmp_path: Path) -> None:
    made = create_post(tmp_path / "new", {})
    assert made.settings.backup.folder == tmp_path / "new" / "backups"  # type: ignore[union-attr]  # it was created
    assert Settings().backup.folder is None
    assert back_up_if_due(Settings(), NOW) is None


def test_the_service_makes_the_first_copy_when_it_starts(backed: Settings) -> None:
    stop = StopSignal()
    service = Thread(target=serve, args=(backed, stop), kwargs={"intervals": Intervals()})
    service.start()
    try:
        assert until(lambda: list_backups(backed.backup))
    finally:
        stop.set()
        service.join()
