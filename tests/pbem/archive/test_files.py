"""A draft takes a file's place whole, or leaves no trace."""

from pathlib import Path

import pytest

from pbem.archive.files import FileDraft


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.turns"
    path.write_text("old", "utf-8")
    return path


def test_a_published_draft_is_the_file(path: Path) -> None:
    with FileDraft(str(path)) as draft:
        draft.write("new")
        draft.write("er\n")
        assert path.read_text("utf-8") == "old"
        draft.publish()
    assert path.read_text("utf-8") == "newer\n"
    assert list(path.parent.iterdir()) == [path]


def test_a_draft_that_is_not_published_leaves_no_trace(path: Path) -> None:
    with FileDraft(str(path)) as draft:
        draft.write("new")
    assert path.read_text("utf-8") == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_crash_in_the_middle_leaves_the_file_as_it_was(path: Path) -> None:
    def crash() -> None:
        with FileDraft(str(path)) as draft:
            draft.write("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crash()
    assert path.read_text("utf-8") == "old"
    assert list(path.parent.iterdir()) == [path]


def test_standard_output_gets_its_draft_when_it_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    with FileDraft("-") as draft:
        draft.write("new")
        assert capsys.readouterr().out == ""
        draft.publish()
    assert capsys.readouterr().out == "new"


def test_an_empty_draft_publishes_nothing(path: Path) -> None:
    with FileDraft(str(path)) as draft:
        draft.publish()
    assert path.read_text("utf-8") == "old"
