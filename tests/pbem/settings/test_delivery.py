"""The few settings of `pbem deliver` are those that reading all of them gives, or are left to that."""

from pathlib import Path

import pytest

from pbem.settings.delivery import SECTIONS, STORE_KEYS, DeliverySettings, read_delivery_settings
from pbem.settings.load import read_settings
from pbem.settings.new_file import default_toml
from pbem.settings.sections import ALWAYS, Settings
from pbem.settings.setting_keys import keys_of
from pbem.settings.store_section import StoreSettings

IN_ORDER = [
    "",
    default_toml(),
    '[store]\nurl = "sqlite:///elsewhere/other.db"\npatience = "1m30s"\n[post]\nlargest_letter = 20000\n',
    '[store]\nurl = "sqlite:////srv/post.db"\n',
    '\ufeff[store]\npatience = "1h"\n',
    "[post]\nstranger_bytes = 2000000\nstrangers_bytes = 3000000\nplayer_bytes = 4000000\n",
]
NOT_IN_ORDER = [
    "[post",
    "[stroe]\n",
    "store = 1\n",
    '[store]\nulr = "sqlite:///x.db"\n',
    '[store]\nurl = "sqlite:///"\n',
    '[store]\nurl = "sqlite:///x.db?mode=ro"\n',
    "[store]\nurl = 3\n",
    '[store]\npatience = "0s"\n',
    '[store]\npatience = "2h"\n',
    "[store]\npatience = 10\n",
    "[post]\nlargest_letter = 100\n",
    "[post]\nlargest_letter = 999999\n",
    "[post]\nlargest_letter = true\n",
    "[post]\nstranger_bytes = 100\n",
    '[post]\nstrangers_bytes = "all"\n',
    "[post]\nplayer_bytes = true\n",
]


def test_the_sections_and_keys_are_those_of_all_settings() -> None:
    assert {*ALWAYS, "in", "out"} == SECTIONS
    assert {key.written for key in keys_of(StoreSettings)} == STORE_KEYS


@pytest.mark.parametrize("text", IN_ORDER)
def test_settings_in_order_are_read_as_all_settings_are(tmp_path: Path, text: str) -> None:
    (tmp_path / "post.toml").write_text(text, "utf-8")
    full = read_settings(tmp_path)
    assert isinstance(full, Settings)
    for place in (tmp_path, tmp_path / "post.toml"):
        quick = read_delivery_settings(str(place))
        limits = (full.post.stranger_bytes, full.post.strangers_bytes, full.post.player_bytes)
        patience = full.store.patience.total_seconds()
        assert quick == DeliverySettings(full.store.url, patience, full.post.largest_letter, limits)


@pytest.mark.parametrize("text", NOT_IN_ORDER)
def test_settings_that_are_not_in_order_are_left_to_the_full_reader(tmp_path: Path, text: str) -> None:
    (tmp_path / "post.toml").write_text(text, "utf-8")
    assert read_delivery_settings(str(tmp_path)) is None
    assert not isinstance(read_settings(tmp_path), Settings)


def test_a_database_on_a_server_is_left_to_the_full_reader(tmp_path: Path) -> None:
    (tmp_path / "post.toml").write_text('[store]\nurl = "postgresql://post@db.test/post"\n', "utf-8")
    (tmp_path / "secret").write_text("open sesame\n", "utf-8")
    assert read_delivery_settings(str(tmp_path)) is None
    full = read_settings(tmp_path)
    assert isinstance(full, Settings)
    assert full.store.is_on_server
    assert full.store.address == {"url": "postgresql://post@db.test/post", "password": None, "timeout": 10.0}
    (tmp_path / "post.toml").write_text(
        '[store]\nurl = "postgresql:///post?host=/run/postgresql"\npassword_file = "secret"\n', "utf-8"
    )
    full = read_settings(tmp_path)
    assert isinstance(full, Settings)
    assert full.store.address["password"] == "open sesame"  # noqa: S105 - not one
    assert "sesame" not in repr(full)


@pytest.mark.parametrize("url", ["postgresql://post:pass@db.test/post", "postgresql:///post?host=x&password=pass"])
def test_a_password_in_the_address_of_a_database_is_refused(tmp_path: Path, url: str) -> None:
    (tmp_path / "post.toml").write_text(f'[store]\nurl = "{url}"\n', "utf-8")
    assert not isinstance(read_settings(tmp_path), Settings)


def test_a_file_that_cannot_be_read_is_left_to_the_full_reader(tmp_path: Path) -> None:
    (tmp_path / "post.toml").write_bytes(b"\xff\xfe")
    assert read_delivery_settings(str(tmp_path)) is None
    assert read_delivery_settings(str(tmp_path / "no.toml")) is None
