"""What a page's styles hide or strike out: declarations of one element, and rules for elements of a name.

Not a cascade. A rule for a tag, a class or an id is believed; one that holds only on some screens, inside some elements
or against the element's own style is a doubt: what may be hidden is neither passed over nor taken for words.
"""

import html
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_UNSEEN: Final = re.compile(
    r"line-through|display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|mso-hide\s{0,9}:\s{0,9}all"
    r"|(?:font(?:-size)?|opacity)\s{0,9}:\s{0,9}0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_SAYS_HOW_SEEN: Final = re.compile(r"text-decoration|display|visibility|mso-hide|font|opacity", re.IGNORECASE)
_COMMENT: Final = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|<!--|-->")
_JOINTS: Final = re.compile(r"[\s>+~]+")
_COMPOUND: Final = re.compile(r"([a-z][a-z0-9]{0,40}+)?((?:[.#][\w-]++)*+)(.{0,200})", re.DOTALL)
_NAME: Final = re.compile(r"[.#](?:x_)?([\w-]+)")
_NOT_AT_REST: Final = (":hover", ":active", ":focus", ":visited", ":link", "::", ":before", ":after", ":target")
_PRINTED: Final = "print"

Key = tuple[str, str]
"""A tag and a class or id; either may be empty."""


class Sheet(NamedTuple):
    """Which elements a page's rules hide, and which they may hide."""

    hidden: frozenset[Key] = frozenset()
    doubtful: frozenset[Key] = frozenset()

    def hides(self, tag: str, names: Iterable[str]) -> bool:
        """Whether an element with a tag and names is hidden."""
        return not self.hidden.isdisjoint(_keys(tag, names))

    def may_hide(self, tag: str, names: Iterable[str]) -> bool:
        """Whether such an element may be hidden."""
        return not self.doubtful.isdisjoint(_keys(tag, names))


def hides(declarations: str) -> bool:
    """Whether declarations of an element hide or strike out what is in it."""
    return _UNSEEN.search(_COMMENT.sub("", html.unescape(declarations))) is not None


def says_how_seen(declarations: str) -> bool:
    """Whether declarations of an element say anything that rules for it may say otherwise."""
    return _SAYS_HOW_SEEN.search(declarations) is not None


def read_sheet(styles: Iterable[str]) -> Sheet:
    """The rules of all the style elements of a page that hide anything."""
    hidden: set[Key] = set()
    doubtful: set[Key] = set()
    for style in styles:
        for selector, within in _hiding(_COMMENT.sub("", style).lower()):
            *around, last = _JOINTS.split(selector.strip())
            compound = _COMPOUND.fullmatch(last)
            if compound is None or compound[3].startswith(_NOT_AT_REST):
                continue
            tag, (first, *more) = compound[1] or "", _NAME.findall(compound[2]) or [""]
            if tag or first:
                plainly = not (around or within or more or compound[3])
                (hidden if plainly else doubtful).add((tag, first))
    return Sheet(frozenset(hidden), frozenset(doubtful))


def _hiding(style: str) -> Iterator[tuple[str, bool]]:
    """Each selector that hides something, and whether it stands in a block, which holds on some screens only."""
    blocks: list[bool] = []
    printed = 0
    for piece in style.split("}"):
        *opened, declarations = piece.split("{")
        if opened:
            blocks += [_PRINTED in block for block in opened[:-1]]
            printed += sum(blocks[len(blocks) - len(opened) + 1 :])
            if not printed and _UNSEEN.search(declarations):
                selectors = opened[-1].rpartition(";")[2]  # a statement such as @import may stand before them
                yield from ((selector, bool(blocks)) for selector in selectors.split(","))
        elif blocks:
            printed -= blocks.pop()


def _keys(tag: str, names: Iterable[str]) -> Iterator[Key]:
    yield tag, ""
    for name in names:
        yield tag, name
        yield "", name
