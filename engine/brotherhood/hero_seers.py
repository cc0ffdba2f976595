"""Melisandre, who looks at the deck, and Mance, who looks at a hand. What they see is known to their player alone."""

from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from engine.brotherhood.building import missing
from engine.brotherhood.cards import take_card
from engine.brotherhood.hands import CARD, CARD_PRICE, KIND, ONE, at_most_two, count, covers, size, unpack
from engine.brotherhood.hero_builders import changed_price, may_replace, replacements
from engine.brotherhood.hero_roster import MANCE, MELISANDRE
from engine.brotherhood.heroes import BUILDING, company_of, judge_use, set_company, use
from engine.brotherhood.moves import DEVELOPMENTS, RESOURCES, Choose, Look, Mance, Melisandre, Take
from engine.brotherhood.position import NOBODY
from engine.brotherhood.rules import building, heroes, turns
from engine.brotherhood.table import WorkingPosition
from engine.chance import Dealer, draw_some
from engine.game import CHANCE, Seat
from engine.verdict import Verdict

LOOK: Final = "look"
"""Chance shows Melisandre's player the top cards."""
CHOOSE: Final = "choose"
"""She keeps one of them."""
TAKE: Final = "take"
"""Mance's player takes a card of the hand that was shown."""

VISION: Final = 3
"""Cards that Melisandre looks at."""


# Melisandre


def judge_melisandre(table: WorkingPosition, who: int, move: Melisandre) -> Verdict | None:
    """There must be a card to buy, and its price, changed or not (BW-J6, BW-J15)."""
    verdict = judge_use(table, who, MELISANDRE, BUILDING)
    if verdict is not None:
        return verdict
    facts = {"seat": table.ground.seats[who], "spared": move.spared, "paid": move.paid}
    if not table.deck:
        return Verdict(building.C1, "the deck of development cards is empty", facts)
    if (move.spared, move.paid) != (None, None) and not may_replace(CARD_PRICE, move.spared, move.paid):
        says = "{paid} cannot replace {spared}: a development card costs wool, grain and ore"
        return Verdict(heroes.J6, says, facts, list_melisandre(table, who)[:3])
    return missing(table, who, changed_price(CARD_PRICE, move.spared, move.paid), "a development card")


def play_melisandre(table: WorkingPosition, who: int, move: Melisandre) -> None:
    """Pay; then chance shows the cards."""
    table.start_building()
    table.pay(who, changed_price(CARD_PRICE, move.spared, move.paid))
    table.add(LOOK, CHOOSE)
    use(table, who)


def list_melisandre(table: WorkingPosition, who: int) -> tuple[Melisandre, ...]:
    """As printed, or with one resource replaced, as far as the hand goes."""
    return _purchases(at_most_two(table.hands[who])) if table.deck else ()


@cache
def _purchases(hand: int) -> tuple[Melisandre, ...]:
    """What a hand can pay, made once."""
    printed = [Melisandre()] if covers(hand, CARD_PRICE) else []
    return (*printed, *[Melisandre(spared, paid) for spared, paid in replacements(CARD_PRICE, hand)])


def judge_look(table: WorkingPosition, _who: int, move: Look) -> Verdict | None:
    """Cards of the deck: three, or all that are left (BW-J16)."""
    if move.cards is None:
        return Verdict(turns.O7, "the cards that were seen are hidden in this copy")
    facts = {"count": min(VISION, size(table.deck)), "cards": ", ".join(move.cards)}
    if len(move.cards) != facts["count"] or not {*move.cards} <= {*CARD}:
        return Verdict(heroes.J6, "Melisandre looks at {count} cards", facts)
    if not covers(table.deck, _pile(move.cards)):
        return Verdict(heroes.J6, "the deck does not have these cards: {cards}", facts)
    return None


def play_look(table: WorkingPosition, _who: int, move: Look) -> None:
    """The cards are seen; they leave the deck only when one is chosen."""
    set_company(table, company_of(table)._replace(shown=_pile(move.cards or ())))
    table.done()


def list_looks(table: WorkingPosition) -> list[tuple[Seat, Look]]:
    """All that chance can show."""
    hands = combinations_with_replacement(DEVELOPMENTS, min(VISION, size(table.deck)))
    return [(CHANCE, Look(cards)) for cards in hands if covers(table.deck, _pile(cards))]


