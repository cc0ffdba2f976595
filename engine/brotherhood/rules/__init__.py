"""The rules of the base game, all of which the Watch game knows too; its own are in `wall.rules`.

A code is never reused or renamed. Where our rulebook is silent or its pictures are missing, the rule is ours
and says so.
"""

from typing import Final

from engine.brotherhood.rules.dealing import RULES as DEALING
from engine.brotherhood.rules.setting import RULES as SETTING
from engine.brotherhood.rules.working import RULES as WORKING

RULES: Final = (*SETTING, *DEALING, *WORKING)
