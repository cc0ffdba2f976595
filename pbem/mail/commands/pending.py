"""What is open at a table for whoever writes: it tells apart the meanings of a word that is an order and a move.

`akkoord` agrees to a draw, or accepts an offer. Where only one of them can be meant, nobody need be asked.
"""

from collections.abc import Callable
from typing import NamedTuple


class Pending(NamedTuple):
    """What a writer can answer or do now."""

    has_votes: bool
    """Whether something is asked of the players that the writer has not agreed to yet."""
    allows: Callable[[str], bool]
    """Whether the game lets the writer make a move now, in the game's notation."""
