"""The Wall in the course of turns: set-up, dice, guards, trade, cards, tokens, and the end."""

import pytest

from engine import CHANCE, PUBLIC, KeyedDealer, Setup, Verdict
from engine.brotherhood.full_game import GAME
from engine.brotherhood.hands import cards_of
from engine.brotherhood.moves import (
    WILDLING,
    Dice,
    Discard,
    End,
    Guard,
    Keep,
    Ranger,
    Recruits,
    Roll,
    Settlement,
    Steal,
    Token,
    Tormund,
    Trade,
)
from engine.brotherhood.wall_state import CLIMBER, GIANT, REGULAR
from tests.oracle.brotherhood.brotherhood_scene import QUIET, Scene

ORE_FOR_WOOL = ((0, 0, 3, 0, 0), (0, 0, 0, 0, 1))


def test_set_up_has_a_third_round_of_guards(scene: Scene) -> None:
    assert scene.watch.sections == ((0,), (1,), (2,), (3,))
    assert (scene.position.turn, scene.position.stage) == (13, "roll")
    assert scene.watch.tokens.pool == 13
    assert scene.position.tormund == -1


@pytest.mark.parametrize("first", GAME.seats)
def test_whoever_is_first_places_the_first_guard_and_rolls_first(first: str) -> None:
    position = GAME.start(GAME.lay_out(Setup(GAME.seats, (("First", first),)), KeyedDealer(b"first")))
    assert not isinstance(position, Verdict)
    while position.turn <= 12:
        if position.turn == 9:
            assert GAME.to_act(position) == (first,)
        position = GAME.apply(position, next(iter(GAME.legal(position))))
    assert GAME.to_act(position) == (first,)
    heroes = GAME.view(position, PUBLIC)["watch"]["heroes"]["before"]
    assert heroes[first]["hero"] == "yarwyck"


def test_three_play_on_sixteen_hexes_with_all_four_sections() -> None:
    position = GAME.start(GAME.lay_out(Setup(GAME.seats[1:]), KeyedDealer(b"three")))
    assert not isinstance(position, Verdict)
    view = GAME.view(position, PUBLIC)
    assert (len(view["hexes"]), len(view["watch"]["sections"])) == (16, 4)
    assert sorted(one["number"] for one in view["hexes"]) == sorted(2 * ["3", "4", "5", "6", "8", "9", "10", "11"])


def test_a_variable_board_shuffles_lands_and_leaves_numbers() -> None:
    usual = dict(GAME.lay_out(Setup(GAME.seats), KeyedDealer(b"usual")).options)["Land"].split()
    setup = GAME.lay_out(Setup(GAME.seats, (("Board", "variable"),)), KeyedDealer(b"variable"))
    drawn = dict(setup.options)["Land"].split()
    assert drawn != usual
    assert [word.lstrip("abcdefghijklmnopqrstuvwxyz") for word in drawn] == [
        word.lstrip("abcdefghijklmnopqrstuvwxyz") for word in usual
    ]
    assert not isinstance(GAME.start(setup), Verdict)


def test_the_wildling_die_is_rolled_too(scene: Scene) -> None:
    scene.play("red", Roll())
    assert scene.broken(CHANCE, Dice(3, 4)) == "BW-R1"
    assert scene.broken(CHANCE, Dice(3, 4, 13)) == "BW-R1"
    assert scene.broken(CHANCE, Dice(0, 4, 12)) == "BB-Y2"
    assert len(scene.legal(CHANCE, Dice)) == 432


def test_wildlings_advance_after_all_that_a_seven_brings(scene: Scene) -> None:
    scene.set_watch(camps=((CLIMBER,), (), ()), frostfangs=(24, 7, 8)).hold("blue", ore=8)
    scene.play("red", Roll()).play(CHANCE, Dice(3, 4, 1))
    assert scene.watch.held == 0
    scene.play("blue", Discard((0, 0, 0, 0, 4))).play("red", Tormund("H", "blue"))
    assert scene.watch.held == 0
    scene.play(CHANCE, Steal("ore"))
    assert scene.watch.held == 1
    assert scene.position.agenda == ()


def test_a_held_hex_produces_nothing(scene: Scene) -> None:
    scene.hold("red").set_watch(gift=(0b1, 0, 0)).roll("red", Dice(1, 4, 12))
    assert scene.hand("red") == {}


def test_a_guard_costs_brick_wool_and_lumber(scene: Scene) -> None:
    scene.hold("red", brick=1, wool=1, lumber=1)
    assert scene.broken("red", Guard(1)) == "BB-O1", "before the roll"
    scene.roll("red").play("red", Guard(1))
    assert scene.watch.sections[0] == (0, 0)
    assert scene.hand("red") == {}
    assert scene.position.stage == "build"
    assert scene.broken("red", Guard(1)) == "BW-G4"


