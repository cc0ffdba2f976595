"""State digests in a record: ``[%state 5f0c…]`` after a move seals the position that the moves lead to."""

from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.verdict import Verdict
from notation import ANNOTATION, Entry, Remark
from pbem.judging import record_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

STATE = "state"


def seal(entry: Entry, game: Game[Any], position: Any) -> Entry:
    """The entry with the digest of the position after it."""
    mark = Remark(len(entry.moves), ANNOTATION, f"{STATE} {digest(game, position)}")
    return entry._replace(remarks=(*entry.remarks, mark))


def seals(remarks: "Iterable[Remark]") -> dict[int, list[str]]:
    """The digests among some remarks, by the number of moves that stand before them."""
    found: dict[int, list[str]] = {}
    for remark in remarks:
        if remark.kind == ANNOTATION:
            name, _, value = remark.value.partition(" ")
            if name == STATE:
                found.setdefault(remark.at, []).append(value.strip())
    return found


def judge_seals(sealed: "Iterable[str]", game: Game[Any], position: Any) -> Verdict | None:
    """Why one of some digests is not that of the position, or None."""
    found = digest(game, position)
    wrong = next((each for each in sealed if each.lower() != found), None)
    if wrong is None:
        return None
    facts = {"sealed": wrong, "found": found}
    return Verdict(record_rules.S1, "the record says state {sealed}, but the moves lead to {found}", facts)


def digest(game: Game[Any], position: Any) -> str:
    """The digest of what everybody may know of a position."""
    from engine.digest import digest as take  # JSON, which a record without digests does not need

    return take(game, position)
