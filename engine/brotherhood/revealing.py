"""Which tokens a building or a special card turns up, in which order, and what follows when one is turned.

The tokens due stand in a queue in the Watch. Only turning one needs chance; laying one back under a settlement
happens by itself as soon as its turn comes.
"""

from typing import Final

from engine.brotherhood.lines import Ways
from engine.brotherhood.moves import WILDLINGS
from engine.brotherhood.position import NOBODY
from engine.brotherhood.wall_state import Due, Watch
from engine.brotherhood.wall_tokens import (
    EACH_KEEP,
    Counts,
    lay_back,
    lift_keep,
    lift_settlement,
    turn_pooled,
    turn_token,
)
from engine.brotherhood.wall_wildlings import gather

_POOLED: Final = Due("pool", NOBODY)


def call_for_settlement(watch: Watch, who: int) -> Watch:
    """A player has built a settlement: the token under it must be turned (BW-T1)."""
    tokens, generation = lift_settlement(watch.tokens, who)
    return watch._replace(tokens=tokens, due=(*watch.due, Due("settlement", who, generation)))


def call_for_keep(watch: Watch, who: int) -> Watch:
    """A player has built a keep: its two tokens in turn, then one is laid under the settlement (BW-T1, BW-T8)."""
    keeps = (Due("keep", who),) * EACH_KEEP
    return watch._replace(tokens=lift_keep(watch.tokens, who), due=(*watch.due, *keeps, Due("return", who)))


def call_from_pool(watch: Watch) -> Watch:
    """A token of the pool must be turned, after those that are due already (BW-T6)."""
    return watch._replace(due=(*watch.due, _POOLED))


def unseen(watch: Watch) -> Counts:
    """What the token now due can be."""
    due = watch.due[0]
    tokens = watch.tokens
    return tokens.unseen[tokens.newest if due.source == "pool" else due.generation]


def turn_up(watch: Watch, face: int, ways: Ways) -> Watch:
    """Turn the token now due and follow its wildling; when that ends the game, nothing more is due (BW-E7)."""
    due, *later = watch.due
    tokens = watch.tokens
    tokens = turn_pooled(tokens, face) if due.source == "pool" else turn_token(tokens, due.generation, face)
    watch = gather(watch._replace(tokens=tokens, due=()), *divmod(face, len(WILDLINGS)), ways)
    if watch.fallen:
        return watch
    while later and later[0].source == "return":
        watch = watch._replace(tokens=lay_back(watch.tokens, later.pop(0).who))
    return watch._replace(due=tuple(later))
