"""The journal tells what happens, and keeps what is private."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.service.journal import (
    close_journal,
    journal_problem,
    note,
    start_journal,
    warn,
    without_addresses,
)
from pbem.settings.upkeep import LogSettings
from pbem.store.errors import StoreFailedError

LOG = logging.getLogger("pbem.workflow.handle_letter")
Read = Callable[[], list[str]]


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[Callable[..., Read]]:
    """Begin a journal; reading it gives its lines."""
    handlers = []
    level = logging.getLogger().level

    def begin(**wishes: str) -> Read:
        file = tmp_path / "post.log"
        handlers.append(start_journal(LogSettings(file=file, **wishes)))
        return lambda: file.read_text("utf-8").splitlines()

    yield begin
    for handler in handlers:
        close_journal(handler)
    logging.getLogger().setLevel(level)


def test_lines_for_people(keep: Callable[..., Read]) -> None:
    read = keep()
    note(LOG, "letter handled", letter=12, fate="applied", reason="carried out", game=None)
    (line,) = read()
    moment, rest = line.split(" ", 1)
    assert len(moment) == len("2026-11-16T09:30:00Z")
    assert rest == 'info workflow: letter handled (letter=12 fate=applied reason="carried out")'


def test_lines_for_programs(keep: Callable[..., Read]) -> None:
    read = keep(form="json")
    warn(LOG, "mails wait", mails=3)
    line = json.loads(*read())
    assert line.pop("at")
    assert line == {"level": "warning", "from": "workflow", "said": "mails wait", "mails": 3}


def test_light_lines_are_left_out_where_the_settings_say_so(keep: Callable[..., Read]) -> None:
    read = keep(level="warning")
    note(LOG, "letter handled")
    warn(LOG, "mails wait")
    assert len(read()) == 1


def test_an_unexpected_error_is_told_by_kind_and_place_and_not_in_its_words(keep: Callable[..., Read]) -> None:
    read = keep(form="json")
    try:
        raise ValueError("lilac E5, says anna@example.org")
    except ValueError:
        LOG.exception("stumbled")
    (text,) = read()
    line = json.loads(text)
    assert line["error"] == "ValueError"
    assert "test_journal.py" in line["where"][-1]
    assert "lilac" not in text
    assert "anna" not in text


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), StoreFailedError("the disk failed us")])
def test_what_the_outside_world_says_of_itself_is_quoted(keep: Callable[..., Read], problem: Exception) -> None:
    read = keep(form="json")
    LOG.error("stumbled", exc_info=problem)
    assert json.loads(*read())["detail"] == str(problem)


def test_a_line_is_one_line_whatever_it_says(keep: Callable[..., Read]) -> None:
    read = keep()
    note(LOG, "two\nlines", reason="with\nbreaks")
    assert len(read()) == 1


def test_libraries_are_heard_when_they_warn_and_without_their_facts(keep: Callable[..., Read]) -> None:
    read = keep(form="json", level="debug")
    library = logging.getLogger("mail.log")
    library.info("sender: %s", "anna@example.org")
    library.warning("odd sender: %s", "anna@example.org")
    assert [json.loads(line)["said"] for line in read()] == ["odd sender: %s"]


def test_a_journal_that_cannot_be_written_goes_to_the_terminal(
    keep: Callable[..., Read], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "post.log").mkdir()
    keep()
    warn(LOG, "mails wait", mails=3)
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.endswith("warning workflow: mails wait (mails=3)\n")


def test_why_there_can_be_no_journal_is_told_and_none_is_made_by_asking(tmp_path: Path) -> None:
    assert journal_problem(LogSettings()) is None
    assert journal_problem(LogSettings(file=tmp_path / "post.log")) is None
    assert not [*tmp_path.iterdir()]
    assert f"{tmp_path}/gone is not there" in str(journal_problem(LogSettings(file=tmp_path / "gone" / "post.log")))
    assert f"{tmp_path} is a folder" in str(journal_problem(LogSettings(file=tmp_path)))


def test_addresses_that_a_server_names_stay_out_of_the_journal() -> None:
    assert without_addresses("550 <anna@x.test>: no such user anna@x.test; sorry") == (
        "550 (an address): no such user (an address); sorry"
    )


def test_a_journal_that_was_moved_away_is_begun_anew(keep: Callable[..., Read], tmp_path: Path) -> None:
    read = keep()
    note(LOG, "first")
    (tmp_path / "post.log").rename(tmp_path / "post.log.1")
    note(LOG, "second")
    assert [line.endswith("second") for line in read()] == [True]
