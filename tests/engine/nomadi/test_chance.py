"""What chance settles in Nomadi: where cards lie, how dice fall, and what a card is worth once somebody looks."""

from collections import Counter

import pytest

from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.board import BITS, NAMES, PLAIN, each, mask_of
from engine.nomadi.legal import SUPPLY
from engine.nomadi.moves import Card, Dice, Give, Leave, Take
from engine.nomadi.position import LOOKING, NOBODY, THROWING, Found, Made, Position
from engine.verdict import Verdict
from tests.engine.nomadi.nomadi_tables import moving, start


def looking(*seen: int) -> Position:
    """Blue's own stone has just landed on N13; cards of some values were found before."""
    others = [bit for bit in each(start().cards) if NAMES[bit] != "N13"]
    found = tuple(Found(bit, value, 0, 0, 0) for bit, value in zip(others, seen, strict=False))
    left = start().cards & ~sum(card.square for card in found)
    step = Made(1, BITS["N14"], BITS["N13"], None, 0)
    table = moving("N13 N14", dice=(1, 2, 3, 4, 5, 6))._replace(unplayed=(2, 3, 4, 5, 6))
    return table._replace(phase=LOOKING, made=(step,), cards=left, found=found)


@pytest.mark.parametrize("options", [(), (("Oasis", "I6"),)])
def test_six_cards_are_drawn_on_plain_squares_outside_the_goal(options: tuple[tuple[str, str], ...]) -> None:
    drawn: Counter[str] = Counter()
    for key in range(60):
        setup = GAME.lay_out(Setup(("blue", "yellow"), options), KeyedDealer(bytes([key])))
        position = GAME.start(setup)
        assert not isinstance(position, Verdict)
        squares = (setup.option("Cards") or "").split()
        assert len(squares) == 6
        assert not mask_of(*squares) & ~PLAIN
        assert not mask_of(*squares) & position.ground.goal
        drawn.update(squares)
    assert len(drawn) > 150, "the same squares again and again"


def test_every_die_falls_on_every_side() -> None:
    throwing = moving("M16")._replace(phase=THROWING)
    dealt = [GAME.deal(throwing, KeyedDealer(bytes([key]))).move for key in range(60)]
    throws = [throw for throw in dealt if isinstance(throw, Dice) and len(throw.values) == 6]
    assert throws == dealt
    for place in range(6):
        assert {throw.values[place] for throw in throws} == {1, 2, 3, 4, 5, 6}


def drawn_value(position: Position, key: bytes) -> int | None:
    card = GAME.deal(position, KeyedDealer(key)).move
    assert isinstance(card, Card)
    return card.value


def test_a_card_is_drawn_among_those_that_nobody_has_looked_at() -> None:
    seen = [value for value, count in SUPPLY.items() for _ in range(count) if value not in (2, -1)]
    position = looking(*seen)
    assert {drawn_value(position, bytes([key])) for key in range(60)} == {2, -1}
    verdict = GAME.judge(position, Ply(CHANCE, Card("N13", 3)))
    assert str(verdict) == "NO-C2 all cards of +3 have been looked at"


def test_every_value_is_drawn_as_often_as_there_are_cards_of_it() -> None:
    drawn = Counter(drawn_value(looking(), key.to_bytes(2, "big")) for key in range(1800))
    assert drawn.keys() == SUPPLY.keys()
    assert all(abs(drawn[value] - 100 * count) < 90 for value, count in SUPPLY.items())


def test_a_card_that_is_not_told_can_be_played_and_stays_unknown() -> None:
    after = GAME.apply(looking(), Ply(CHANCE, Card("N13", None)))
    assert GAME.judge(looking(), Ply(CHANCE, Card("N13", None))) is None
    assert [GAME.view(after, viewer)["values"] for viewer in ("blue", PUBLIC)] == [{}, {}]
    assert GAME.view(after, PUBLIC)["holds"] == {"blue": 1, "yellow": 0}


def test_positions_that_differ_in_values_nobody_told_look_the_same_to_all_others() -> None:
    good, bad = (GAME.apply(looking(), Ply(CHANCE, Card("N13", value))) for value in (3, -2))
    assert GAME.view(good, "blue") != GAME.view(bad, "blue")
    for viewer in ("yellow", PUBLIC):
        assert GAME.view(good, viewer) == GAME.view(bad, viewer)
    assert GAME.score(good) == GAME.score(bad)
    assert list(GAME.legal(good)) == list(GAME.legal(bad))


@pytest.mark.parametrize("phase", [THROWING, LOOKING])
@pytest.mark.parametrize(("move", "holder"), [(Take("K17"), "yellow"), (Leave("K17"), "blue")])
def test_an_offer_can_be_answered_at_once_also_while_chance_is_due(phase: str, move: object, holder: str) -> None:
    offered = looking()._replace(phase=phase, found=(Found(BITS["K17"], 1, 0, 1, NOBODY),))
    assert GAME.to_act(offered) == (CHANCE,)
    assert GAME.judge(offered, Ply("yellow", move)) is None
    after = GAME.apply(offered, Ply("yellow", move))
    assert (after.phase, GAME.view(after, PUBLIC)["held"]) == (phase, {"K17": holder})


def test_an_answer_to_nothing_is_refused_by_the_rule_of_offers_also_before_a_throw() -> None:
    waiting = looking()._replace(phase=THROWING)
    assert str(GAME.judge(waiting, Ply("yellow", Take("K17")))) == "NO-C4 no card is offered to yellow"


@pytest.mark.parametrize("phase", [THROWING, LOOKING])
def test_coins_can_be_given_while_chance_is_due(phase: str) -> None:
    ground = start(2, ("Deals", "yes")).ground
    waiting = looking()._replace(phase=phase, ground=ground)
    assert GAME.judge(waiting, Ply("yellow", Give("blue", 2))) is None
    assert GAME.apply(waiting, Ply("yellow", Give("blue", 2))).coins == (7, 3)
    assert str(GAME.judge(waiting, Ply("yellow", Give("blue", 6)))).startswith("NO-V2")


def test_silence_declines_an_offer_and_stands_for_nothing_else() -> None:
    position = moving("M16 M17")
    assert GAME.by_default(position, "blue") is None
    offered = position._replace(found=(Found(BITS["N13"], 1, 0, 1, -1, "gold"),))
    assert GAME.by_default(offered, "blue") is None
    answer = Ply("yellow", GAME.by_default(offered, "yellow"))
    assert GAME.judge(offered, answer) is None
    assert GAME.view(GAME.apply(offered, answer), PUBLIC)["held"] == {"N13": "blue"}


def test_of_two_offers_one_must_be_named() -> None:
    offers = (Found(BITS["N13"], 1, 0, 1, -1), Found(BITS["H15"], 2, 0, 1, -1))
    position = moving("M16 M17")._replace(found=offers)
    verdict = GAME.judge(position, Ply("yellow", Take()))
    assert str(verdict) == "NO-C4 several cards are offered to yellow; name the square, one of N13 H15"
