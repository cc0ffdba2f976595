"""What a site is made of: files, names, variations, and nothing that the public may not know."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Ply
from notation import COMMENT, VARIATION, Record, Remark, read_text, write_record
from pbem.judging.result import ReplayResult
from pbem.locale.languages import LANGUAGE_CODES
from pbem.web.frames import watch_game
from pbem.web.site import game_files, make_pages, name_game, shared_files
from pbem.web.site_folder import LIST, SiteFolder
from tests.pbem.web.conftest import watched

SECRET = ("brotherhood-base", "brotherhood")
VOID = ("meta", "link", "input", "br")


def files_of(record: Record, name: str = "game") -> dict[str, bytes]:
    """The files that a game brings to a site."""
    made = make_pages(record, name)
    assert not isinstance(made, ReplayResult), made.refusal
    return dict(game_files(made))


class Reader(HTMLParser):
    """Looks at everything in a page that could run, load or be named."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def desert(sample: Callable[[str, str], Record]) -> Record:
    record = sample("through-the-desert", "3")
    return Record(tuple(header for header in record.headers if header[0] != "Result"), record.entries[:24])


@pytest.fixture(scope="module")
def pages(desert: Record) -> dict[str, bytes]:
    return files_of(desert)


def test_a_game_has_a_page_in_every_language_its_record_and_its_styles(pages: dict[str, bytes]) -> None:
    assert {name for name in pages if not name.startswith("a/")} == {
        "game.turns",
        *(f"{code}/game.html" for code in LANGUAGE_CODES),
    }
    assert [name for name in pages if name.startswith("a/")]


def test_a_page_loads_nothing_from_elsewhere_and_runs_nothing_that_stands_in_it(pages: dict[str, bytes]) -> None:
    for name, content in pages.items():
        if not name.endswith(".html"):
            continue
        read = Reader(content.decode())
        assert read.open == []
        for tag, attributes in read.elements:
            assert not {each for each in attributes if each.startswith("on") or each == "style"}, (name, tag)
            for where in ("src", "href"):
                assert re.match(r"(?!\w+:|//)", attributes.get(where) or ""), (name, tag, attributes)
            assert tag != "style"
            assert tag != "script" or attributes.get("src") or attributes["type"] == "application/json"
        policy = next(each["content"] for tag, each in read.elements if each.get("http-equiv"))
        assert policy is not None
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_without_script_the_latest_board_and_all_moves_are_there(desert: Record, pages: dict[str, bytes]) -> None:
    page = pages["en/game.html"].decode()
    assert page.count("<li id=") == len(desert.entries) + 1
    assert 'data-board="wide"><svg' in page
    for link in re.findall(r'<a href="#([\d.]+)"', page):
        assert f'id="{link}"' in page


def test_what_players_call_themselves_is_never_markup(desert: Record) -> None:
    evil = "</script><script>alert(1)</script><!-- & \"'"
    headers = tuple((name, evil if name.startswith("Seat.") else value) for name, value in desert.headers)
    remark = Remark(1, COMMENT, f"{evil} \u202e turned")
    entries = (desert.entries[0]._replace(remarks=(remark,)), *desert.entries[1:])
    for name, content in files_of(Record(headers, entries)).items():
        if name.endswith(".html"):
            text = content.decode()
            assert text.count("<script") == 2
            assert "<!-- &" not in text
            assert "\u202e" not in text
            assert json.loads(re.findall(r'id="game">(.*?)</script>', text)[0])["last"] == len(entries)


def test_comments_glyphs_and_variations_are_shown_and_can_be_stepped_into() -> None:
    (reading,) = read_text(Path("examples/sirocco.turns").read_text("utf-8"))
    record = reading.record
    assert record is not None
    first = record.entries[18]
    other = watched(record).rules
    variation = first._replace(moves=first.moves[:1], remarks=())
    remarks = (*first.remarks, Remark(len(first.moves), VARIATION, (variation,)))
    changed = replace(record, entries=(*record.entries[:18], first._replace(remarks=remarks), *record.entries[19:]))
    game = watched(changed)
    (frame,) = [frame for frame in game.frames if frame.line]
    assert frame.name == "v1.1"
    assert game.frames[19].above == (1,)
    assert game.frames[frame.parent].position == game.frames[18].position
    assert other.view(frame.position, PUBLIC) != other.view(game.frames[19].position, PUBLIC)
    page = files_of(changed)["en/game.html"].decode()
    assert '<a href="#v1.1"' in page
    assert "water and an oasis with one stone" in page


