"""Whose a hero is, when it can be used, and what becomes of it after a use."""

from engine import PUBLIC
from engine.brotherhood.full_game import GAME
from engine.brotherhood.moves import Benjen, Flip, Marsh, Mormont, Qhorin, Roll, Swap, Tarly, Yarwyck, Ygritte
from tests.oracle.brotherhood.brotherhood_scene import Scene

HELD = (0b1, 0, 0)
"""A regular wildling on hex A."""


def test_each_player_has_the_hero_of_the_start_and_others_are_refused(scene: Scene) -> None:
    assert [scene.hero(seat) for seat in GAME.seats] == ["yarwyck", "tarly", "marsh", "mormont"]
    assert scene.roll("red").broken("red", Marsh("ore", "wool")) == "BW-H1"


def test_a_hero_of_the_start_serves_in_the_first_turn(scene: Scene) -> None:
    scene.roll("red").play("red", Yarwyck((17, 23), (12, 17)), Flip())
    assert scene.watch.company.holdings[0].worn


def test_nothing_happens_before_a_used_hero_is_settled(scene: Scene) -> None:
    scene.lead("red", "qhorin").set(tormund=0).play("red", Qhorin())
    assert GAME.to_act(scene.position) == ("red",)
    assert scene.broken("red", Roll()) == "BW-H4"
    assert scene.broken("blue", Flip()) == "BW-H4"
    assert scene.broken("blue", Swap("benjen")) == "BW-H4"


def test_one_hero_a_turn(scene: Scene) -> None:
    scene.lead("red", "ygritte").set_watch(gift=(0b11, 0, 0)).play("red", Ygritte("A"), Flip())
    assert scene.broken("red", Ygritte("B")) == "BW-H3"
    assert scene.legal("red", Ygritte) == []


def test_a_hero_rests_in_the_turn_in_which_it_was_taken(scene: Scene) -> None:
    scene.lead("red", "qhorin").set(tormund=0).set_watch(gift=HELD).play("red", Qhorin(), Swap("ygritte"))
    assert scene.broken("red", Ygritte("A")) == "BW-H2"
    assert GAME.view(scene.position, PUBLIC)["watch"]["heroes"]["before"]["red"]["rests"]
    scene.pass_to("blue").pass_to("red").play("red", Ygritte("A"))
    assert scene.watch.held == 0


def test_a_hero_used_twice_must_be_swapped(scene: Scene) -> None:
    scene.lead("red", "qhorin", worn=True).set(tormund=0).play("red", Qhorin())
    assert scene.broken("red", Flip()) == "BW-H4"
    scene.play("red", Swap("benjen"))
    company = scene.watch.company
    assert scene.hero("red") == "benjen"
    assert not company.holdings[0].worn
    assert company.holder(10) is None


def test_a_swap_takes_any_hero_of_the_display_but_not_the_returned_one(scene: Scene) -> None:
    scene.lead("red", "qhorin").set(tormund=0).play("red", Qhorin())
    assert scene.broken("red", Swap("tarly")) == "BW-H5"
    assert scene.broken("red", Swap("qhorin")) == "BW-H5"
    assert scene.broken("red", Swap("hodor")) == "BW-H5"
    assert len(scene.legal("red", Swap)) == 7


def test_silence_flips_while_that_is_possible(scene: Scene) -> None:
    scene.lead("red", "qhorin").set(tormund=0).play("red", Qhorin())
    assert GAME.by_default(scene.position, "red") == Flip()
    scene.play("red", Flip()).pass_to("blue").pass_to("red").set(tormund=0).play("red", Qhorin())
    assert GAME.by_default(scene.position, "red") == Swap("yarwyck")


def test_heroes_of_trade_wait_for_the_roll_and_end_with_trading(scene: Scene) -> None:
    scene.lead("red", "marsh").hold("red", ore=2, lumber=1, brick=1)
    assert scene.broken("red", Marsh("ore", "wool")) == "BW-H10"
    assert scene.legal("red", Marsh) == []
    scene.roll("red").set(stage="build")
    assert scene.broken("red", Marsh("ore", "wool")) == "BW-H10"
    assert scene.lead("red", "mormont").broken("red", Mormont("wool", (("blue", "ore"),))) == "BW-H10"


def test_tarly_does_not_act_of_his_own_accord(scene: Scene) -> None:
    assert scene.lead("red", "tarly").broken("red", Tarly("ore")) == "BB-O1"


def test_a_hero_of_another_seat_is_not_used_in_ones_turn(scene: Scene) -> None:
    assert scene.lead("red", "benjen").broken("blue", Benjen(None, 1)) == "BB-O4"
