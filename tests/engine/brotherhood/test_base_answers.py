"""Several players at once: offers that block nobody, discards in any order, and what silence stands for."""

import pytest

from engine import CHANCE, KeyedDealer, Ply, Setup, Verdict
from engine.brotherhood.base_game import GAME
from engine.brotherhood.hands import pack, unpack
from engine.brotherhood.moves import Accept, Decline, Dice, Discard, End, Offer, Roll, Tormund, Withdraw
from engine.brotherhood.position import Position
from engine.brotherhood.seven import level_discard

LUMBER, GRAIN, ORE = (1, 0, 0, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1)


@pytest.fixture
def trading() -> Position:
    """Red, to whom nobody has offered anything yet, has rolled a 12."""
    return after(begin(), Ply("red", Roll()), Ply(CHANCE, Dice(6, 6)))


def begin() -> Position:
    position = GAME.start(GAME.lay_out(Setup(GAME.seats, (("First", "red"),)), KeyedDealer(b"1")))
    assert not isinstance(position, Verdict)
    return position


def after(position: Position, *plies: Ply) -> Position:
    for ply in plies:
        verdict = GAME.judge(position, ply)
        assert verdict is None, str(verdict)
        position = GAME.apply(position, ply)
    return position


def hand(position: Position, seat: str) -> tuple[int, ...]:
    return unpack(position.hands[GAME.seats.index(seat)])


def test_an_offer_makes_others_due_and_never_blocks_the_player_on_turn(trading: Position) -> None:
    assert GAME.to_act(trading) == ("red",)
    offered = after(trading, Ply("red", Offer(LUMBER, GRAIN)))
    assert GAME.to_act(offered) == ("red", "blue", "yellow", "black")
    assert GAME.to_act(after(offered, Ply("blue", Decline("red")))) == ("red", "yellow", "black")
    assert GAME.to_act(after(offered, Ply("red", End()))) == ("blue",)
    assert GAME.to_act(after(offered, Ply("red", Withdraw()))) == ("red",)


def test_an_offer_to_one_makes_only_that_player_due(trading: Position) -> None:
    offered = after(trading, Ply("red", Offer(LUMBER, GRAIN, "yellow")))
    assert GAME.to_act(offered) == ("red", "yellow")
    traded = after(offered, Ply("yellow", Accept("red")))
    assert (hand(traded, "red"), hand(traded, "yellow")) == ((0, 1, 0, 1, 1), (1, 1, 1, 0, 0))
    assert GAME.to_act(traded) == ("red",)


def test_silence_declines_and_the_player_on_turn_has_no_default(trading: Position) -> None:
    offered = after(trading, Ply("red", Offer(LUMBER, GRAIN)))
    assert GAME.by_default(offered, "blue") == Decline("red")
    assert GAME.by_default(offered, "red") is None
    assert GAME.by_default(trading, "blue") is None
    alone = after(offered, *(Ply(seat, GAME.by_default(offered, seat)) for seat in ("black", "blue", "yellow")))
    assert GAME.to_act(alone) == ("red",)


def test_a_counter_offer_declines_and_waits_for_the_player_on_turn(trading: Position) -> None:
    countered = after(
        trading, Ply("red", Offer(LUMBER, GRAIN, "yellow")), Ply("yellow", Offer(GRAIN, (1, 0, 0, 0, 1), "red"))
    )
    assert GAME.to_act(countered) == ("red",)
    traded = after(countered, Ply("red", Accept("yellow")))
    assert hand(traded, "red") == (0, 1, 0, 1, 0)


def test_an_offer_that_cannot_be_met_any_more_is_accepted_and_nothing_happens(trading: Position) -> None:
    offered = after(trading, Ply("red", Offer(LUMBER, GRAIN, "yellow")))
    poor = offered._replace(hands=(0, *offered.hands[1:]))
    accepted = after(poor, Ply("yellow", Accept("red")))
    assert accepted.hands == poor.hands
    assert GAME.to_act(accepted) == ("red",)


def test_a_bare_answer_means_the_only_offer_and_is_refused_when_there_are_two(trading: Position) -> None:
    two = after(trading, Ply("blue", Offer(ORE, (0, 1, 0, 0, 0), "red")), Ply("black", Offer(GRAIN, LUMBER, "red")))
    verdict = GAME.judge(two, Ply("red", Accept()))
    assert verdict is not None
    assert verdict.rule.code == "BB-T5"
    assert verdict.detail == "say whose offer is meant: more than one is open"
    none = GAME.judge(trading, Ply("blue", Accept()))
    assert none is not None
    assert str(none) == "BB-T5 no offer to blue is open"
    one = after(two, Ply("black", Withdraw()))
    assert hand(after(one, Ply("red", Accept())), "red") == (1, 0, 0, 0, 2)


def seven() -> Position:
    """Red and blue have more than seven cards, and red has rolled a seven."""
    position = after(begin(), Ply("red", Roll()))
    cards = (pack((3, 3, 3, 0, 0)), pack((0, 4, 0, 0, 4)))
    supply = position.supply + sum(position.hands[:2]) - sum(cards)
    rich = position._replace(hands=(*cards, *position.hands[2:]), supply=supply)
    return after(rich, Ply(CHANCE, Dice(3, 4)))


def test_all_discard_at_once_in_any_order_and_then_tormund_moves() -> None:
    position = seven()
    assert GAME.to_act(position) == ("red", "blue")
    blue, red = Ply("blue", Discard((0, 2, 0, 0, 2))), Ply("red", Discard((2, 1, 1, 0, 0)))
    assert after(position, blue, red) == after(position, red, blue)
    assert GAME.to_act(after(position, blue)) == ("red",)
    moved = after(position, red, blue, Ply("red", Tormund("T")))
    assert GAME.to_act(moved) == ("red",)


def test_silence_discards_what_is_most_plentiful_the_first_in_order_if_level() -> None:
    position = seven()
    assert GAME.by_default(position, "red") == Discard((2, 1, 1, 0, 0))
    assert GAME.by_default(position, "blue") == Discard((0, 2, 0, 0, 2))
    assert GAME.by_default(position, "black") is None
    assert level_discard((0, 0, 9, 0, 1), 5) == (0, 0, 5, 0, 0)
