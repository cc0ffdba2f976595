"""What stands in the place of a schema's version while a post moves from one database to another, and afterwards."""

from typing import Final

from pbem.store.errors import StoreRefusedError

LEFT: Final = "moved to "
ARRIVING: Final = "arriving by "


def is_moving(state: str) -> bool:
    """Whether a post is on its way to a database, or has left it."""
    return state.startswith((LEFT, ARRIVING))


def refuse_left(state: str, name: str) -> None:
    """Refuse a database that the post has left, or has not arrived at."""
    if state.startswith(LEFT):
        there = state.removeprefix(LEFT)
        raise StoreRefusedError(
            f"the post has moved from {name} to {there}, and this copy is dead: name that in store.url"
        )
    if state.startswith(ARRIVING):
        raise StoreRefusedError(f"a move to {name} has begun and not ended: run the same `pbem move --to` again")
