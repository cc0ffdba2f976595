"""Blocks set in type: each becomes a galley of lines, by the macro of its kind in a mail's template.

Most blocks stand in many mails, alike to the byte: to every seat at a table, turn after turn. So galleys are kept by
what they say, and with them their encoding. Boards keep their own.
"""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Final

from pbem.letters.pages.blocks import Block, Owners, Picture
from pbem.letters.wire.folding import fold
from pbem.letters.wire.galleys import Galley
from pbem.render import Tongue
from pbem.render.environment import environment

TEXT: Final = "mails/letter.txt"
HTML: Final = "mails/letter.html"
KEPT: Final = 4096
"""Galleys that are kept, of a few hundred bytes each."""


@lru_cache(maxsize=KEPT)
def set_lines(sheet: str, tongue: Tongue, kind: str, *facts: Hashable) -> Galley:
    """The lines that a sheet's macro makes of some facts."""
    module: Any = environment(tongue).get_template(sheet).module
    written = str(getattr(module, kind)(tongue, *facts))
    return Galley(fold(written) if sheet == TEXT else written)


def set_block(sheet: str, tongue: Tongue, block: Block) -> Galley:
    """A block in type."""
    if isinstance(block, Owners):
        return block.board.owners_lines if sheet == TEXT else block.board.owners_markup
    if isinstance(block, Picture):
        # A galley is kept longer than a board with its picture should be.
        return set_lines(sheet, tongue, block.kind, block.board.cid, block.alt)
    return set_lines(sheet, tongue, block.kind, block)
