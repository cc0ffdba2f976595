"""A named place on paper, for any board."""

from typing import NamedTuple


class Spot(NamedTuple):
    """A space or a coordinate by its name, with its place on paper.

    A template writes ``<text {{ spot }}>``: as markup, a spot is the attributes that put an element there.
    """

    name: str
    attributes: str

    def __html__(self) -> str:
        return self.attributes
