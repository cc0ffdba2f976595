"""The rules of both games in our words: those of the base game, and those that the full game adds for the Wall.

Codes that begin with BB are shared; those of the full game begin with BW, and the heroes' are in `heroes.py`. A code is
never reused or renamed. Where our rulebook is silent or its pictures are missing, the rule is ours and says so.
"""

from typing import Final

from engine.brotherhood.rules.building import RULES as WORKING
from engine.brotherhood.rules.guards import RULES as GUARDING
from engine.brotherhood.rules.production import RULES as DEALING
from engine.brotherhood.rules.tokens import BOARD_RULES as LAYING
from engine.brotherhood.rules.tokens import RULES as CALLING
from engine.brotherhood.rules.turns import RULES as SETTING
from engine.brotherhood.rules.wildlings import RULES as CROSSING

RULES: Final = (*SETTING, *DEALING, *WORKING)


WALL_RULES: Final = (*LAYING, *CALLING, *CROSSING, *GUARDING)
