"""The viewer in Chromium, from a disk: by touch, by keyboard, from right to left, and without script."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import Browser, Page

from notation import COMMENT, GLYPH, VARIATION, Record, Remark, read_text
from pbem.judging.result import ReplayResult
from pbem.locale.catalogues import find_locale
from pbem.mail.writing.sentences import find_sentences
from pbem.web.drawing import MomentArtist
from pbem.web.frames import Game
from pbem.web.site import game_files, make_pages, shared_files
from pbem.web.site_folder import SiteFolder
from pbem.web.telling import EntryTeller
from pbem.web.trees import write_tree
from tests.browser.pages import DESK, PHONE, address, browser, find_violations, opened
from tests.pbem.web.conftest import SEATS, watched

if TYPE_CHECKING:
    from pbem.web.pages import ListedGame

GOLDEN = Path("tests/golden/web/viewer.txt")
CODES = ("en", "he")
MOMENTS = 30
TARGET = 24
"""The least height and width of what one taps, in pixels of CSS (WCAG 2.2)."""
LETTERS = 7.5
"""The least height of type on a board for telephones."""


def example() -> Record:
    """The game in progress, with a sign, a comment and a variation."""
    (reading,) = read_text(Path("examples/sirocco.turns").read_text("utf-8"))
    record = reading.record
    assert record is not None
    entry = record.entries[18]
    aside = entry._replace(moves=entry.moves[:1], remarks=())
    end = len(entry.moves)
    remarks = (Remark(end, GLYPH, "!"), Remark(end, COMMENT, "A good start."), Remark(end, VARIATION, (aside,)))
    changed = entry._replace(remarks=(*entry.remarks, *remarks))
    return Record(record.headers, (*record.entries[:18], changed, *record.entries[19:]))


def beginning(record: Record, moments: int) -> Record:
    """The first entries of a game that goes on; a game that is short stays whole."""
    if moments >= len(record.entries):
        return record
    return Record(tuple(header for header in record.headers if header[0] != "Result"), record.entries[:moments])


@pytest.fixture(scope="module")
def games(records: dict[str, Record]) -> dict[str, Game]:
    return {name: watched(record) for name, record in records.items()}


@pytest.fixture(scope="module")
def records(sample: Callable[[str, str], Record]) -> dict[str, Record]:
    return {"example": example(), **{key: beginning(sample(key, "2"), MOMENTS) for key in SEATS}}


@pytest.fixture(scope="module")
def site(records: dict[str, Record], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    files = SiteFolder(folder)
    listed: dict[str, list[ListedGame]] = {}
    for name, record in records.items():
        made = make_pages(record, name, CODES)
        assert not isinstance(made, ReplayResult)
        for path, content in game_files(made):
            files.put(path, content)
        for code, page in made.pages.items():
            listed.setdefault(code, []).append(page.listed)
    for path, content in shared_files(listed):
        files.put(path, content)
    files.finish()
    return folder


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


def board(page: Page, way: str) -> str:
    """A drawing as the browser has it."""
    made = page.locator(f"[data-board={way}]").evaluate(
        """place => {
          const write = node => {
            const plain = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
            if (node.nodeType === 3) return plain(node.data);
            const attributes = [...node.attributes].map(each => [each.name, each.value]);
            attributes.sort((a, b) => (a[0] < b[0] ? -1 : 1));
            const quoted = value => plain(value).replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
            const said = attributes.map(([name, value]) => ` ${name}="${quoted(value)}"`).join("");
            return `<${node.tagName}${said}>${[...node.childNodes].map(write).join("")}</${node.tagName}>`;
          };
          return write(place.firstElementChild);
        }"""
    )
    return re.sub(r"</?[A-Z0-9]+(?=[ >])", lambda tag: tag[0].lower(), str(made))  # HTML elements have capitals there


def now(page: Page) -> int:
    """The number of the moment that is shown."""
    return int(page.locator("#now").get_attribute("data-frame") or "")


def test_keys_go_by_entry_and_by_turn_to_the_ends_and_back(site: Path, chromium: Browser) -> None:
    for code, forward, backward in (("en", "ArrowRight", "ArrowLeft"), ("he", "ArrowLeft", "ArrowRight")):
        with opened(chromium, address(site / code / "nomadi.html")) as page:
            page.keyboard.press("Home")
            assert now(page) == 0
            page.keyboard.press(forward)
            page.keyboard.press(forward)
            assert now(page) == 2
            page.keyboard.press(backward)
            assert now(page) == 1
            page.keyboard.press(f"Shift+{forward}")
            assert page.locator("#moves a[aria-current=step]").count() == 1
            page.keyboard.press(f"Shift+{backward}")
            page.keyboard.press("End")
            assert now(page) == MOMENTS


def test_a_finger_steps_swipes_slides_and_follows_links(site: Path, chromium: Browser) -> None:
    for code in ("en", "he"):
        with opened(chromium, address(site / code / "example.html", "20")) as page:
            assert now(page) == 20
            page.locator("[data-go=back]").tap()
            assert now(page) == 19
            page.locator("[data-go=turn-on]").tap()
            assert now(page) == 20
            swipe(page, -120 if code == "en" else 120)
            assert now(page) == 21
            page.locator("#slider").fill("7")
            assert now(page) == 7
            page.locator("#moves a").nth(3).tap()
            assert now(page) == 3
            page.locator(".players a").first.tap()
            assert now(page) == 28
            page.locator(".plot").tap(position={"x": 200, "y": 60})
            assert now(page) not in (0, 28)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def swipe(page: Page, across: int) -> None:
    """One finger over the board."""
    page.evaluate(
        """across => {
          const board = document.getElementById("board");
          const touch = x => new Touch({ identifier: 1, target: board, clientX: x, clientY: 200 });
          board.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(200)], changedTouches: [touch(200)] }));
          board.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(200 + across)] }));
        }""",
        across,
    )


def test_a_variation_is_stepped_into_and_left(site: Path, chromium: Browser) -> None:
    with opened(chromium, address(site / "en" / "example.html", "19")) as page:
        main = board(page, "narrow")
        page.locator('#moves a[href="#v1.1"]').tap()
        assert now(page) == 31
        assert board(page, "narrow") != main
        page.keyboard.press("ArrowLeft")
        assert now(page) == 18
        page.keyboard.press("ArrowRight")
        assert now(page) == 19
        assert board(page, "narrow") == main


def test_every_step_is_told_and_what_is_taken_back_too(site: Path, chromium: Browser) -> None:
    with opened(chromium, address(site / "en" / "example.html", "20")) as page:
        told = page.locator("[role=status]")
        page.keyboard.press("ArrowRight")
        assert (told.text_content() or "").startswith("21. Chiara: salmon L4 O4")
        page.keyboard.press("ArrowLeft")
        assert (told.text_content() or "").startswith("Taken back: Chiara: salmon L4 O4")
        assert page.locator("#slider").get_attribute("aria-valuetext") is not None


def test_it_plays_by_itself_and_stops(site: Path, chromium: Browser) -> None:
    with opened(chromium, address(site / "en" / "example.html", "3")) as page:
        button = page.locator("[data-go=play]")
        button.tap()
        assert button.get_attribute("aria-pressed") == "true"
        page.wait_for_timeout(2600)
        button.tap()
        assert button.get_attribute("aria-pressed") == "false"
        assert now(page) in (4, 5)


@pytest.mark.parametrize("key", SEATS)
def test_the_boards_of_the_browser_are_the_full_drawings(
    key: str, games: dict[str, Game], site: Path, chromium: Browser
) -> None:
    game = games[key]
    for code, size in (("en", PHONE), ("he", DESK)):
        sentences = find_sentences(find_locale(code), key)
        artist = MomentArtist(game, sentences, EntryTeller(game, sentences).names)
        with opened(chromium, address(site / code / f"{key}.html"), size) as page:
            for at in (game.length - 1, 3, 11, 0, game.length - 2, 7):
                page.locator("#slider").fill(str(at))
                drawn = artist.draw(game.frames[at]).drawings
                way = "narrow" if size == PHONE and "narrow" in drawn else "wide"
                assert board(page, way) == write_tree(drawn[way]), (code, at)
                assert board(page, "panel") == write_tree(drawn["panel"]), (code, at)


def test_without_script_there_is_the_latest_board_and_every_move(site: Path, chromium: Browser) -> None:
    with opened(chromium, address(site / "he" / "example.html"), script=False) as page:
        assert page.locator("[data-board=narrow] svg").is_visible()
        assert page.locator("#moves > li").count() == 31
        assert not page.locator(".controls").is_visible()


@pytest.mark.parametrize("code", ["en", "he"])
@pytest.mark.parametrize("key", ["example", *SEATS, "index"])
def test_axe_finds_nothing(key: str, code: str, site: Path, chromium: Browser) -> None:
    for size in (PHONE, DESK):
        scheme: Literal["light", "dark"] = "dark" if size == DESK else "light"
        with opened(chromium, address(site / code / f"{key}.html"), size, scheme=scheme, policy=False) as page:
            for closed in page.locator("details").all():
                closed.evaluate("each => each.open = true")
            assert find_violations(page) == []


@pytest.mark.parametrize("key", SEATS)
def test_what_one_taps_is_large_enough_and_boards_can_be_read(key: str, site: Path, chromium: Browser) -> None:
    with opened(chromium, address(site / "en" / f"{key}.html")) as page:
        small = page.evaluate(
            """least => [...document.querySelectorAll("a, button, input, summary")]
              .filter(each => each.offsetParent)
              .map(each => [each.textContent.trim(), each.getBoundingClientRect()])
              .filter(([, box]) => box.width < least || box.height < least).map(([text]) => text)""",
            TARGET,
        )
        assert small == []
        if key != "shy-well":
            type_size = page.evaluate(
                """() => Math.min(...[...document.querySelectorAll("[data-board=narrow] text")].map(each =>
                  parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a))"""
            )
            assert type_size >= LETTERS


def test_assistive_programs_are_told_what_everything_is(site: Path, chromium: Browser) -> None:
    with opened(chromium, address(site / "en" / "example.html", "20")) as page:
        page.keyboard.press("ArrowRight")
        told = page.locator("body").aria_snapshot() + "\n"
    if os.environ.get("CARAVAN_GOLDEN") == "write":
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(told, "utf-8")
    assert told == GOLDEN.read_text("utf-8")
