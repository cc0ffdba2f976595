"""`pbem demo`: one command, a whole game by mail, and everything to look at."""

import json
import re
from collections import Counter
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

Pbem = Callable[..., Any]


@pytest.fixture(scope="module")
def shown(pbem: Pbem, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demonstration, and what it printed."""
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    answer = pbem("demo", folder, "--seats", "2")
    assert answer.exit_code == 0, answer.output
    return folder, answer.stdout


def test_it_says_who_won_and_where_everything_is(shown: tuple[Path, str]) -> None:
    folder, told = shown
    assert "winner" in told
    assert re.search(r"One illegal move was refused \(TD-", told)
    places = [Path(word) for word in re.findall(r"\S+", told) if str(folder) in word]
    assert len(places) > 8
    assert [place for place in places if not Path(str(place).rstrip(",")).exists()] == []


def test_everything_it_suggests_works(pbem: Pbem, shown: tuple[Path, str]) -> None:
    suggested = [line.strip() for line in shown[1].split("Try next:")[1].splitlines() if line.strip()]
    assert len(suggested) == 4
    for line in suggested:
        answer = pbem(*line.split()[1:])
        assert answer.exit_code == 0, answer.output


def test_the_record_is_legal_and_the_post_has_the_same(pbem: Pbem, shown: tuple[Path, str]) -> None:
    folder, _ = shown
    assert pbem("validate", folder / "game.turns").exit_code == 0
    kept = pbem("record", "sirocco-1", "--config", folder / "post.toml")
    assert kept.stdout == (folder / "game.turns").read_text("utf-8")


def test_every_letter_and_every_mail_lies_on_a_shelf_in_order(shown: tuple[Path, str]) -> None:
    folder, _ = shown
    for person in ("anna", "boris"):
        files = sorted((folder / "letters" / person).glob("*.eml"))
        kinds = [path.stem.split("-", 1)[1] for path in files]
        assert [int(path.stem.split("-")[0]) for path in files] == [*range(1, len(files) + 1)]
        assert kinds[0] == "invitation"
        assert kinds[-1] == "game-over"
        box = folder / "mailboxes" / f"{person}@example.org" / "new"
        assert len([*box.iterdir()]) == len(kinds) - kinds.count("written")
    everything = Counter(path.stem.split("-", 1)[1] for path in (folder / "letters").glob("*/*.eml"))
    assert everything.keys() >= {"invitation", "written", "receipt", "turn", "refusal", "answer", "press", "game-over"}


def test_the_pages_show_pictures_that_are_there(shown: tuple[Path, str]) -> None:
    folder, _ = shown
    pages = [*(folder / "letters").glob("*/*-turn.html")]
    assert pages
    for page in pages:
        text = page.read_text("utf-8")
        assert "cid:" not in text
        for picture in re.findall(r'<img[^>]* src="([^"]+)"', text):
            assert (page.parent / picture).read_bytes().startswith(b"\x89PNG")


def test_players_write_as_their_programs_do(shown: tuple[Path, str]) -> None:
    folder, _ = shown
    shapes = {
        person: message_from_bytes(next((folder / "letters" / person).glob("*-written.eml")).read_bytes())
        for person in ("anna", "boris")
    }
    assert not shapes["anna"].is_multipart()
    assert shapes["boris"].get_content_type() == "multipart/alternative"


def test_as_json_with_another_seed_in_a_folder_of_its_own(
    pbem: Pbem, shown: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("caravan-demo").mkdir()
    Path("caravan-demo/post.toml").write_text("", "utf-8")
    told = json.loads(pbem("demo", "--seats", "2", "--seed", "another", "--json").stdout)
    assert told["record"] == "caravan-demo-2/game.turns"
    assert told["finished"] is True
    assert told["letters"] > 20
    assert Path(told["record"]).read_text("utf-8") != (shown[0] / "game.turns").read_text("utf-8")


def test_mails_and_the_last_board_come_in_the_language_that_is_asked_for(pbem: Pbem, tmp_path: Path) -> None:
    folder = tmp_path / "hebrew"
    assert pbem("demo", folder, "--seats", "2", "--language", "he").exit_code == 0
    pages = [page.read_text("utf-8") for page in (folder / "letters").glob("*/*.html")]
    assert len(pages) > 20
    assert all('<html lang="he" dir="rtl">' in page for page in pages)
    assert 'lang="he"' in (folder / "board.html").read_text("utf-8")
    assert 'language = "he"' in (folder / "post.toml").read_text("utf-8")


def test_a_language_that_the_post_does_not_speak_is_refused_before_anything_is_written(
    pbem: Pbem, tmp_path: Path
) -> None:
    answer = pbem("demo", tmp_path / "x", "--language", "fr")
    assert answer.exit_code == 2
    assert "en, he, ru, pl, nl" in answer.stderr
    assert not (tmp_path / "x").exists()


def test_a_demo_that_has_no_room_says_so(pbem: Pbem, shown: tuple[Path, str], file: Path) -> None:
    for place in (file, shown[0]):
        answer = pbem("demo", place)
        assert answer.exit_code == 2
        assert answer.stderr.count("\n") == 1


def test_too_many_players(pbem: Pbem, tmp_path: Path) -> None:
    answer = pbem("demo", tmp_path / "x", "--seats", "9")
    assert answer.exit_code == 2
    assert not (tmp_path / "x").exists()
