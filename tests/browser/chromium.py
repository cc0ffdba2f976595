"""A real browser that looks at many pages at once, and tells what a person in front of it would trip over.

Chromium is started without a window, shows every page in a frame of its own, and says of each frame how wide and how
high the page is, where the first button ends, which answers to tap are small, and which words can hardly be told from
what they stand on. It can also take a picture of them, side by side.
"""

import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SWITCHES = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
    "--virtual-time-budget=30000",
)
DARK = "--blink-settings=preferredColorScheme=0"

LOOK = """
<!doctype html><meta charset="utf-8"><pre id="seen"></pre><script>
const pages = %s, wide = %d, seen = {};
const part = value => { value /= 255; return value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
const light = ([r, g, b]) => .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
const ground = (view, element) => {
  for (let at = element; at; at = at.parentElement) {
    const [r, g, b, a = 1] = numbers(view.getComputedStyle(at).backgroundColor);
    if (a > 0) return [r, g, b];
  }
  return [255, 255, 255];
};
const examine = frame => {
  const page = frame.contentDocument, view = frame.contentWindow, words = page.createTreeWalker(page.body, 4);
  const [width, height] = [page.documentElement.scrollWidth, page.body.scrollHeight];
  const found = {width, height, button: 0, low: [], faint: []};
  const first = [...page.querySelectorAll("a")].find(link => view.getComputedStyle(link).display === "block");
  if (first) found.button = Math.ceil(first.getBoundingClientRect().bottom);
  for (const link of page.querySelectorAll("a"))
    if (link.getBoundingClientRect().height < 44) found.low.push(link.textContent);
  while (words.nextNode()) {
    const text = words.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest("[aria-hidden]")) continue;
    const [ink, paper] = [numbers(view.getComputedStyle(element).color), ground(view, element)].map(light);
    if ((Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05) < 4.5) found.faint.push(text.data.trim());
  }
  return found;
};
let left = Object.keys(pages).length;
for (const [name, source] of Object.entries(pages)) {
  const frame = document.createElement("iframe");
  frame.style = `border:0;width:${wide}px;height:800px`;
  frame.srcdoc = source;
  frame.onload = () => {
    seen[name] = examine(frame);
    if (!--left) document.getElementById("seen").textContent = JSON.stringify(seen);
    frame.remove();
  };
  document.body.append(frame);
}
</script>
"""


SHEET = """
<!doctype html><meta charset="utf-8"><body style="margin:0;background:#8a8a8a"><script>
const pages = %s;
for (const [name, source, left, top, width, height] of pages) {
  const title = document.createElement("div"), frame = document.createElement("iframe");
  title.textContent = name;
  title.style = `position:absolute;left:${left}px;top:${top - 26}px;font:bold 18px sans-serif;color:#fff`;
  frame.style = `position:absolute;left:${left}px;top:${top}px;border:0;width:${width}px;height:${height}px`;
  frame.srcdoc = source;
  document.body.append(title, frame);
}
</script>
"""
GAP = 10
TITLE = 34


class Seen(NamedTuple):
    """What was seen of a page, in pixels of CSS."""

    width: int
    height: int
    button: int
    """Where the first button ends; 0 if there is none."""
    low: list[str]
    """Links lower than a fingertip."""
    faint: list[str]
    """Words without contrast."""


def look(pages: Mapping[str, str], *, width: int, dark: bool = False) -> dict[str, Seen]:
    """Show pages in frames of a width, on a light or a dark screen."""
    # A slash behind a smaller-than sign would end the script that holds the pages.
    told = json.dumps(pages).replace("</", "<\\/")
    shown = _open(
        LOOK.replace("%s", told).replace("%d", str(width)), "--window-size=1000,1000", "--dump-dom", dark=dark
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', shown, re.DOTALL)
    assert found is not None
    assert found[1], "the browser did not finish"
    return {name: Seen(**each) for name, each in json.loads(html.unescape(found[1])).items()}


def photograph(pages: Mapping[str, str], picture: Path, *, width: int, columns: int, dark: bool = False) -> None:
    """A picture of pages side by side, each below its name: always in the column that ends highest."""
    heights = {name: seen.height for name, seen in look(pages, width=width, dark=dark).items()}
    ends = [0] * columns
    placed = []
    for name, source in pages.items():
        column = ends.index(min(ends))
        left, top = GAP + column * (width + GAP), ends[column] + TITLE
        placed.append((name, source, left, top, width, heights[name]))
        ends[column] = top + heights[name] + GAP
    told = json.dumps(placed).replace("</", "<\\/")
    size = f"--window-size={GAP + columns * (width + GAP)},{max(ends)}"
    _open(SHEET.replace("%s", told), size, f"--screenshot={picture}", dark=dark)


def _open(page: str, *switches: str, dark: bool) -> str:
    """What the browser prints about a page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(page, "utf-8")
        profile = f"--user-data-dir={folder}/profile"
        asked = [PROGRAM or "", *SWITCHES, *switches, *([DARK] if dark else []), profile, file.as_uri()]
        return subprocess.run(asked, capture_output=True, text=True, check=True, timeout=240).stdout