def deal_look(table: WorkingPosition, dealer: Dealer) -> Look:
    """The top cards: any of the deck, each as likely. They are named in the order of DEVELOPMENTS."""
    deck = [name for name, copies in zip(DEVELOPMENTS, unpack(table.deck), strict=True) for _ in range(copies)]
    seen = draw_some(dealer, deck, min(VISION, len(deck)), "vision")
    return Look(tuple(sorted(seen, key=DEVELOPMENTS.index)))


def judge_choose(table: WorkingPosition, who: int, move: Choose) -> Verdict | None:
    """One of the cards seen."""
    if move.card is None:
        return Verdict(turns.O7, "the card that was kept is hidden in this copy")
    if move.card in CARD and count(company_of(table).shown, CARD[move.card]):
        return None
    facts = {"seat": table.ground.seats[who], "card": move.card}
    says = "{card} is none of the cards that {seat} sees"
    return Verdict(heroes.J6, says, facts, tuple(move for _, move in list_chosen(table)))


def play_choose(table: WorkingPosition, _who: int, move: Choose) -> None:
    """The card is bought; the others are shuffled into the deck, which has no order anyway."""
    take_card(table, DEVELOPMENTS.index(move.card))
    set_company(table, company_of(table)._replace(shown=0))
    table.done()


def list_chosen(table: WorkingPosition) -> list[tuple[Seat, Choose]]:
    """The cards seen."""
    shown, seat = company_of(table).shown, table.on_turn
    return [(seat, Choose(name)) for name, copies in zip(DEVELOPMENTS, unpack(shown), strict=True) if copies]


def _pile(cards: tuple[str, ...]) -> int:
    return sum(ONE[CARD[card]] for card in cards)


# Mance


def judge_mance(table: WorkingPosition, who: int, move: Mance) -> Verdict | None:
    """Somebody else with more public points, and with cards (BW-J7, BW-J17)."""
    verdict = judge_use(table, who, MANCE, BUILDING)
    if verdict is not None:
        return verdict
    facts = {"seat": table.ground.seats[who], "victim": move.victim}
    victim = table.ground.place.get(move.victim)
    rule = heroes.J7
    if victim is None:
        says = "{victim} does not sit at this table"
    elif table.public_points(victim) <= table.public_points(who):
        says = "{victim} has no more victory points than {seat}"
    elif not table.hands[victim]:
        rule, says = heroes.J17, "{victim} has no cards"
    else:
        return None
    return Verdict(rule, says, facts, tuple(list_mance(table, who)))


def play_mance(table: WorkingPosition, who: int, move: Mance) -> None:
    """The hand is seen."""
    set_company(table, company_of(table)._replace(victim=table.ground.place[move.victim]))
    table.add(TAKE)
    use(table, who)


def list_mance(table: WorkingPosition, who: int) -> list[Mance]:
    """Everybody richer, with cards."""
    own = table.public_points(who)
    return [
        _mance(seat)
        for other, seat in enumerate(table.ground.seats)
        if other != who and table.hands[other] and table.public_points(other) > own
    ]


_mance = cache(Mance)
"""The move, made once."""


def judge_take(table: WorkingPosition, _who: int, move: Take) -> Verdict | None:
    """A card of the hand that is seen."""
    if move.resource is None:
        return Verdict(turns.O7, "the card that was taken is hidden in this copy")
    victim = company_of(table).victim
    if move.resource in KIND and count(table.hands[victim], KIND[move.resource]):
        return None
    facts = {"victim": table.ground.seats[victim], "resource": move.resource}
    instead = tuple(move for _, move in list_taken(table))
    return Verdict(heroes.J7, "{victim} has no {resource}", facts, instead)


def play_take(table: WorkingPosition, who: int, move: Take) -> None:
    """The card changes hands."""
    company, card = company_of(table), ONE[RESOURCES.index(move.resource)]
    table.hands[company.victim] -= card
    table.hands[who] += card
    set_company(table, company._replace(victim=NOBODY))
    table.done()


def list_taken(table: WorkingPosition) -> list[tuple[Seat, Take]]:
    """The cards of the hand that is seen."""
    hand, seat = unpack(table.hands[company_of(table).victim]), table.on_turn
    return [(seat, Take(name)) for name, held in zip(RESOURCES, hand, strict=True) if held]
