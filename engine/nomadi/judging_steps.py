"""The verdict on one die played with one stone: what stands in its way, and what would do instead."""

from collections.abc import Mapping
from typing import Final

from engine.nomadi import rules
from engine.nomadi.board import BITS, NAMES, START, squares
from engine.nomadi.caravan import landings, parts, with_free_side
from engine.nomadi.moves import End, Step
from engine.nomadi.paths import distance, ways
from engine.nomadi.position import Position
from engine.nomadi.roaming import allowed
from engine.nomadi.stepping import choices, left_with
from engine.verdict import Rule, Verdict

OFFERED: Final = 3
"""How many legal moves a refusal names."""

Why = tuple[Rule, str, Mapping[str, object]]
"""A rule, what is wrong under it as a pattern, and the facts for that."""


def judge_step(position: Position, move: Step) -> Verdict | None:
    """None if a player on turn may make a single move now, else the first rule it breaks."""
    die, bend = move.die, move.bend
    origin, target = BITS.get(move.origin, 0), BITS.get(move.target, 0)
    caravan = position.caravan
    if (
        die in position.unplayed
        and origin & with_free_side(caravan) & ~position.ground.goal
        and target & landings(caravan, origin) & allowed(origin)
        and any(way.over & ~caravan == 0 and bend in (None, way.bend) for way in ways(die, origin).get(target, ()))
        and not target & left_with(position.made, die, origin)
    ):
        return None
    rule, says, facts = _why(position, move, origin, target)
    everything = {"die": die, "origin": move.origin, "target": move.target, **facts}
    return Verdict(rule, says, everything, _nearest(position, move))


def _why(position: Position, move: Step, origin: int, target: int) -> Why:
    """What is wrong with a move that cannot be made."""
    caravan, goal = position.caravan, position.ground.goal
    if move.die not in position.unplayed:
        left = " ".join(map(str, position.unplayed))
        return rules.D2, "there is no {die} left to play, only {left}", {"left": left}
    for name in (move.origin, move.target, move.bend):
        if name is not None and name not in BITS:
            return rules.P4, "there is no square {square} on this board", {"square": name}
    if not origin & caravan:
        return rules.M1, "no stone stands at {origin}", {}
    if origin & goal:
        return rules.G2, "the stone at {origin} is home and moves no more", {}
    if not origin & with_free_side(caravan):
        return rules.M3, "stones stand on all four sides of {origin}", {}
    if target & caravan:
        owner = position.ground.seats[position.owner_at(target)]
        return rules.M7, "a stone of {owner} stands at {target}", {"owner": owner}
    astray = _astray(move, origin, target, caravan)
    if astray is not None:
        return astray
    if not target & allowed(origin):
        if target & START:
            return rules.Z1, "the stone at {origin} has left the start zone and may not land in it again", {}
        return rules.R2, "the stone at {origin} is beyond the ravine and may not go back", {}
    if target & left_with(position.made, move.die, origin):
        return rules.M9, "this stone left {target} in this turn with another {die}", {}
    return _torn(caravan ^ origin ^ target, target)


def _astray(move: Step, origin: int, target: int, caravan: int) -> Why | None:
    """What is wrong with the way, zones apart."""
    found = ways(move.die, origin).get(target)
    if found is None:
        return _unreachable(move)
    if move.bend is not None:
        found = tuple([way for way in found if way.bend == move.bend])
        if not found:
            rule = rules.M4 if move.die == 1 else rules.M5 if move.die < 5 else rules.M6
            return rule, "the way from {origin} to {target} does not bend at {bend}", {"bend": move.bend}
    gaps = [way.over & ~caravan for way in found]
    if all(gaps):
        fewest = min(gaps, key=int.bit_count)
        return rules.M8, "{gap} is a gap", {"gap": squares(fewest)[0]}
    return None


def _unreachable(move: Step) -> Why:
    """Why a die leads nowhere near a square."""
    columns, rows = distance(move.origin, move.target)
    if move.die == 1:
        return rules.M4, "{target} is not next to {origin}", {}
    facts = {"stones": move.die - 1, "way": columns + rows}
    if move.die < 5:
        if columns and rows:
            return rules.M5, "{origin} and {target} are not in a straight line", facts
        return rules.M5, "a {die} leads {die} squares far, and from {origin} to {target} it is {way}", facts
    return rules.M6, "a {die} leads {die} squares far, and from {origin} to {target} it is {way}", facts


def _torn(caravan: int, target: int) -> Why:
    """How a move would tear the caravan: the smaller parts, the stone that moves before others."""
    *small, _ = sorted(parts(caravan), key=lambda part: (part.bit_count(), part != target))
    if target in small:
        return rules.M2, "the stone from {origin} would stand alone at {target}", {}
    off = squares(sum(small))
    if len(off) == 1:
        return rules.M2, "{square} would stand alone", {"square": off[0]}
    return rules.M2, "{squares} would be cut off", {"squares": " ".join(off)}


def _nearest(position: Position, move: Step) -> tuple[Step | End, ...]:
    """Legal moves nearest to the one refused: with its die and its stone if there are any."""
    steps = [Step(die, NAMES[origin], NAMES[target]) for die, origin, target in choices(position)]
    if not steps:
        return (End(),)

    def strangeness(step: Step) -> tuple[bool, bool, int]:
        far = sum(distance(step.target, move.target)) if move.target in BITS else 0
        return step.die != move.die, step.origin != move.origin, far

    return tuple(sorted(steps, key=strangeness)[:OFFERED])
