"""What the data of each kind of event must hold, before anybody looks into them."""

from collections.abc import Mapping
from typing import Any, Final

_SAID: Final[Mapping[str, type]] = {"what": str, "by": str}
_MOVED: Final[Mapping[str, type]] = {"seat": str, "turn": int, "phrase": str, "by": str, "letter": str}
SHAPES: Final[Mapping[str, Mapping[str, type]]] = {
    "opened": {
        **dict.fromkeys(("names", "options", "terms", "headers", "proof"), dict),
        "game": str,
        "rules": str,
        "seats": list,
    },
    "accepted": {"seat": str, "entropy_sha256": str, "letter": str},
    "declined": {"seat": str, "reason": str},
    "started": {"options": dict},
    "played": _MOVED,
    "dealt": _MOVED,
    "undone": {"turn": int, "by": str},
    "asked": {**_SAID, "turn": int},
    "agreed": _SAID,
    "objected": _SAID,
    "dropped": _SAID,
    "paused": {"reason": str, "by": str},
    "resumed": {"reason": str, "by": str},
    "resigned": {"seat": str, "by": str},
    "substituted": {"seat": str, "name": str, "by": str},
    "ended": {"kind": str, "seats": list, "reason": str, "result": str},
    "absence": {"seat": str, "first": str, "last": str},
    "returned": {"seat": str, "first": str},
    "press": {"from": str, "to": str, "words_sha256": str},
    "appealed": {"case": int, "by": str, "turn": int, "words": str},
    "ruled": {"case": int, "ruling": str, "turn": int, "reason": str, "by": str},
    "warranted": {"case": int, "seat": str, "reason": str, "by": str},
    "closed": {"case": int, "by": str},
    "extended": {"length": str, "reason": str, "by": str},
    "awaited": {"round": int, "out": str, "seat": str},
    "pulse": {"round": int, "signature": str},
}
"""What the data of each kind of event must hold at least. Other kinds stop a check, as they stop a game."""


def fits(kind: str, data: Mapping[str, Any]) -> bool:
    """Whether some data are those of an event of a kind that is known."""
    return kind in SHAPES and all(isinstance(data.get(name), shape) for name, shape in SHAPES[kind].items())
