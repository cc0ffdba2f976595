"""How much of anything is read before it is a fault: no text may cost more than its length deserves.

Annotations are what programs write, and the proof of a game that was played by mail is made of them: everything that
was said at the table stands in it, every character perhaps escaped twice. So they have room of their own, and a line
holds the longest letter that the post takes (8,192 characters, each at most 14 once it is escaped), even where an event
has to say it twice.
"""

from typing import Final

TURN: Final = 262_144
"""Characters in a turn with all its remarks, over all its lines."""

LINE: Final = TURN
"""Characters in a line: in canonical form a turn is one."""

DEPTH: Final = 64
"""Variations inside one another."""

GAME: Final = 2_097_152
"""Characters in a game besides its annotations."""

ANNOTATIONS: Final = 33_554_432
"""Characters in the annotations of a game."""

ANNOTATION: Final = 128
"""Characters that an annotation counts for at least: it takes room however short it is."""

FAULTS: Final = 100
"""Faults told of one game."""
