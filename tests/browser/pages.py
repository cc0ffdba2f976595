"""Pages that a person steps through, in a real browser: by touch, by keyboard, and as assistive programs are told.

Playwright drives the Chromium of the system; it has nothing to download.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import PROGRAM

PHONE = (390, 844)
DESK = (1200, 900)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield started
        finally:
            started.close()


@contextmanager
def opened(
    started: Browser,
    address: str,
    size: tuple[int, int] = PHONE,
    *,
    scheme: Literal["light", "dark"] = "light",
    script: bool = True,
    policy: bool = True,
) -> Iterator[Page]:
    """A page, and in the end the certainty that nothing went wrong in it; its policy is lifted for tools."""
    context = started.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        has_touch=size == PHONE,
        java_script_enabled=script,
        bypass_csp=not policy,
    )
    try:
        page, wrong = context.new_page(), list[str]()
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        yield page
        assert wrong == [], wrong
    finally:
        context.close()


def find_violations(page: Page) -> list[str]:
    """What axe finds wrong with a page."""
    # It would load the styles a second time, which a page from a disk may not.
    found = Axe().run(page, options={"preload": False})
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found.response["violations"]]


def address(file: Path, name: str = "") -> str:
    """Where a file of the disk is opened, at what is behind #."""
    return f"{file.as_uri()}{'#' if name else ''}{name}"
