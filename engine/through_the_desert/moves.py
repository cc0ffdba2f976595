"""The moves of Through the Desert: what a player can do.

Colours and spaces are the words of the record (``lilac``, ``K7``). Whether a move may be made is for `judge`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remove:
    """With five players: take one of the own leaders out of the game (TD-P2)."""

    colour: str


@dataclass(frozen=True, slots=True)
class Leader:
    """Place the own leader of a colour."""

    colour: str
    space: str


@dataclass(frozen=True, slots=True)
class Camel:
    """Take a camel of a colour from its herd and place it."""

    colour: str
    space: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Place nothing, because nothing can be placed (TD-T3)."""
