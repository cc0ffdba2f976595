"""How much room a text takes in a game: annotations count apart from everything else."""

from typing import NamedTuple

from notation import limits
from notation.lalr.lookalikes import literals


class Size(NamedTuple):
    """Characters of a text besides its annotations, and those of the annotations."""

    plain: int
    annotations: int


def measure(text: str) -> Size:
    """The size of a text."""
    if "[%" not in text:
        return Size(len(text), 0)
    sizes = [len(each) for each in literals(text) if each.startswith("[%")]
    return Size(len(text) - sum(sizes), sum(max(size, limits.ANNOTATION) for size in sizes))
