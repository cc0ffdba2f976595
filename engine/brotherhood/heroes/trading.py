"""Mormont and Marsh, who act while their player trades."""

from collections.abc import Iterator
from itertools import combinations, product

from engine.brotherhood.hands import KIND, ONE, count, covers
from engine.brotherhood.heroes import rules
from engine.brotherhood.heroes.handling import TRADING, judge_use, use
from engine.brotherhood.heroes.roster import MARSH, MORMONT
from engine.brotherhood.moves import RESOURCES, Marsh, Mormont
from engine.brotherhood.table import Table
from engine.verdict import Verdict

MOST_ASKED = 2
"""Players of whom Mormont can demand a card."""


def judge_mormont(table: Table, who: int, move: Mormont) -> Verdict | None:
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
        return Verdict(rules.J1, "Mormont demands and gives back resource cards", facts)
    if not 1 <= len(set(asked)) == len(asked) <= MOST_ASKED:
        return Verdict(rules.J1, "Mormont demands of one player or of two different ones", facts)
    if not {*asked} <= {*others}:
        return Verdict(rules.J1, "Mormont demands of other players at the table, not of {asked}", facts)
    if not covers(table.hands[who], _returns(move)):
        facts["back"] = ", ".join(back for _, back in move.demands)
        return Verdict(rules.J12, "{seat} does not have what is to be given back: {back}", facts)
    return None


def play_mormont(table: Table, who: int, move: Mormont) -> None:
    """Whoever has the card hands it over for the one named; whoever has none is left in peace."""
    demanded = ONE[KIND[move.resource]]
    hands = table.hands
    for seat, back in move.demands:
        other = table.ground.place[seat]
        if covers(hands[other], demanded):
            change = ONE[KIND[back]] - demanded
            hands[other] += change
            hands[who] -= change
    use(table, who)


def list_mormont(table: Table, who: int) -> Iterator[Mormont]:
    """Every demand, of one player and of two."""
    seats = [seat for place, seat in enumerate(table.ground.seats) if place != who]
    own = [name for name in RESOURCES if count(table.hands[who], KIND[name])]
    for asked in (*combinations(seats, 1), *combinations(seats, MOST_ASKED)):
        for backs in product(own, repeat=len(asked)):
            demands = tuple(zip(asked, backs, strict=True))
            if covers(table.hands[who], sum(ONE[KIND[back]] for back in backs)):
                for resource in RESOURCES:
                    yield Mormont(resource, demands)


def _returns(move: Mormont) -> int:
    return sum(ONE[KIND[back]] for _, back in move.demands)


def judge_marsh(table: Table, who: int, move: Marsh) -> Verdict | None:
    """One card from the hand for another kind from the supply (BW-J2)."""
    verdict = judge_use(table, who, MARSH, TRADING)
    if verdict is not None:
        return verdict
    facts = {"seat": table.ground.seats[who], "give": move.give, "take": move.take}
    if move.give not in KIND or move.take not in KIND:
        return Verdict(rules.J2, "Marsh swaps resource cards", facts)
    if move.give == move.take:
        says = "{give} for {take} is no swap"
    elif not count(table.hands[who], KIND[move.give]):
        says = "{seat} has no {give}"
    elif not count(table.supply, KIND[move.take]):
        says = "the supply has no {take}"
    else:
        return None
    return Verdict(rules.J2, says, facts, tuple(list_marsh(table, who))[:3])


def play_marsh(table: Table, who: int, move: Marsh) -> None:
    """One card goes, one comes."""
    table.pay(who, ONE[KIND[move.give]])
    table.gain(who, ONE[KIND[move.take]])
    use(table, who)


def list_marsh(table: Table, who: int) -> Iterator[Marsh]:
    """Every swap of an own card for another kind."""
    for give in RESOURCES:
        if count(table.hands[who], KIND[give]):
            for take in RESOURCES:
                if take != give and count(table.supply, KIND[take]):
                    yield Marsh(give, take)
