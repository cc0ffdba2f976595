"""A post is founded once, privately, and nothing that is there is overwritten."""

import stat
from pathlib import Path

import pytest

from pbem.service.post_folder import CreatedPost, Occupied, create_post, open_store
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.store import Store


def test_a_new_post_has_settings_a_key_and_a_database(tmp_path: Path) -> None:
    made = create_post(tmp_path / "a" / "post", {"post.address": "caravan@post.test"})
    assert isinstance(made, CreatedPost)
    assert read_settings(made.file) == made.settings
    assert made.settings.post.address == "caravan@post.test"
    assert made.settings.post.ticket_key is not None
    assert len(made.settings.post.ticket_key.reveal()) == 64
    assert made.settings.database == made.database


def test_key_and_database_are_for_their_owner_only(tmp_path: Path) -> None:
    made = create_post(tmp_path, {})
    assert isinstance(made, CreatedPost)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (made.key, made.database)] == [0o600, 0o600]


def test_every_post_has_another_key(tmp_path: Path) -> None:
    posts = [create_post(tmp_path / name, {}) for name in ("one", "other")]
    assert len({post.key.read_text("ascii") for post in posts if isinstance(post, CreatedPost)}) == 2


@pytest.mark.parametrize("name", ["post.toml", "ticket.key", "post.db"])
def test_nothing_is_overwritten_and_then_nothing_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", "utf-8")
    assert create_post(tmp_path, {}) == Occupied(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text("utf-8") == "mine"


def test_a_link_that_leads_nowhere_is_there_too(tmp_path: Path) -> None:
    (tmp_path / "ticket.key").symlink_to(tmp_path / "elsewhere")
    assert create_post(tmp_path, {}) == Occupied(tmp_path / "ticket.key")


@pytest.mark.parametrize("name", ["what?", "with%20blank", "a # b"])
def test_the_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    made = create_post(tmp_path / name, {})
    assert isinstance(made, CreatedPost)
    assert made.database.is_file()
    with open_store(made.settings) as store:
        assert store.counters().received == 0


def test_a_founding_that_fails_leaves_nothing_behind_and_can_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(url: str, **_: object) -> None:
        Path(url.removeprefix("sqlite:///")).touch()
        raise StoreRefusedError("the disk is full")

    (tmp_path / "mine").write_text("mine", "utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "create", fail)
        for folder in (tmp_path, tmp_path / "a" / "post"):
            with pytest.raises(StoreRefusedError):
                create_post(folder, {})
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert isinstance(create_post(tmp_path / "a" / "post", {}), CreatedPost)


def test_the_folder_may_be_moved(tmp_path: Path) -> None:
    create_post(tmp_path / "here", {})
    (tmp_path / "here").rename(tmp_path / "there")
    settings = read_settings(tmp_path / "there" / "post.toml")
    assert isinstance(settings, Settings)
    assert settings.database.is_file()
