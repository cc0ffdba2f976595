"""What public chance a table is bound to: at level 3 every draw waits for a round of a beacon that was named before.

A round is named by an event, `awaited`, when chance is due, and told in another, `pulse`, when it is out. Its value is
good for the draws that follow at once, in the same second, and for no others: whatever anybody does uses it up.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.game import Seat

LEVEL: Final = 3
"""The level of chance at which draws are bound to a beacon."""
AWAITED: Final = "awaited"
PULSE: Final = "pulse"
BY_CHANCE: Final = ("clock", "chance")
"""Who makes moves for a seat that does not answer."""


class Bound(NamedTuple):
    """The rounds of a table."""

    first: str | None = None
    """The value of the first round, which is stirred into the key of all draws."""
    value: str | None = None
    """The value that draws take now; None if a round must be awaited for them."""
    round: int = 0
    """The round that is awaited; 0 if none is."""
    seat: Seat = ""
    """For whom chance is to speak then: itself, or a seat that does not answer."""
    at: str = ""
    """When the value was told; empty if that is only foreseen."""

    def value_at(self, moment: str) -> str | None:
        """The value that a draw takes which is made at a moment: one that has been known for a while serves nobody."""
        return self.value if moment == self.at or not moment or not self.at else None

    def after(self, kind: str, data: Mapping[str, Any], at: str) -> "Bound":
        """The rounds after an event."""
        if kind == AWAITED:
            return Bound(self.first, None, data["round"], data["seat"])
        if kind == PULSE:
            value = hashlib.sha256(bytes.fromhex(data["signature"])).hexdigest()
            return Bound(self.first or value, value, at=at)
        if kind in ("started", "dealt") or (kind == "played" and data["by"] in BY_CHANCE):
            return Bound(self.first, self.value_at(at), at=self.at)
        moved = kind in ("played", "undone")
        return Bound(self.first) if moved else self._replace(value=None)


UNBOUND: Final = Bound()
"""The rounds of a table at which none was awaited yet."""
