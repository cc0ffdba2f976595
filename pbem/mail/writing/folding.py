"""Text folded to lines that every program can show; what stands behind a bar stays behind it."""

from functools import lru_cache
from textwrap import TextWrapper
from typing import Final

from pbem.mail.marks import FENCE

WIDTH: Final = 76
BAR: Final = "| "
UNBROKEN: Final = "\N{NO-BREAK SPACE}"
KEPT: Final = 512
"""Long lines that are kept as they were folded."""


def fold(text: str) -> str:
    """Lines of a letter's width, with no two empty ones one after the other and none at the top."""
    folded: list[str] = []
    before = ""
    for line in text.splitlines():
        kept = line.rstrip() if len(line) <= WIDTH else _wrap(line)
        if kept or before:
            folded.append(kept)
        before = kept
    return "".join([f"{line}\n" for line in folded])


@lru_cache(maxsize=KEPT)
def _wrap(line: str) -> str:
    """A line goes on below with its own indent, a barred one behind its bar. Many stand in every mail.

    A fence is to be written as it stands, so it is not broken.
    """
    bar = BAR if line.startswith(BAR) else ""
    rest = line.removeprefix(bar)
    indent = rest[: len(rest) - len(rest.lstrip())]
    wrapper = TextWrapper(
        WIDTH,
        initial_indent=bar + indent,
        subsequent_indent=bar + indent + ("  " if bar or indent else ""),
        break_on_hyphens=False,
    )
    for fence in FENCE:
        rest = rest.replace(fence, fence.replace(" ", UNBROKEN))
    folded = wrapper.fill(rest.strip())
    for fence in FENCE:
        folded = folded.replace(fence.replace(" ", UNBROKEN), fence)
    return folded
