"""Nomadi, told a second time: slow, literal, rule by rule in the order of the digest.

It was written from the rules alone and refuses to know how the engine plays; only the move classes are shared,
so that both can be asked the same question. A ply is refused by the set of all rules it breaks, each in a word.
"""

from collections.abc import Iterator
from typing import Any

from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from tests.oracle.nomadi.nomadi_map import BEYOND, NAME, SQUARE, START, beside, hang_together, ways
from tests.oracle.nomadi.nomadi_table import on_turn, phase, to_act, unseen


def broken(table: Any, ply: Any) -> Any:
    """All rules that a ply breaks, as a set of words; empty when it is legal."""
    seat, move = ply
    if phase(table) == "over":
        return {"over"}
    if isinstance(move, Give) and seat in table.seats:
        return broken_by_gift(table, seat, move)
    if isinstance(move, Take | Leave) and any(to == seat for _, to, _ in table.offers.values()):
        return broken_by_answer(table, seat, move.square)
    if seat not in to_act(table):
        return {"not due"}
    if isinstance(move, Take | Leave) and seat != "*":
        return {"answer"}
    return broken_by_turn(table, seat, move)


def broken_by_turn(table: Any, seat: Any, move: Any) -> Any:
    """What the player on turn, or chance, does wrong."""
    if seat not in ("*", on_turn(table)):
        return {"not on turn"}
    match phase(table), move:
        case "placing", Place():
            return broken_by_placing(table, move)
        case "throwing", Dice():
            fine = len(move.values) == 6 and set(move.values) <= {1, 2, 3, 4, 5, 6}
            return set() if fine else {"dice"}
        case "looking", Card():
            fine = SQUARE.get(move.square) == table.looking
            fine = fine and (move.value is None or unseen(table).get(move.value, 0) > 0)
            return set() if fine else {"card"}
        case "offering", Offer():
            return set()
        case "moving", Step():
            return broken_by_step(table, move)
        case "moving", End():
            return {"dice must be played"} if any(steps(table)) else set()
    return {"not now"}


def broken_by_placing(table: Any, move: Any) -> Any:
    """Rule 3."""
    square = SQUARE.get(move.square)
    if square is None:
        return {"square"}
    return set() if square in START and square not in table.stones else {"placing"}


def broken_by_answer(table: Any, seat: Any, name: Any) -> Any:
    """Rule 20: an answer is for the stone's owner, from the moment of the offer on, also between two throws.

    Without a square it means his only open offer.
    """
    mine = {NAME[square] for square, (_, to, _) in table.offers.items() if to == seat}
    named = name in mine if name is not None else len(mine) == 1
    return set() if named else {"answer"}


def broken_by_gift(table: Any, seat: Any, move: Any) -> Any:
    """Rule 30 b: a variant; coins one has, for somebody else, whoever is on turn, from the end of the set-up on."""
    if phase(table) == "answers":
        return {"over"}
    fine = table.deals and phase(table) != "placing" and move.seat in table.seats and move.seat != seat
    return set() if fine and 1 <= move.coins <= table.coins[seat] else {"gift"}


# -- One die


def broken_by_step(table: Any, move: Any) -> Any:
    """Rules 4 to 12, 17, 26 and 29, for one die played with one stone."""
    origin, target = SQUARE.get(move.origin), SQUARE.get(move.target)
    faults = {"square"} if {move.origin, move.target, move.bend} - {None} - SQUARE.keys() else set()
    faults |= {"die"} if move.die not in table.unplayed else set()
    faults |= {"no stone"} if origin not in table.stones else set()
    if faults:
        return faults
    return broken_by_landing(table, move.die, origin, target) | broken_by_way(table, move)


def broken_by_way(table: Any, move: Any) -> Any:
    """7, 8, 9 and 11: one of the ways of a die, over stones only; where a bend is named, that way."""
    ends = SQUARE[move.target], move.bend
    led_there = [
        jumped
        for jumped, target, bend in ways(SQUARE[move.origin], move.die)
        if ends in ((target, None), (target, NAME.get(bend)))
    ]
    if not led_there:
        return {"reach"}
    return set() if any(table.stones.keys() >= set(jumped) for jumped in led_there) else {"gap"}


def broken_by_landing(table: Any, die: Any, origin: Any, target: Any) -> Any:
    """What forbids a stone to go from here to there, whatever its way."""
    stone = table.stones[origin]
    after = (table.stones.keys() - {origin}) | {target}
    broken_rules = {
        "free side": beside(origin) <= table.stones.keys(),  # 6: what lies beyond the edge bears no stone
        "landing": target in table.stones,  # 10
        "there and back": (stone, die, target) in table.left_from,  # 12
        "start": target in START and origin not in START,  # 17
        "ravine": origin in BEYOND and target not in BEYOND,  # 26
        "home": origin in table.goal,  # 29
        "group": target not in table.stones and not hang_together(after),  # 5
    }
    return {word for word, broken_rule in broken_rules.items() if broken_rule}


def steps(table: Any) -> Iterator[Any]:
    """Every step that some unplayed die allows, as (die, origin, target); none: the turn may end (rule 13)."""
    for die in sorted(set(table.unplayed)):
        for origin in table.stones:
            targets = {target for jumped, target, _ in ways(origin, die) if table.stones.keys() >= set(jumped)}
            for target in targets:
                if not broken_by_landing(table, die, origin, target):
                    yield die, origin, target


# -- What may be done


def legal(table: Any) -> Any:
    """All legal plies but throws and gifts, as (seat, move); steps without their bends, offers without words.

    While chance is due, what players may say meanwhile is not listed: nobody waits for it.
    """
    now, seat = phase(table), on_turn(table)
    plies: set[tuple[Any, Any]] = {
        (to, kind(NAME[square])) for square, (_, to, _) in table.offers.items() for kind in (Take, Leave)
    }
    if now == "placing":
        return {(seat, Place(NAME[square])) for square in START - table.stones.keys()}
    if now == "throwing":
        return set()
    if now == "looking":
        return {("*", Card(NAME[table.looking], value)) for value, count in unseen(table).items() if count}
    if now == "offering":
        plies.add((seat, Offer()))
    if now == "moving":
        ways_on: set[tuple[Any, Any]] = {
            (seat, Step(die, NAME[origin], NAME[target])) for die, origin, target in steps(table)
        }
        plies |= ways_on or {(seat, End())}
    return plies
