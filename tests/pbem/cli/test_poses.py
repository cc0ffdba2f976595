"""A record with a stated position is shown, its moves are listed and judged, like any other."""

import json
from collections.abc import Callable
from typing import Any

from tests.engine.test_poses import PUZZLE

Pbem = Callable[..., Any]


def test_a_stated_position_is_shown_and_its_moves_listed_and_judged(pbem: Pbem) -> None:
    told = json.loads(pbem("show", "-", "--json", given=PUZZLE).stdout)["results"][0]
    assert told["view"]["coins"] == {"blue": 7, "yellow": -2}
    assert told["view"]["unplayed"] == [1, 4]
    listed = pbem("legal", "-", given=PUZZLE).stdout
    assert "4 F12-F16" not in listed
    assert "1 F12-E13" in listed
    assert pbem("validate", "-", "--seat", "blue", "--move", "1 F12-E13", given=PUZZLE).exit_code == 0
    assert "NO-D2" in pbem("validate", "-", "--seat", "blue", "--move", "2 F12-F14", given=PUZZLE).stdout
    assert pbem("validate", "-", given=f"{PUZZLE}\n23. blue: 1 F12-E13\n").exit_code == 0
