"""The rules of the Wall in our words. What the rulebook leaves open is marked as a ruling.

The rules that both games share have codes of their own, BB; those of the heroes stand with the heroes.
"""

from typing import Final

from engine.brotherhood.wall.rules.calling import RULES as CALLING
from engine.brotherhood.wall.rules.crossing import RULES as CROSSING
from engine.brotherhood.wall.rules.guarding import RULES as GUARDING
from engine.brotherhood.wall.rules.laying import RULES as LAYING

WALL_RULES: Final = (*LAYING, *CALLING, *CROSSING, *GUARDING)
