"""State digests in a record: ``[%state 5f0c…]`` after a move seals the position that the moves lead to."""

from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.verdict import Verdict
from notation import ANNOTATION, Entry, Remark
from pbem.referee import rules

if TYPE_CHECKING:
    from collections.abc import Iterable

STATE = "state"


def seal(entry: Entry, game: Game[Any], position: Any) -> Entry:
    """The entry with the digest of the position after it."""
    mark = Remark(len(entry.moves), ANNOTATION, f"{STATE} {digest(game, position)}")
    return entry._replace(remarks=(*entry.remarks, mark))


def seals(remarks: "Iterable[Remark]") -> dict[int, str]:
    """The digests among an entry's remarks, by the number of moves that stand before each."""
    found = {}
    for remark in remarks:
        if remark.kind == ANNOTATION:
            name, _, value = remark.value.partition(" ")
            if name == STATE:
                found[remark.at] = value.strip()
    return found


def judge_seal(sealed: str, game: Game[Any], position: Any) -> Verdict | None:
    """Why a digest is not that of the position, or None."""
    found = digest(game, position)
    if sealed.lower() == found:
        return None
    facts = {"sealed": sealed, "found": found}
    return Verdict(rules.S1, "the record says state {sealed}, but the moves lead to {found}", facts)


def digest(game: Game[Any], position: Any) -> str:
    """The digest of what everybody may know of a position."""
    from engine.digest import digest as take  # JSON, which a record without digests does not need

    return take(game, position)
