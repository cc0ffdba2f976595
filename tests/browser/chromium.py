"""A real browser that looks at many pages at once, and tells what a person in front of it would trip over.

Chromium is started without a window, shows every page in a frame of its own, and says of each frame how wide the page
is, which answers to tap are small, and which words can hardly be told from what they stand on.
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
    *("--virtual-time-budget=30000", "--window-size=1000,1000", "--dump-dom"),
)
DARK = "--blink-settings=preferredColorScheme=0"

LOOK = """
<!doctype html><meta charset="utf-8"><pre id="seen"></pre><script>
const pages = %s, width = %d, seen = {};
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
  const found = {width: page.documentElement.scrollWidth, low: [], faint: []};
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
  frame.style = `border:0;width:${width}px;height:800px`;
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


class Seen(NamedTuple):
    """What was seen of a page: its width, links lower than a fingertip, words without contrast."""

    width: int
    low: list[str]
    faint: list[str]


def look(pages: Mapping[str, str], *, width: int, dark: bool = False) -> dict[str, Seen]:
    """Show pages in frames of a width, on a light or a dark screen."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "look.html")
        # A slash behind a smaller-than sign would end the script that holds the pages.
        told = json.dumps(pages).replace("</", "<\\/")
        page.write_text(LOOK.replace("%s", told).replace("%d", str(width)), "utf-8")
        profile = f"--user-data-dir={folder}/profile"
        asked = [PROGRAM or "", *SWITCHES, *([DARK] if dark else []), profile, page.as_uri()]
        shown = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=240).stdout
    found = re.search(r'<pre id="seen">(.*?)</pre>', shown, re.DOTALL)
    assert found is not None
    assert found[1], "the browser did not finish"
    return {name: Seen(**each) for name, each in json.loads(html.unescape(found[1])).items()}
