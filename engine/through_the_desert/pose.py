"""A position of Through the Desert that is stated: where the caravans stand, and which turn it is.

All leaders stand. Tokens and areas need not be told: they follow from where caravans stand, whoever came there first.
"""

from typing import Final

from engine.pose import LATEST, TABLE, Clauses, Misplaced, Stated, read_clauses
from engine.through_the_desert.apply import OASIS
from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.position import CAMELS, KINDS, Area, Ground, Position

_TABLE: Final = ("turn", "camels")


def pose(position: Position, stated: Stated) -> Position | Misplaced:
    """The position with the caravans that each seat states: of each colour the leader first, then its camels."""
    ground = position.ground
    table = read_clauses(stated, TABLE, _TABLE)
    if isinstance(table, Misplaced):
        return table
    turn = table.number("turn", ground.full_turn, range(ground.camel_turn, LATEST + 1))
    placed = table.number("camels", 0, range(2))
    if isinstance(turn, Misplaced):
        return turn
    if isinstance(placed, Misplaced):
        return placed
    camels, leaders = [0] * len(position.camels), [0] * len(position.leaders)
    for who, seat in enumerate(ground.seats):
        clauses = read_clauses(stated, seat, COLOURS)
        wrong = clauses if isinstance(clauses, Misplaced) else _place(ground, who, clauses, camels, leaders)
        if wrong is not None:
            return wrong
    flocks = tuple(sum(camels[colour::KINDS]) for colour in range(KINDS))
    wrong = _refuse_neighbours(ground, camels)
    if wrong is not None:
        return wrong
    areas = _areas(ground, camels, turn)
    shut = sum(area.spaces for area in areas)
    posed = position._replace(
        phase=CAMELS,
        turn=turn,
        who=(turn - 1) % len(ground.seats),
        placed=placed if turn >= ground.full_turn else 0,
        free=ground.spaces & ~(ground.oases | sum(flocks) | shut),
        camels=tuple(camels),
        flocks=flocks,
        leaders=tuple(leaders),
        taken=_tokens(ground, camels, areas),
        areas=areas,
        removed=_removed(leaders, len(ground.seats)),
    )
    empty = [name for colour, name in enumerate(COLOURS) if posed.herd(colour) < 1]
    if empty:
        return Misplaced("the herd of {colour} must still hold a camel", {"colour": empty[0]})
    return posed


def _place(ground: Ground, who: int, clauses: Clauses, camels: list[int], leaders: list[int]) -> Misplaced | None:
    """Put the caravans of a seat on the board."""
    missing = [colour for colour in COLOURS if colour not in clauses]
    if len(missing) != (1 if len(ground.seats) > 4 else 0):
        facts = {"colours": ", ".join(missing) or "all"}
        return clauses.misplaced("every leader stands, and of five players each has taken one out: {colours}", facts)
    for colour, name in enumerate(COLOURS):
        caravan = 0
        for space in clauses.words(name):
            site = ground.sites.get(space)
            if site is None or site.bit & (ground.oases | sum(camels) | caravan):
                return clauses.misplaced("no camel can stand at {space}", {"space": space})
            if caravan and not site.near & caravan:
                return clauses.misplaced("{space} does not touch the caravan before it", {"space": space})
            caravan |= site.bit
            leaders[who * KINDS + colour] = leaders[who * KINDS + colour] or site.bit
        if not caravan and name not in missing:
            return clauses.misplaced("the {colour} leader has no space", {"colour": name})
        camels[who * KINDS + colour] = caravan
    return None


def _refuse_neighbours(ground: Ground, camels: list[int]) -> Misplaced | None:
    """Caravans of one colour do not touch (TD-C3)."""
    for at, caravan in enumerate(camels):
        others = sum(camels[at % KINDS :: KINDS]) & ~caravan
        touching = ground.grid.grow(caravan) & others
        if touching:
            facts = {"space": ground.grid.spaces(touching)[0], "colour": COLOURS[at % KINDS]}
            says = "the {colour} caravan touches another one at {space}"
            return Misplaced(says, facts, ground.seats[at // KINDS])
    return None


def _areas(ground: Ground, camels: list[int], turn: int) -> tuple[Area, ...]:
    """What each caravan cuts off (TD-E1 to TD-E3)."""
    everybody, found, shut = sum(camels), [], 0
    for at, caravan in enumerate(camels):
        left = ground.spaces & ~caravan if caravan else 0
        while left:
            part = ground.grid.flood(left & -left, left)
            left &= ~part
            if not part & (everybody | shut) and ground.grid.grow(caravan) & part:
                found.append(Area(at // KINDS, at % KINDS, part, turn - 1))
                shut |= part
    return tuple(found)


def _tokens(ground: Ground, camels: list[int], areas: tuple[Area, ...]) -> tuple[int, ...]:
    """The points in tokens that caravans have brought: water of each seat, then oases of each seat."""
    players = len(ground.seats)
    taken = [0] * (2 * players)
    for at, caravan in enumerate(camels):
        who = at // KINDS
        inside = sum(area.spaces for area in areas if (area.who, area.colour) == (who, at % KINDS))
        taken[who] += ground.worth(caravan | inside)
        reached = [oasis for oasis, shore in ground.shore_of.items() if shore & caravan or oasis & inside]
        taken[players + who] += OASIS * len(reached)
    return tuple(taken)


def _removed(leaders: list[int], players: int) -> tuple[int, ...]:
    """The colour that each of five players has taken out (TD-P2)."""
    if players < 5:
        return ()
    return tuple(next(colour for colour in range(KINDS) if not leaders[who * KINDS + colour]) for who in range(players))