def test_a_section_has_five_spaces_and_a_player_seven_guards(scene: Scene) -> None:
    scene.hold("red", brick=1, wool=1, lumber=1).roll("red")
    scene.set_watch(sections=((0, 1, 1, 2, 2), (0, 0, 0), (), ()))
    assert scene.broken("red", Guard(1)) == "BW-G1"
    assert scene.broken("red", Guard(0)) == "BW-G1"
    assert scene.broken("red", Guard(5)) == "BW-G1"
    assert scene.legal("red", Guard) == [Guard(2), Guard(3), Guard(4)]
    scene.set_watch(sections=((0, 1, 1, 2, 2), (0, 0, 0), (0, 0, 0), ()))
    assert scene.broken("red", Guard(4)) == "BW-G2"
    assert scene.legal("red", Guard) == []


def test_the_supply_gives_one_for_three(scene: Scene) -> None:
    scene.hold("red", wool=4).roll("red")
    assert scene.broken("red", Trade((0, 0, 4, 0, 0), (0, 0, 0, 0, 1))) == "BW-R5"
    assert scene.broken("red", Trade((0, 0, 2, 0, 0), (0, 0, 0, 0, 1))) == "BW-R5"
    scene.play("red", Trade(*ORE_FOR_WOOL))
    assert scene.hand("red") == {"wool": 1, "ore": 1}


def test_a_ranger_sends_a_wildling_home_and_takes_what_the_hex_yields(scene: Scene) -> None:
    scene.own("red", "ranger").hold("red").set_watch(gift=(0, 0, 0b10), frostfangs=(24, 8, 7))
    assert scene.broken("red", Ranger(WILDLING, "A")) == "BW-K1"
    assert scene.broken("red", Ranger(WILDLING, "Z")) == "BW-K1"
    assert scene.broken("red", Ranger(WILDLING, "B", "blue")) == "BW-K1"
    scene.play("red", Ranger(WILDLING, "B"))
    assert scene.hand("red") == {"wool": 1}
    assert scene.watch.frostfangs == (24, 8, 8)
    assert scene.position.patrols == (1, 0, 0, 0)


def test_a_ranger_gains_nothing_from_an_empty_supply(scene: Scene) -> None:
    scene.own("red", "ranger").hold_all("blue", wool=19).set_watch(gift=(0, 0, 0b10)).play("red", Ranger(WILDLING, "B"))
    assert scene.hand("red") == {}


def test_the_third_ranger_brings_largest_patrol_and_a_token(scene: Scene) -> None:
    scene.own("red", "ranger").set(patrols=(2, 0, 0, 0)).set_watch(gift=(0, 0, 0b10))
    scene.play("red", Ranger(WILDLING, "B"))
    assert scene.position.largest == 0
    assert [due.source for due in scene.watch.due] == ["pool"]
    scene.play(CHANCE, Token("ice-river", "giant"))
    assert GAME.score(scene.position).total("red") == 3


def test_new_recruits_places_a_guard_free_and_trading_goes_on(scene: Scene) -> None:
    scene.own("red", "recruits").roll("red").play("red", Recruits(4))
    assert scene.watch.sections[3] == (3, 0)
    assert scene.position.stage == "trade"
    assert scene.broken("red", Recruits(4)) == "BB-C4"


def test_new_recruits_needs_room(scene: Scene) -> None:
    scene.own("red", "recruits").set_watch(sections=((0,) * 5, (), (), ()))
    assert scene.broken("red", Recruits(1)) == "BW-G1"


def test_a_settlement_turns_its_token_before_the_turn_goes_on(scene: Scene) -> None:
    scene.roll("red").hold("red", lumber=1, brick=1, wool=1, grain=1)
    scene.set(ends=(scene.position.ends[0] | 1 << 1, *scene.position.ends[1:]))
    scene.play("red", Settlement(1))
    assert GAME.to_act(scene.position) == (CHANCE,)
    assert scene.broken("red", End()) == "BB-O5"
    assert scene.broken(CHANCE, Token("ice-river", "mammoth")) == "BW-T1"
    scene.play(CHANCE, Token("ice-river", "regular"))
    assert GAME.to_act(scene.position) == ("red",)


def test_a_keep_turns_two_tokens(scene: Scene) -> None:
    scene.roll("red").hold("red", grain=2, ore=3).play("red", Keep(17))
    scene.play(CHANCE, Token("hornfoot", "giant"), Token("hornfoot", "giant"))
    assert scene.watch.camps[2] == (GIANT, GIANT)
    assert GAME.to_act(scene.position) == ("red",)
    assert scene.watch.tokens.pool == 12


