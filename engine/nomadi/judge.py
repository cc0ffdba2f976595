"""The verdict on a ply: the one authority on what is legal in Nomadi.

Each question is asked once, in the order of the rules, so the first answer names the most basic rule broken. What
it says follows from what everybody may know; values of cards play no part in it. Single moves are looked at in
`judging_steps`.
"""

from typing import Any

from engine.game import CHANCE, Ply, Seat
from engine.nomadi import rules
from engine.nomadi.apply import DICE, unseen
from engine.nomadi.board import BITS, NAMES, START, squares
from engine.nomadi.judging_steps import OFFERED, judge_step
from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from engine.nomadi.order import to_act
from engine.nomadi.position import ANSWERS, LOOKING, MOVING, OFFERING, OVER, PLACING, THROWING, Position
from engine.nomadi.stepping import reach
from engine.verdict import Verdict


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


def _refuse_turn(position: Position, seat: Seat, move: Any) -> Verdict | None:
    """Whether a seat may do anything now but answer offers (NO-P1)."""
    if position.phase in (THROWING, LOOKING):
        return _refuse_phase(position)
    if isinstance(move, Dice):
        return Verdict(rules.D1, "only chance throws dice")
    if isinstance(move, Card):
        return Verdict(rules.C2, "only chance turns up cards")
    due = to_act(position)
    on_turn = position.ground.seats[position.who]
    if isinstance(move, Give) and position.phase != ANSWERS:
        return None  # Whoever waits may pay whoever is on turn (NO-V2).
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


def _judge_chance(position: Position, move: Any) -> Verdict | None:
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
    """Whether just one open offer is meant (NO-C4)."""
    who = position.ground.seats.index(seat)
    asked = [NAMES[card.square] for card in position.open_offers() if card.owner == who]
    facts = {"seat": seat, "square": move.square, "all": " ".join(asked)}
    instead = tuple(type(move)(square) for square in asked)
    if not asked:
        return Verdict(rules.C4, "no card is offered to {seat}", facts)
    if position.phase in (THROWING, LOOKING):
        return _refuse_phase(position)
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
