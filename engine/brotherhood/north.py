"""The land north of the Wall: clans, kinds of wildlings, trails, clearings, and the numbers of all of them.

Nothing here changes during a game; who stands where is `state`'s knowledge.
"""

from typing import Final

from engine.brotherhood.moves import CLANS

REGULAR: Final = 0
CLIMBER: Final = 1
GIANT: Final = 2

CLAN_AT: Final = {name: clan for clan, name in enumerate(CLANS)}

FIGURES: Final = (24, 8, 8)
"""Figures of each kind in the box."""
TOKENS: Final = (12, 4, 3)
"""Tokens of each kind that every clan has."""

SECTIONS: Final = 4
SPACES: Final = 5
"""Guard spaces on a section."""
GUARDS: Final = 7
"""Guards of each player."""
CAMPS: Final = 5
"""Camps of a clan area; the fifth is never held, for it sets off a rush."""

CLAN_OF: Final = (0, 0, 0, 0, 1, 1, 2, 2, 2)
"""The clan whose trail carries a number, 1 to 8 (nothing stands at 0)."""
CLEARING_OF: Final = (0, 0, 0, 1, 1, 2, 2, 3, 3)
"""The clearing to which the trail with a number leads; clearings are counted like the sections they face."""
LOWER: Final = (1, 4, 6)
"""The lowest number of each clan's western trail, over which the first of a rush goes."""
HIGHER: Final = (3, 5, 7)
"""The lowest number of each clan's eastern trail, over which the second goes."""

BREACHES: Final = 3
"""So many breaches end the game (BW-E2)."""
INVADERS: Final = 8
"""So many wildlings in the Gift end the game (BW-E2)."""
