"""Mormont and Marsh, who act while their player trades."""

from functools import cache, lru_cache
from itertools import chain, combinations, product

from engine.brotherhood.hands import KIND, ONE, at_most_two, count, covers, kinds_in
from engine.brotherhood.hero_roster import MARSH, MORMONT
from engine.brotherhood.heroes import TRADING, judge_use, use
from engine.brotherhood.moves import RESOURCES, Marsh, Mormont
from engine.brotherhood.rules import heroes
from engine.brotherhood.table import WorkingPosition
from engine.game import Seat
from engine.verdict import Verdict

MOST_ASKED = 2
"""Players of whom Mormont can demand a card."""


def judge_mormont(table: WorkingPosition, who: int, move: Mormont) -> Verdict | None:
    """One or two other players are asked, and there is a card to give back to each (BW-J1, BW-J12).

    Nothing here depends on what others hold.
    """
    verdict = judge_use(table, who, MORMONT, TRADING)
    if verdict is not None:
        return verdict
    asked = [seat for seat, _ in move.demands]
    facts = {"seat": table.ground.seats[who], "resource": move.resource, "asked": ", ".join(asked)}
    others = [seat for seat in table.ground.seats if table.ground.place[seat] != who]
    if move.resource not in KIND or any(back not in KIND for _, back in move.demands):
        return Verdict(heroes.J1, "Mormont demands and gives back resource cards", facts)
    if not 1 <= len(set(asked)) == len(asked) <= MOST_ASKED:
        return Verdict(heroes.J1, "Mormont demands of one player or of two different ones", facts)
    if not {*asked} <= {*others}:
        return Verdict(heroes.J1, "Mormont demands of other players at the table, not of {asked}", facts)
    if not covers(table.hands[who], _returns(move.demands)):
        facts["back"] = ", ".join(back for _, back in move.demands)
        return Verdict(heroes.J12, "{seat} does not have what is to be given back: {back}", facts)
    return None


def play_mormont(table: WorkingPosition, who: int, move: Mormont) -> None:
    """Players who have the card hand it over for the one named; nothing happens to those who have none."""
    demanded = ONE[KIND[move.resource]]
    hands = table.hands
    for seat, back in move.demands:
        other = table.ground.place[seat]
        if covers(hands[other], demanded):
            change = ONE[KIND[back]] - demanded
            hands[other] += change
            hands[who] -= change
    use(table, who)


def list_mormont(table: WorkingPosition, who: int) -> tuple[Mormont, ...]:
    """Every demand, of one player and of two."""
    return _demands(table.ground.seats, who, at_most_two(table.hands[who]))


@lru_cache(maxsize=4096)
def _demands(seats: tuple[Seat, ...], who: int, hand: int) -> tuple[Mormont, ...]:
    """Every demand that a player can make with a hand; there can be hundreds, so they are remembered."""
    demands = _imaginable(seats, who)
    return tuple(chain.from_iterable([moves for returns, moves in demands if covers(hand, returns)]))


@lru_cache(maxsize=256)
def _imaginable(seats: tuple[Seat, ...], who: int) -> tuple[tuple[int, tuple[Mormont, ...]], ...]:
    """What a player can give back to whom, with all that can be demanded for it."""
    others = [seat for place, seat in enumerate(seats) if place != who]
    return tuple(
        (_returns(demands), tuple(Mormont(resource, demands) for resource in RESOURCES))
        for number in range(1, MOST_ASKED + 1)
        for asked in combinations(others, number)
        for backs in product(RESOURCES, repeat=number)
        for demands in [tuple(zip(asked, backs, strict=True))]
    )


def _returns(demands: tuple[tuple[Seat, str], ...]) -> int:
    return sum(ONE[KIND[back]] for _, back in demands)


def judge_marsh(table: WorkingPosition, who: int, move: Marsh) -> Verdict | None:
    """One card from the hand for another kind from the supply (BW-J2)."""
    verdict = judge_use(table, who, MARSH, TRADING)
    if verdict is not None:
        return verdict
    facts = {"seat": table.ground.seats[who], "give": move.give, "take": move.take}
    if move.give not in KIND or move.take not in KIND:
        return Verdict(heroes.J2, "Marsh swaps resource cards", facts)
    if move.give == move.take:
        says = "{give} for {take} is not a swap"
    elif not count(table.hands[who], KIND[move.give]):
        says = "{seat} has no {give}"
    elif not count(table.supply, KIND[move.take]):
        says = "the supply has no {take}"
    else:
        return None
    return Verdict(heroes.J2, says, facts, list_marsh(table, who)[:3])


def play_marsh(table: WorkingPosition, who: int, move: Marsh) -> None:
    """One card goes, one comes."""
    table.pay(who, ONE[KIND[move.give]])
    table.gain(who, ONE[KIND[move.take]])
    use(table, who)


def list_marsh(table: WorkingPosition, who: int) -> tuple[Marsh, ...]:
    """Every swap of an own card for another kind."""
    return _swaps(kinds_in(table.hands[who]), kinds_in(table.supply))


@cache
def _swaps(own: int, supply: int) -> tuple[Marsh, ...]:
    """Every swap of one of some kinds for one of others, made once."""
    return tuple(
        Marsh(give, take)
        for give in RESOURCES
        for take in RESOURCES
        if give != take and count(own, KIND[give]) and count(supply, KIND[take])
    )
