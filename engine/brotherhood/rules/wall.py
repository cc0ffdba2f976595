"""The rules of the Wall in our words. What the rulebook leaves open is marked as a ruling.

Rules that both games share have codes that begin with BB; those of the heroes are in `heroes.py`.
"""

from typing import Final

from engine.brotherhood.rules.guards import RULES as GUARDING
from engine.brotherhood.rules.tokens import BOARD_RULES as LAYING
from engine.brotherhood.rules.tokens import RULES as CALLING
from engine.brotherhood.rules.wildlings import RULES as CROSSING

WALL_RULES: Final = (*LAYING, *CALLING, *CROSSING, *GUARDING)
