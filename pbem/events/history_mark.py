"""The mark of a history: a few signs that tell which history a reply address was written in.

A mark names the last moving event, one that changes what is asked of somebody, and how often the game was restored from
a copy before it. If an address of ours has a mark that its game does not know, it was written in a history that we do
not have: in one that a restore has given up, if the game was restored since, and otherwise the database is older than
it should be.
"""

import base64
from typing import Final, NamedTuple, TypeAlias

from pbem.events.kinds import GameEnded, GameOpened, GameStarted, MovesMade, SeatResigned, TurnUndone
from pbem.events.payload import Payload
from pbem.events.post_kinds import GameCalledOff, GameRestored

MOVING: Final = (GameOpened, GameStarted, MovesMade, TurnUndone, GameRestored, SeatResigned, GameEnded, GameCalledOff)
"""The events that change what is asked of somebody, or end all asking."""

RESTORE: Final = "restore"
"""The author of what opens a new epoch after the database was put back to an older copy."""

_SIGNS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_OF_HASH: Final = 5
LENGTH: Final = 1 + _OF_HASH
"""Signs of a mark: one for the number of restores, and 25 bits of the event's hash."""
FORM: Final = rf"[a-z2-7]{{{LENGTH}}}"


class Marked(NamedTuple):
    """A moment of a game that reply addresses can name: its mark, and how often the table had gone back by then."""

    mark: str
    epoch: int


Marks: TypeAlias = tuple[Marked, ...]


def format_mark(hash_: str, restores: int) -> str:
    """The mark of a moving event, by its hash and the number of restores before and in it."""
    digits = base64.b32encode(bytes.fromhex(hash_)[:5]).decode("ascii").lower()
    return _SIGNS[restores % len(_SIGNS)] + digits[:_OF_HASH]


def is_restore(payload: Payload) -> bool:
    """Whether an event says that the post went back to an older copy of its database."""
    return isinstance(payload, GameRestored) or (isinstance(payload, TurnUndone) and payload.by == RESTORE)


def add_mark(marks: Marks, payload: Payload, hash_: str, *, restores: int, epoch: int) -> Marks:
    """The marks of a game after one more event; the same if it moves nothing."""
    if not isinstance(payload, MOVING):
        return marks
    return (*marks, Marked(format_mark(hash_, restores), epoch))


def find_epoch(marks: Marks, mark: str) -> int | None:
    """The epoch that a mark was written in; None if the game does not know the mark."""
    return next((each.epoch for each in reversed(marks) if each.mark == mark), None)


def was_given_up(mark: str, restores: int) -> bool:
    """Whether a mark that a game does not know is from before its last restore, by which such histories were given up.

    The sign counts restores up to 31 and begins again; of two counts, the one less than half the way behind is older.
    """
    behind = (restores - _SIGNS.index(mark[0])) % len(_SIGNS)
    return 0 < behind < len(_SIGNS) // 2
