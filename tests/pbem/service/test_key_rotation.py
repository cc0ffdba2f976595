"""New keys: planned, lost or stolen. What the old key signed is believed, and old reply addresses are told apart."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.chance import KeyedDealer
from pbem.cli.app import make_app
from pbem.proof.signatures import is_signed, new_key_message
from pbem.service.key_rotation import refuse_other_key
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.tables.chance import random_moves
from tests.known_games import known_game
from tests.post.towns import Town, found_town

FOLDER = "post"


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """A game in which two turns were played; the post is closed."""
    with found_town(tmp_path / FOLDER, known_game("through-the-desert"), 2) as town:
        play(town)
        play(town)
    return town


def play(town: Town) -> None:
    (seat,) = town.table.due
    assert town.write(seat, random_moves(town.table, seat, KeyedDealer(b"%d" % town.table.turn))).fate == "applied"


@contextmanager
def reopened(town: Town) -> Iterator[Town]:
    """The same post, opened again with the keys that are there now."""
    settings = read_settings(town.context.settings.folder)
    assert isinstance(settings, Settings)
    with open_post(settings, town.hours.now) as context:
        town.context = context
        refuse_other_key(context)
        town.carry()
        yield town


def pbem(town: Town, *words: str | Path, code: int = 0) -> Any:
    line = [*map(str, words), *(["--config", str(town.context.settings.folder)] if words[0] != "verify" else [])]
    answer = CliRunner().invoke(make_app(str(words[0])), line)
    assert answer.exit_code == code, (line, answer.output, answer.stderr)
    return answer


def verify(town: Town, tmp_path: Path, *words: str) -> str:
    record = tmp_path / "record.turns"
    pbem(town, "record", "sirocco-7", "-o", record)
    mails = tmp_path / "mails"
    mails.mkdir(exist_ok=True)
    for number, raw in enumerate(raw for mailed in town.mails.values() for raw in mailed):
        (mails / f"{number}.eml").write_bytes(raw)
    return str(pbem(town, "verify", record, "--mbox", mails, *words).stdout)


def test_a_planned_rotation_is_announced_and_vouched_for_by_the_old_key(town: Town, tmp_path: Path) -> None:
    old = bytes.fromhex(pbem(town, "key").stdout.strip())
    new = pbem(town, "key", "rotate", "signing").stdout.splitlines()[0]
    assert pbem(town, "key").stdout.strip() == new != old.hex()
    with reopened(town):
        rekeyed = town.events[-1]
        assert rekeyed.kind == "rekeyed"
        signature = bytes.fromhex(rekeyed.payload.signature)  # type: ignore[attr-defined]  # it is a new key
        said = new_key_message("caravan@post.test", "sirocco-7", rekeyed.seq, new)
        assert is_signed(old, said, signature)
        assert all("we sign with a new key" in " ".join(town.last_text(seat).split()) for seat in town.friends)
        play(town)
    line = json.loads(pbem(town, "log").stdout.splitlines()[-1])
    assert (line["kind"], line["key"]) == ("key", new)
    assert is_signed(old, new_key_message("caravan@post.test", "", 0, new), bytes.fromhex(line["signature"]))
    verify(town, tmp_path, "--key", new)
    pbem(town, "doctor")
    (kept,) = town.context.settings.folder.glob("signing.key.replaced-*")
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("how", ["--lost", "--stolen"])
def test_a_key_that_is_lost_or_stolen_vouches_for_nothing(town: Town, tmp_path: Path, how: str) -> None:
    if how == "--lost":
        (town.context.settings.folder / "signing.key").unlink()
    pbem(town, "key", "rotate", "signing", how)
    with reopened(town):
        assert town.events[-1].payload.signature == ""  # type: ignore[attr-defined]  # it is a new key
        play(town)
    verify(town, tmp_path)


def test_the_post_does_not_open_with_another_key_than_the_one_that_signed(town: Town) -> None:
    (town.context.settings.folder / "signing.key").write_text("ab" * 32)
    with pytest.raises(StoreRefusedError, match="pbem key rotate signing --lost"), reopened(town):
        pass
    assert "pbem key rotate signing --lost" in pbem(town, "tick", code=1).stderr
    assert "pbem key rotate signing --lost" in pbem(town, "serve", code=1).stderr


def test_a_rotation_that_was_cut_off_before_the_files_changed_is_finished(town: Town) -> None:
    folder = town.context.settings.folder
    old = (folder / "signing.key").read_text()
    pbem(town, "key", "rotate", "signing")
    # As if the power had failed when the database knew the new key and the files did not.
    (folder / "signing.key").rename(folder / "signing.key.new")
    (folder / "signing.key").write_text(old)
    next(folder.glob("signing.key.replaced-*")).unlink()
    pbem(town, "key", "rotate", "signing")
    with reopened(town):
        assert [event.kind for event in town.events].count("rekeyed") == 1


def test_reply_addresses_of_a_replaced_ticket_key_still_count(town: Town) -> None:
    pbem(town, "key", "rotate", "ticket")
    with reopened(town):
        play(town)
    pbem(town, "doctor")


@pytest.mark.parametrize("how", ["--lost", "--stolen"])
def test_reply_addresses_of_a_stolen_ticket_key_do_not_and_everybody_due_is_asked_again(town: Town, how: str) -> None:
    (seat,) = _due(town)
    letter = town.friends[seat].answer("lilac A1", town.hours.now())
    if how == "--lost":
        (town.context.settings.folder / "ticket.key").unlink()
    pbem(town, "key", "rotate", "ticket", how)
    with reopened(town):
        assert town.deliver(letter).reason == "bad-ticket"
        play(town)


def _due(town: Town) -> tuple[str, ...]:
    with reopened(town):
        return town.table.due


@pytest.mark.parametrize("words", [["rotate"], ["rotate", "door"], ["turn"], ["--lost"]])
def test_what_is_not_meant_so_changes_nothing(town: Town, words: list[str]) -> None:
    before = {path.name: path.read_bytes() for path in town.context.settings.folder.glob("*.key*")}
    pbem(town, "key", *words, code=2)
    assert {path.name: path.read_bytes() for path in town.context.settings.folder.glob("*.key*")} == before
