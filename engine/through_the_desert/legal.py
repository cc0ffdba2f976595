"""Where a camel or a leader may go, as sets of spaces.

The sets answer `legal` and the question whether a player can place at all; the verdict on one move is in
`judging`, which asks the same questions of a single space.

Whose turn it is: who may place, when a turn is over, when the game is.

It knows TD-P1, TD-T1 to TD-T3 and TD-S1; where a single camel may go is asked of `places`.
"""

from engine.through_the_desert.position import CAMELS, KINDS, LAST, OVER, Position


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


def quota(position: Position) -> int:
    """How many camels the turn being played has (TD-T1, TD-T2)."""
    return 1 if position.turn < position.ground.full_turn else 2


def end_turn(position: Position) -> Position:
    """Hand the turn to the next seat, or end the game if a herd is empty (TD-S1)."""
    seats = len(position.ground.seats)
    return position._replace(
        phase=OVER if position.phase == LAST else CAMELS,
        turn=position.turn + 1,
        who=(position.who + 1) % seats,
        placed=0,
    )


def settle(position: Position) -> Position:
    """Draw the conclusions that a position leaves open (TD-T3); the position itself if there are none."""
    if position.phase not in (CAMELS, LAST) or can_place(position, position.who):
        return position
    if position.placed:
        position = end_turn(position)
    if position.phase == OVER or any(can_place(position, who) for who in range(len(position.ground.seats))):
        return position
    return position._replace(phase=OVER)
