"""The rules of the base game, all of which the Watch game knows too; its own are in `wall.rules`.

A code is never reused or renamed. Where our rulebook is silent or its pictures are missing, the rule is ours
and says so.
"""

from typing import Final

from engine.brotherhood.rules.building import RULES as WORKING
from engine.brotherhood.rules.production import RULES as DEALING
from engine.brotherhood.rules.turns import RULES as SETTING

RULES: Final = (*SETTING, *DEALING, *WORKING)
