"""The rules of the base game, nearly all of which hold in the full game too; its own are in `wall.py` and `heroes.py`.

A code is never reused or renamed. Where our rulebook is silent or its pictures are missing, the rule is ours
and says so.
"""

from typing import Final

from engine.brotherhood.rules.building import RULES as WORKING
from engine.brotherhood.rules.production import RULES as DEALING
from engine.brotherhood.rules.turns import RULES as SETTING

RULES: Final = (*SETTING, *DEALING, *WORKING)
