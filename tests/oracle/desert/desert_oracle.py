"""Through the Desert, told a second time: slow, literal, rule by rule in the order of the digest.

It was written from the rules alone and refuses to know how the engine plays; only the move classes are
shared, so that both can be asked the same question.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from tests.oracle.desert import desert_map
from tests.oracle.desert.desert_score import longest_caravans, score, view, winners
from tests.oracle.desert.desert_table import (
    COLOURS,
    SEATS,
    Table,
    broken_by_setup,
    camels_allowed,
    caravan,
    enclosed,
    phase,
    start,
    to_act,
    turn,
)

__all__ = [
    "COLOURS",
    "SEATS",
    "Table",
    "apply",
    "broken_by_setup",
    "camels_allowed",
    "first_broken",
    "legal",
    "longest_caravans",
    "phase",
    "placements",
    "score",
    "start",
    "to_act",
    "turn",
    "view",
    "winners",
]


def first_broken(table: Any, ply: Any) -> Any:
    """The code of the most basic rule that a ply breaks, or None."""
    seat, move = ply
    if table.over:
        return "TD-S1"
    fault = broken_by_seat(table, seat)
    if fault is not None:
        return fault
    now = phase(table)
    if now == "removal":
        return broken_by_removal(table, move)
    if now == "leaders":
        return broken_by_leader(table, seat, move)
    if isinstance(move, Pass):
        return "TD-T3" if can_place(table, seat) else None
    if isinstance(move, Camel):
        return broken_by_camel(table, seat, move)
    return "TD-P2" if isinstance(move, Remove) else "TD-L1"  # either belongs before the camels


def broken_by_seat(table: Any, seat: Any) -> Any:
    """Whether a seat may act at all."""
    if seat == table.seats[table.mover]:
        return None
    if seat in table.seats and table.placed:
        return "TD-T3"  # the mover has not finished
    if table.finished is not None and table.finished[0] == seat:
        return "TD-T2" if table.finished[1] == 1 else "TD-T1"
    return "TD-P1"


def broken_by_removal(table: Any, move: Any) -> Any:
    """TD-P2: each player removes one leader, of a colour nobody removed before."""
    fine = isinstance(move, Remove) and move.colour in COLOURS and move.colour not in table.removed.values()
    return None if fine else "TD-P2"


def broken_by_leader(table: Any, seat: Any, move: Any) -> Any:
    """TD-L1 to TD-L5."""
    if not isinstance(move, Leader) or move.colour not in COLOURS:
        return "TD-L1"
    if move.colour not in table.hand[seat]:
        return "TD-P2" if table.removed.get(seat) == move.colour else "TD-L1"
    if not keeps_first_round(table, move.colour):
        return "TD-L5"
    space = move.space
    if space not in table.spaces or space in table.water or space in table.oases or space in table.camels:
        return "TD-L2"
    if table.beside[space] & table.oases:
        return "TD-L3"
    if table.beside[space] & set(table.camels):
        return "TD-L4"
    return None


def keeps_first_round(table: Any, colour: Any) -> Any:
    """TD-L5: a colour new in this round, that strands no later player of it."""
    if len(table.leaders) >= len(table.seats):
        return True
    used = {colour for _, colour in table.leaders}
    if colour in used:
        return False
    still_free = set(COLOURS) - used - {colour}
    later = table.seats[table.mover + 1 :]
    return all(table.hand[seat] & still_free for seat in later)


def broken_by_camel(table: Any, seat: Any, move: Any) -> Any:
    """TD-C1 to TD-C6, the most basic first."""
    colour, space = move.colour, move.space
    if table.herds.get(colour, 0) == 0:
        return "TD-C6"
    if space not in table.spaces or space in table.oases or space in table.camels:
        return "TD-C1"
    if any(space in spaces for _, _, spaces, _ in table.areas):
        return "TD-C5"
    touched = [table.camels[near] for near in table.beside[space] if near in table.camels]
    if (seat, colour) not in touched:
        return "TD-C2"
    if any(owner != seat for owner, of in touched if of == colour):
        return "TD-C3"
    return None  # TD-C4: other colours may be touched


def placements(table: Any, seat: Any) -> Iterator[Any]:
    """The camels that a seat could place now, looking beside its caravans."""
    for near, (owner, colour) in table.camels.items():
        if owner == seat:
            for space in table.beside[near]:
                if broken_by_camel(table, seat, Camel(colour, space)) is None:
                    yield Camel(colour, space)


def can_place(table: Any, seat: Any) -> Any:
    """Whether a seat could place any camel."""
    return any(True for _ in placements(table, seat))


def legal(table: Any) -> Any:
    """All legal plies, as (seat, move)."""
    if table.over:
        return set()
    seat = table.seats[table.mover]
    now = phase(table)
    if now == "camels":
        moves = set(placements(table, seat)) or {Pass()}  # TD-T3
    elif now == "removal":
        moves = {Remove(colour) for colour in COLOURS}
    else:
        moves = {Leader(colour, space) for colour in table.hand[seat] for space in table.spaces}
    return {(seat, move) for move in moves if first_broken(table, (seat, move)) is None}


# -- What a ply does


def apply(table: Any, ply: Any) -> Any:
    """The table after a legal ply."""
    seat, move = ply
    if isinstance(move, Remove):
        hand = {**table.hand, seat: table.hand[seat] - {move.colour}}
        return next_turn(replace(table, hand=hand, removed={**table.removed, seat: move.colour}))
    if isinstance(move, Leader):
        return next_turn(
            replace(
                table,
                hand={**table.hand, seat: table.hand[seat] - {move.colour}},
                leaders={**table.leaders, (seat, move.colour): move.space},
                camels={**table.camels, move.space: (seat, move.colour)},
            )
        )
    if isinstance(move, Pass):
        return finish_camels(table)
    table = place_camel(table, seat, move)
    if table.placed < camels_allowed(table) and can_place(table, seat):
        return table
    return finish_camels(table)


def next_turn(table: Any) -> Any:
    """The turn passes on, clockwise (TD-P1)."""
    return replace(table, turn=table.turn + 1, mover=(table.mover + 1) % len(table.seats), placed=0)


def finish_camels(table: Any) -> Any:
    """End a turn of camels, and the game with it when a herd is empty (TD-S1) or nobody can place (TD-T3)."""
    finished = (table.seats[table.mover], camels_allowed(table))
    if 0 in table.herds.values() or not any(can_place(table, seat) for seat in table.seats):
        return replace(next_turn(table), over=True)
    return next_turn(replace(table, finished=finished, camel_turns=table.camel_turns + 1))


def place_camel(table: Any, seat: Any, move: Any) -> Any:
    """One camel on its space, with what it takes and encloses at once."""
    colour, space = move.colour, move.space
    herds = {**table.herds, colour: table.herds[colour] - 1}
    camels = {**table.camels, space: (seat, colour)}
    water = dict(table.water)
    drink = water.pop(space, 0)  # TD-W1
    reached = {(seat, colour, oasis) for oasis in table.beside[space] & table.oases}  # TD-O1
    table = replace(table, herds=herds, camels=camels, placed=table.placed + 1)
    new = new_areas(table, seat, colour)
    for area in new:  # TD-E4
        drink += sum(water.pop(hole, 0) for hole in area)
        reached |= {(seat, colour, oasis) for oasis in area & table.oases}
    return replace(
        table,
        water=water,
        drunk={**table.drunk, seat: table.drunk[seat] + drink},
        earned=table.earned | reached,  # once for each oasis and caravan
        areas=table.areas + tuple((seat, colour, area, table.turn) for area in new),
    )


def new_areas(table: Any, seat: Any, colour: Any) -> Any:
    """TD-E1 to TD-E3: what this caravan alone cuts off, without a camel inside and not enclosed before."""
    wall = caravan(table, seat, colour)
    pieces = desert_map.components(table.spaces - wall, table.beside)
    gone = enclosed(table)
    areas = [piece for piece in pieces if not piece & set(table.camels) and not piece & gone]
    return sorted(areas, key=lambda area: min(map(desert_map.ORDER.__getitem__, area)))
