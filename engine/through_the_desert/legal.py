"""Where a camel or a leader may go, as sets of spaces.

The sets answer `legal` and the question whether a player can place at all; the verdict on one move is in
`judging`, which asks the same questions of a single space.
"""

from engine.through_the_desert.position import KINDS, Position


def camel_places(position: Position, who: int, colour: int) -> int:
    """The spaces that would extend a player's caravan of a colour (TD-C1 to TD-C6)."""
    own = position.camels[who * KINDS + colour]
    if not own or not position.herd(colour):
        return 0
    grow = position.ground.grid.grow
    return grow(own) & position.free & ~grow(position.flocks[colour] ^ own)


def can_place(position: Position, who: int) -> bool:
    """True if a player could place a camel, were it his turn."""
    for colour in range(KINDS):  # noqa: SIM110 - asked of every position several times over
        if camel_places(position, who, colour):
            return True
    return False


def leader_colours(position: Position) -> list[int]:
    """The colours the player to move may place a leader of (TD-L1, TD-L5)."""
    held = [colour for colour in range(KINDS) if holds(position, position.who, colour)]
    if not first_round(position):
        return held
    return [colour for colour in held if not colour_used(position, colour) and stranded(position, colour) is None]


def holds(position: Position, who: int, colour: int) -> bool:
    """True if a player still has a leader of a colour in hand."""
    removed = position.removed
    return not position.leaders[who * KINDS + colour] and not (who < len(removed) and removed[who] == colour)


def first_round(position: Position) -> bool:
    """True in the first round of leaders, in which no colour may be used twice (TD-L5)."""
    return sum(map(bool, position.leaders)) < len(position.ground.seats)


def colour_used(position: Position, colour: int) -> bool:
    """True if somebody has placed a leader of a colour."""
    return any(position.leaders[colour::KINDS])


def stranded(position: Position, colour: int) -> int | None:
    """The player whom a choice in the first round of leaders would leave without a colour, or None.

    Only with five players can that be: each lacks another colour, and all five are needed (TD-L5).
    """
    still_open = [other for other in range(KINDS) if other != colour and not colour_used(position, other)]
    for later in range(position.who + 1, len(position.ground.seats)):
        if not any(holds(position, later, other) for other in still_open):
            return later
    return None
