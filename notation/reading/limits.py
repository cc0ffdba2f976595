"""How much of anything is read before it is a fault: no text may cost more than its length deserves."""

from typing import Final

LINE: Final = 65_536
"""Characters in a line."""

TURN: Final = 262_144
"""Characters in a turn with all its remarks, over all its lines."""

DEPTH: Final = 64
"""Variations inside one another."""

GAME: Final = 2_097_152
"""Characters in a game."""

FAULTS: Final = 100
"""Faults told of one game."""