def cut_road(scene: Scene) -> Scene:
    """Blue has the longest road, five from 24 to 47, and black a road as long; red can settle at 39, on blue's."""
    chart = scene.position.ground.chart
    blue = sum(1 << chart.path_of[path] for path in [(24, 31), (25, 31), (25, 32), (32, 39), (39, 47)])
    red, _, *others = scene.position.ends
    scene.roll("red").hold("red", lumber=1, brick=1, wool=1, grain=1)
    return scene.set(
        settlements=(scene.position.settlements[0], 1 << 24, *scene.position.settlements[2:]),
        roads=(scene.position.roads[0], blue, *scene.position.roads[2:]),
        ends=(red | 1 << 39, sum(1 << spot for spot in (24, 31, 25, 32, 39, 47)), *others),
        closed=scene.position.closed & ~(1 << 39),
        lengths=(1, 5, 1, 5),
        longest=1,
    )


def test_a_settlements_own_token_comes_before_the_one_for_the_special_card(scene: Scene) -> None:
    cut_road(scene).play("red", Settlement(39))
    assert scene.position.longest == 3, "black's is now the longest"
    assert [due.source for due in scene.watch.due] == ["settlement", "pool"]
    scene.play(CHANCE, Token("hornfoot", "giant"), Token("ice-river", "giant"))
    assert scene.watch.tokens.pool == 12
    assert GAME.to_act(scene.position) == ("red",)


def test_when_the_settlements_token_ends_the_game_the_other_is_not_turned(scene: Scene) -> None:
    cut_road(scene).set_watch(
        breaches=2, sections=((), (0, 1), (2,), (3,)), camps=((REGULAR,) * 4, (), ()), frostfangs=(20, 8, 8)
    )
    scene.play("red", Settlement(39)).play(CHANCE, Token("ice-river", "regular"))
    assert GAME.to_act(scene.position) == ()
    assert scene.watch.tokens.pool == 13
    assert scene.watch.camps[0] == (REGULAR,) * 4, "the second rusher stays"


def test_a_token_that_is_used_up_cannot_come_again(scene: Scene) -> None:
    scene.roll("red").hold("red", grain=2, ore=3).play("red", Keep(17)).play(CHANCE, Token("hornfoot", "giant"))
    unseen = scene.watch.tokens.unseen[0]
    tokens = scene.watch.tokens._replace(unseen=((*unseen[:8], 0),))
    scene.set_watch(tokens=tokens)
    assert scene.broken(CHANCE, Token("hornfoot", "giant")) == "BW-T1"


def test_ten_points_win_at_the_end_of_the_own_turn_only(scene: Scene) -> None:
    for _ in range(5):
        scene.own("red", "point")
    scene.set(keeps=(1 << 1 | 1 << 3, 0, 0, 0))
    assert scene.position.winner == -1
    scene.roll("red")
    assert GAME.to_act(scene.position) == ("red",)
    scene.play("red", End())
    assert GAME.to_act(scene.position) == ()
    assert GAME.score(scene.position).winners == ("red",)
    assert GAME.score(scene.position).total("red") == 11


def test_a_fall_of_the_wall_counts_before_ten_points(scene: Scene) -> None:
    for _ in range(5):
        scene.own("red", "point")
    scene.set(keeps=(1 << 1 | 1 << 3, 0, 0, 0))
    scene.set_watch(breaches=2, sections=((), (1,), (2,), (3,)), camps=((REGULAR,), (), ()), frostfangs=(23, 8, 8))
    scene.roll("red", Dice(1, 1, 1))
    assert GAME.score(scene.position).winners == ("blue",)


def test_hidden_points_count_when_the_wall_has_fallen(scene: Scene) -> None:
    scene.own("black", "point")
    scene.set_watch(breaches=2, sections=((), (0, 1, 2, 3), (), ()), camps=((REGULAR,), (), ()), frostfangs=(23, 8, 8))
    scene.roll("red", Dice(1, 1, 1))
    assert GAME.score(scene.position).winners == ("black",)
    assert GAME.score(scene.position).total("black") == 3


def test_nothing_is_asked_after_the_wall_has_fallen(scene: Scene) -> None:
    scene.pass_to("blue")
    scene.set_watch(breaches=2, sections=((), (0, 1, 2, 3), (), ()), camps=((REGULAR,), (), ()), frostfangs=(23, 8, 8))
    scene.roll("blue", Dice(1, 1, 1))
    assert GAME.to_act(scene.position) == (), "Tarly would have been asked"
    assert scene.broken("blue", End()) == "BB-E2"


def test_a_quiet_roll_really_is_quiet(scene: Scene) -> None:
    before = scene.position.hands
    scene.roll("red", QUIET)
    assert scene.position.hands == before
    assert cards_of(ore=2, brick=1) == before[0]