def test_games_get_names_that_addresses_and_file_systems_bear(desert: Record) -> None:
    def called(title: str) -> Record:
        return Record((*(header for header in desert.headers if header[0] != "Id"), ("Id", title)))

    assert name_game(called("bora-3"), ()) == "bora-3"
    assert name_game(called("../../etc/passwd"), ()) == "etc-passwd"
    assert name_game(called("Bora-3"), ["bora-3"]) == "Bora-3-2"
    assert name_game(called("index"), ()) == "index-2"
    assert name_game(called("\u05d1\u05d5\u05e8\u05d4"), ()) == "game"


def test_only_what_changed_is_written_and_what_is_no_longer_ours_goes(tmp_path: Path) -> None:
    def publish(files: dict[str, bytes]) -> Any:
        site = SiteFolder(tmp_path)
        for name, content in files.items():
            site.put(name, content)
        return site.finish()

    (tmp_path / "mine.txt").write_text("mine")
    assert publish({"a/x": b"1", "y": b"2"}).written == ("a/x", "y")
    before = (tmp_path / "y").stat().st_mtime_ns
    done = publish({"y": b"2", "z": b"3"})
    assert (done.written, done.same, done.removed) == (("z",), 1, ("a/x",))
    assert (tmp_path / "y").stat().st_mtime_ns == before
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"mine.txt", "y", "z", LIST}


def test_what_a_publisher_wrote_before_it_was_killed_is_known_to_the_next(tmp_path: Path) -> None:
    SiteFolder(tmp_path).put("half.html", b"half")  # and no end
    assert SiteFolder(tmp_path).finish().removed == ("half.html",)


def hidden_draws(record: Record) -> Any:
    """The first draw of a game that not everybody sees, with another one that might have been drawn."""
    game: Any = record.game
    for at, frame in enumerate((frames := watched(record).frames)[1:]):
        entry, position = record.entries[at], frames[at].position
        if entry.who != CHANCE or len(entry.moves) != 1 or frame.before is None:
            continue
        ply = Ply(CHANCE, entry.moves[0])
        if game.told(position, ply, PUBLIC) == ply.move:
            continue
        for key in range(40):
            other = game.deal(position, KeyedDealer(str(key).encode()))
            if other.move != ply.move and game.told(position, other, PUBLIC) == game.told(position, ply, PUBLIC):
                return at, other.move
    raise AssertionError("nothing was hidden")


@pytest.mark.parametrize("key", SECRET)
def test_two_games_that_differ_only_in_what_is_hidden_have_the_same_pages(
    key: str, sample: Callable[[str, str], Record]
) -> None:
    whole = sample(key, "5")
    at, other = hidden_draws(whole)
    headers = tuple(header for header in whole.headers if header[0] != "Result")
    one = Record(headers, whole.entries[: at + 1])
    two = Record(headers, (*whole.entries[:at], whole.entries[at]._replace(moves=(other,))))
    assert write_record(one) != write_record(two)
    assert files_of(one) == files_of(two)
    # The same pages of two games that differ in what everybody sees are told apart.
    assert files_of(one) != files_of(Record(headers, whole.entries[:at]))


def test_a_record_that_breaks_a_rule_is_no_game(desert: Record) -> None:
    entries = (*desert.entries[:20], desert.entries[20]._replace(moves=desert.entries[10].moves))
    assert isinstance(watch_game(Record(desert.headers, entries)), ReplayResult)


def test_the_list_of_games_stands_in_every_language() -> None:
    files = dict(shared_files({}))
    assert {"index.html", *(f"{code}/index.html" for code in LANGUAGE_CODES)} <= files.keys()
    assert b"There is no game to show yet." in files["en/index.html"]
