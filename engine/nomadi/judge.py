"""The verdict on a ply: the one authority on what is legal in Nomadi.

Each question is asked once, in the order of the rules, so the first answer names the most basic rule broken. A die
played with a stone is told what stands in its way and what would do instead. The answers follow from what everybody may
know; values of cards play no part.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.game import CHANCE, Ply, Seat
from engine.nomadi import rules
from engine.nomadi.board import BITS, NAMES, START, grow, squares
from engine.nomadi.caravan import hangs_together, parts, with_free_side
from engine.nomadi.legal import DICE, to_act, unseen
from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from engine.nomadi.paths import allowed, choices, distance, left_with, reach, ways
from engine.nomadi.position import ANSWERS, LOOKING, MOVING, OFFERING, OVER, PLACING, THROWING, Position
from engine.verdict import Rule, Verdict

OFFERED: Final = 3
"""How many legal moves a refusal names."""

Why = tuple[Rule, str, Mapping[str, object]]
"""A rule, what is wrong under it as a pattern, and the facts for that."""


def can_step(position: Position, move: Step) -> bool:
    """Whether a player on turn may make a single move now."""
    die, bend = move.die, move.bend
    origin, target = BITS.get(move.origin, 0), BITS.get(move.target, 0)
    caravan = position.caravan
    return bool(
        die in position.unplayed
        and origin & caravan & ~position.ground.goal
        and target & allowed(origin) & ~caravan
        and grow(origin) & ~caravan  # a side is free
        and any(way.over & ~caravan == 0 and bend in (None, way.bend) for way in ways(die, origin, target))
        and hangs_together(caravan, origin, target)
        and not target & left_with(position.made, die, origin)
    )


def judge_step(position: Position, move: Step) -> Verdict | None:
    """None if a player on turn may make a single move now, else the first rule it breaks."""
    if can_step(position, move):
        return None
    rule, says, facts = _why(position, move, BITS.get(move.origin, 0), BITS.get(move.target, 0))
    everything = {"die": move.die, "origin": move.origin, "target": move.target, **facts}
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
    found = ways(move.die, origin, target)
    if not found:
        return _unreachable(move)
    if move.bend is not None:
        found = [way for way in found if way.bend == move.bend]
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


def judge(position: Position, ply: Ply) -> Verdict | None:
    """None if the ply is legal, else the first rule it breaks."""
    seat, move = ply
    if type(move) is Step and position.phase == MOVING and seat == position.ground.seats[position.who]:
        return judge_step(position, move)
    if position.phase == OVER:
        return Verdict(rules.G3, "the game is over: three stones are home")
    if seat == CHANCE:
        return _judge_chance(position, move)
    if seat not in position.ground.seats:
        return Verdict(rules.P1, "nobody plays {seat} at this table", {"seat": seat})
    if isinstance(move, Take | Leave):
        return _judge_answer(position, seat, move)
    refusal = _refuse_turn(position, seat, move)
    if refusal is not None:
        return refusal
    match move:
        case Place(square):
            return _judge_place(position, square)
        case Give():
            return _judge_gift(position, seat, move)
        case Offer():
            return _judge_offer(position)
        case End():
            return _judge_end(position)
    return _refuse_phase(position)


def _refuse_turn(position: Position, seat: Seat, move: object) -> Verdict | None:
    """Whether a seat may do anything now but answer offers (NO-P1)."""
    if isinstance(move, Give) and position.phase != ANSWERS:
        return None  # A player who waits may pay the one on turn, also before the dice fall (NO-V2).
    if position.phase in (THROWING, LOOKING):
        return _refuse_phase(position)
    if isinstance(move, Dice):
        return Verdict(rules.D1, "only chance throws dice")
    if isinstance(move, Card):
        return Verdict(rules.C2, "only chance turns up cards")
    due = to_act(position)
    on_turn = position.ground.seats[position.who]
    facts = {"seat": seat, "due": ", ".join(due), "who": on_turn}
    if position.phase == ANSWERS:
        return Verdict(rules.G3, "three stones are home: only offers can still be answered, by {due}", facts)
    if seat not in due:
        return Verdict(rules.P1, "{who} is on turn, not {seat}", facts)
    if seat != on_turn:
        return Verdict(rules.P1, "{who} is on turn; {seat} only has an offer to answer", facts)
    return None


def _refuse_phase(position: Position) -> Verdict:
    """What has to be done now instead of what was tried."""
    seat = position.ground.seats[position.who]
    if position.phase == PLACING:
        free = squares(START & ~position.caravan)
        return Verdict(rules.P5, "{seat} sets up a stone now", {"seat": seat}, tuple(map(Place, free[:OFFERED])))
    if position.phase == THROWING:
        return Verdict(rules.D1, "the dice for {seat} are thrown first", {"seat": seat})
    if position.phase == LOOKING:
        facts = {"square": NAMES[position.made[-1].target]}
        return Verdict(rules.C2, "the card at {square} is looked at first", facts)
    if position.phase == OFFERING:
        card = position.found[-1]
        facts = {"square": NAMES[card.square], "owner": position.ground.seats[card.owner], "seat": seat}
        says = "{seat} must first offer the card from {square} to {owner}"
        return Verdict(rules.C3, says, facts, (Offer(),))
    return Verdict(rules.P5, "all stones are set up; {seat} plays the dice now", {"seat": seat}, _some_steps(position))


def _some_steps(position: Position) -> tuple[Any, ...]:
    """A few things to do while dice are played: a move for each die, or the end of the turn."""
    steps: dict[int, Step] = {}
    for die, origin, targets in reach(position, sorted(set(position.unplayed))):
        steps.setdefault(die, Step(die, NAMES[origin], NAMES[targets & -targets]))
    return tuple(steps.values())[:OFFERED] or (End(),)


def _judge_place(position: Position, square: str) -> Verdict | None:
    if position.phase != PLACING:
        return _refuse_phase(position)
    bit = BITS.get(square, 0)
    if bit & START and not bit & position.caravan:
        return None
    free = squares(START & ~position.caravan)
    facts: dict[str, object] = {"square": square}
    instead = tuple(map(Place, free[:OFFERED]))
    if not bit:
        return Verdict(rules.P4, "there is no square {square} on this board", facts, instead)
    if not bit & START:
        return Verdict(rules.P5, "{square} is not in the start zone", facts, instead)
    facts["owner"] = position.ground.seats[position.owner_at(bit)]
    return Verdict(rules.P5, "a stone of {owner} stands at {square}", facts, instead)


def _judge_chance(position: Position, move: object) -> Verdict | None:
    if position.phase == THROWING:
        if not isinstance(move, Dice):
            return _refuse_phase(position)
        if len(move.values) != DICE:
            return Verdict(rules.D1, "six dice are thrown, not {count}", {"count": len(move.values)})
        odd = [value for value in move.values if value not in range(1, 7)]
        return Verdict(rules.D1, "no die shows a {value}", {"value": odd[0]}) if odd else None
    if position.phase != LOOKING:
        facts = {"due": ", ".join(to_act(position))}
        return Verdict(rules.P1, "chance has nothing to settle now: {due} is due", facts)
    at = NAMES[position.made[-1].target]
    if not isinstance(move, Card) or move.square != at:
        return _refuse_phase(position)
    left = unseen(position)
    if move.value is None or left.get(move.value, 0) > 0:
        return None
    facts = {"value": f"{move.value:+}"}
    if move.value in left:
        return Verdict(rules.C2, "all cards of {value} have been looked at", facts)
    return Verdict(rules.C2, "there is no card of {value}", facts)


def _judge_offer(position: Position) -> Verdict | None:
    if position.phase == OFFERING:
        return None
    if position.phase == MOVING:
        return Verdict(rules.C3, "there is no card to offer now", instead=_some_steps(position))
    return _refuse_phase(position)


def _judge_answer(position: Position, seat: Seat, move: Take | Leave) -> Verdict | None:
    """Whether just one open offer is meant (NO-C4). It can be answered at once, also while dice are due (NO-C5)."""
    who = position.ground.seats.index(seat)
    asked = [NAMES[card.square] for card in position.open_offers() if card.owner == who]
    facts = {"seat": seat, "square": move.square, "all": " ".join(asked)}
    instead = tuple(type(move)(square) for square in asked)
    if not asked:
        return Verdict(rules.C4, "no card is offered to {seat}", facts)
    if move.square is None:
        says = "several cards are offered to {seat}; name the square, one of {all}"
        return Verdict(rules.C4, says, facts, instead) if len(asked) > 1 else None
    if move.square in asked:
        return None
    return Verdict(rules.C4, "no card from {square} is offered to {seat}, only from {all}", facts, instead)


def _judge_end(position: Position) -> Verdict | None:
    if position.phase != MOVING:
        return _refuse_phase(position)
    instead = _some_steps(position)
    first = instead[0]
    if not isinstance(first, Step):
        return None
    facts = {"die": first.die, "origin": first.origin, "target": first.target}
    says = "the {die} can still be played, for example {die} {origin}-{target}"
    return Verdict(rules.D3, says, facts, instead)


def _judge_gift(position: Position, seat: Seat, gift: Give) -> Verdict | None:
    seats = position.ground.seats
    own = position.coins[seats.index(seat)]
    facts = {"seat": seat, "other": gift.seat, "coins": gift.coins, "own": own}
    if not position.ground.deals:
        return Verdict(rules.V2, "coins change hands only at a table with deals", facts)
    if position.phase == PLACING:
        return Verdict(rules.V2, "gifts can be made once all stones are set up", facts)
    if gift.seat == seat or gift.seat not in seats:
        return Verdict(rules.V2, "{seat} can give coins to another player at the table, not to {other}", facts)
    if gift.coins < 1:
        return Verdict(rules.V2, "a gift is one coin or more", facts)
    if gift.coins > own:
        return Verdict(rules.V2, "{seat} has {own} coins and cannot give {coins}", facts)
    return None
