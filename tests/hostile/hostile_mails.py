"""A thousand hostile mails and more, each by the name of its trap.

Every one aims at a seat whose turn it is, with a move that would be legal; none may be obeyed. The numbers before
the names are those of the threat model: T3 is a spoofed move, T4 a bomb, T5 a quoted move, and so on.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

from tests.hostile import hostile_bodies, hostile_heads, hostile_robots, hostile_senders, hostile_tickets
from tests.hostile.hostile_draft import Target, Trap

TRAPS: dict[str, Trap] = {
    **hostile_senders.TRAPS,
    **hostile_heads.TRAPS,
    **hostile_bodies.TRAPS,
    **hostile_robots.TRAPS,
    **hostile_tickets.TRAPS,
}
"""Every trap by its name."""


class HostileMail(NamedTuple):
    """One hostile mail and the trap that it sets."""

    trap: str
    raw: bytes


def hostile_mails(seed: int, target: Target | None = None, *, each: int = 5) -> Iterator[HostileMail]:
    """`each` mails of every trap, the same for the same seed."""
    for trap, build in TRAPS.items():
        for number in range(each):
            rng = random.Random(f"{seed}/{trap}/{number}")
            yield HostileMail(trap, build(rng, target or Target()))
