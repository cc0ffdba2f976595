"""A development card is bought, and chance says which (BB-C1, BB-C10)."""

from engine.brotherhood.building import missing
from engine.brotherhood.hands import CARD, CARD_PRICE, ONE, count, size, unpack
from engine.brotherhood.moves import DEVELOPMENTS, Buy, Draw
from engine.brotherhood.position import DRAW
from engine.brotherhood.rules import building, turns
from engine.brotherhood.seven import nth_card
from engine.brotherhood.table import Table
from engine.chance import Dealer
from engine.game import CHANCE, Seat
from engine.verdict import Verdict


def judge_buy(table: Table, who: int, _move: Buy) -> Verdict | None:
    """None if there is a card to buy and it can be paid."""
    if not table.deck:  # BB-C1
        return Verdict(building.C1, "no development card is left")
    return missing(table, who, CARD_PRICE, "a development card")


def play_buy(table: Table, who: int, _move: Buy) -> None:
    """Pay; chance draws."""
    table.pay(who, CARD_PRICE)
    table.start_building()
    table.add(DRAW)


def judge_draw(table: Table, _who: int, move: Draw) -> Verdict | None:
    """None if such a card is left (BB-C10)."""
    if move.card is None:  # BB-O7
        return Verdict(turns.O7, "this copy of the record does not tell which card was drawn")
    kind = CARD.get(move.card)
    if kind is not None and count(table.deck, kind):
        return None
    return Verdict(building.C10, "no {card} is left in the deck", {"card": move.card})


def play_draw(table: Table, _who: int, move: Draw) -> None:
    """The buyer takes the card."""
    table.done()
    take_card(table, CARD[str(move.card)])


def take_card(table: Table, kind: int) -> None:
    """A card of a kind goes from the deck to the player on turn, who cannot play it in this turn."""
    table.deck -= ONE[kind]
    table.bought += ONE[kind]
    table.cards[table.who] += ONE[kind]


def list_draws(table: Table) -> list[tuple[Seat, Draw]]:
    """Every card that can be drawn."""
    return [(CHANCE, Draw(name)) for name, left in zip(DEVELOPMENTS, unpack(table.deck), strict=True) if left]


def deal_draw(table: Table, dealer: Dealer) -> Draw:
    """Draw one of the cards left."""
    return Draw(DEVELOPMENTS[nth_card(table.deck, dealer.pick(size(table.deck), "development card"))])
