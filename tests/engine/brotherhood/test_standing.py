"""Standing orders: what they bid, and that they never bid what cannot be done."""

import pytest

from engine import CHANCE, KeyedDealer, Ply, Setup, Verdict
from engine.brotherhood import base_game, full_game
from engine.brotherhood.hands import pack
from engine.brotherhood.hero_tarly import REACT
from engine.brotherhood.moves import Accept, Decline, Dice, Discard, Offer, Pass, Roll, Tarly
from engine.brotherhood.position import Position
from engine.brotherhood.standing_orders import (
    AcceptOffers,
    AutoRoll,
    DiscardFirst,
    NoTrades,
    TarlyRests,
    TarlyTakes,
)

GAME = base_game.GAME
LUMBER, BRICK, GRAIN = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 1, 0)
NOTHING = (0, 0, 0, 0, 0)


def begin(hands: dict[str, tuple[int, ...]] | None = None) -> Position:
    position = GAME.start(GAME.lay_out(Setup(GAME.seats, (("First", "red"),)), KeyedDealer(b"1")))
    assert not isinstance(position, Verdict)
    held = tuple(pack((hands or {}).get(seat, (2, 2, 2, 0, 0))) for seat in GAME.seats)
    return position._replace(hands=held, supply=position.supply + sum(position.hands) - sum(held))


def after(position: Position, *plies: Ply) -> Position:
    for ply in plies:
        verdict = GAME.judge(position, ply)
        assert verdict is None, str(verdict)
        position = GAME.apply(position, ply)
    return position


def rolled(position: Position, *dice: int) -> Position:
    return after(position, Ply("red", Roll()), Ply(CHANCE, Dice(*dice)))


@pytest.fixture
def offered() -> Position:
    """Red offers lumber for grain; blue has grain, yellow and black have none."""
    trading = rolled(begin({"blue": (0, 0, 0, 2, 0)}), 6, 6)
    return after(trading, Ply("red", Offer(LUMBER, GRAIN)))


def test_the_dice_are_asked_for_when_the_own_turn_begins() -> None:
    position = begin()
    assert GAME.by_standing_order(position, "red", [AutoRoll()]) == Roll()
    assert GAME.by_standing_order(position, "blue", [AutoRoll()]) is None
    assert GAME.by_standing_order(rolled(position, 6, 6), "red", [AutoRoll()]) is None


def test_an_offer_that_is_as_good_or_better_is_accepted(offered: Position) -> None:
    assert GAME.by_standing_order(offered, "blue", [AcceptOffers(LUMBER, GRAIN)]) == Accept("red")
    assert GAME.by_standing_order(offered, "blue", [AcceptOffers(LUMBER, (0, 0, 0, 2, 0))]) == Accept("red")
    for worse in (AcceptOffers((2, 0, 0, 0, 0), GRAIN), AcceptOffers(BRICK, GRAIN), AcceptOffers(LUMBER, BRICK)):
        assert GAME.by_standing_order(offered, "blue", [worse]) is None


def test_who_cannot_pay_is_asked_as_if_nothing_had_been_ordered(offered: Position) -> None:
    assert GAME.by_standing_order(offered, "yellow", [AcceptOffers(LUMBER, GRAIN)]) is None


def test_all_offers_are_declined_but_those_with_an_order_of_their_own(offered: Position) -> None:
    assert GAME.by_standing_order(offered, "yellow", [NoTrades()]) == Decline("red")
    assert GAME.by_standing_order(offered, "blue", [NoTrades(), AcceptOffers(LUMBER, GRAIN)]) == Accept("red")
    assert GAME.by_standing_order(offered, "red", [NoTrades()]) is None


def test_cards_go_in_the_order_given_and_then_from_what_is_most_plentiful() -> None:
    position = rolled(begin({"blue": (1, 4, 3, 0, 0), "red": NOTHING}), 3, 4)
    given = GAME.by_standing_order(position, "blue", [DiscardFirst(("ore", "wool", "lumber"))])
    assert given == Discard((1, 0, 3, 0, 0))
    assert GAME.by_standing_order(position, "blue", [DiscardFirst(("lumber",))]) == Discard((1, 2, 1, 0, 0))
    assert GAME.by_standing_order(position, "black", [DiscardFirst(("lumber",))]) is None


def test_tarly_reacts_or_rests_as_ordered() -> None:
    watch = full_game.GAME
    position = watch.start(watch.lay_out(Setup(watch.seats, (("First", "red"),)), KeyedDealer(b"1")))
    assert not isinstance(position, Verdict)
    asked = position._replace(agenda=(REACT,))
    (seat,) = watch.to_act(asked)
    assert watch.by_standing_order(asked, seat, [TarlyTakes("ore")]) == Tarly("ore")
    assert watch.by_standing_order(asked, seat, [TarlyRests()]) == Pass()
    assert watch.by_standing_order(position, seat, [TarlyRests()]) is None
