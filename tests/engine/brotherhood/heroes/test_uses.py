"""What each of the eleven heroes does, and what it does not do."""

import pytest

from engine import CHANCE, PUBLIC, Ply
from engine.brotherhood.full_game import GAME
from engine.brotherhood.moves import (
    Benjen,
    Choose,
    Dice,
    Flip,
    Look,
    Mance,
    Marsh,
    Melisandre,
    Mormont,
    Pass,
    Qhorin,
    Swap,
    Take,
    Tarly,
    Thorne,
    Token,
    Yarwyck,
    Ygritte,
    Yoren,
)
from engine.brotherhood.wall_state import CLIMBER, GIANT, REGULAR
from tests.oracle.brotherhood.brotherhood_scene import Scene

# Mormont


def test_mormont_takes_a_card_of_two_players_and_gives_one_back_to_each(scene: Scene) -> None:
    scene.lead("red", "mormont").hold("red", wool=1, grain=1).hold("blue", ore=2).hold("yellow", ore=1).roll("red")
    scene.play("red", Mormont("ore", (("blue", "wool"), ("yellow", "grain"))))
    assert scene.hand("red") == {"ore": 2}
    assert scene.hand("blue") == {"ore": 1, "wool": 1}
    assert scene.hand("yellow") == {"grain": 1}


def test_whoever_has_no_such_card_gives_mormont_nothing_and_gets_nothing(scene: Scene) -> None:
    scene.lead("red", "mormont").hold("red", wool=1).hold("blue", brick=1).roll("red")
    scene.play("red", Mormont("ore", (("blue", "wool"),)))
    assert (scene.hand("red"), scene.hand("blue")) == ({"wool": 1}, {"brick": 1})
    assert scene.watch.company.user == 0, "he was used all the same"


@pytest.mark.parametrize("other", [{"ore": 3}, {"brick": 3}])
def test_what_mormont_may_do_does_not_tell_what_others_hold(scene: Scene, other: dict[str, int]) -> None:
    scene.lead("red", "mormont").hold("red", wool=1).hold("blue", **other).roll("red")
    assert len(scene.legal("red", Mormont)) == 15
    assert scene.broken("red", Mormont("ore", (("blue", "ore"),))) == "BW-J12"


def test_mormont_may_give_back_the_kind_that_he_demands(scene: Scene) -> None:
    scene.lead("red", "mormont").hold("red", ore=1).hold("blue", ore=1).roll("red")
    scene.play("red", Mormont("ore", (("blue", "ore"),)))
    assert scene.hand("red") == scene.hand("blue") == {"ore": 1}


def test_mormont_asks_one_or_two_others(scene: Scene) -> None:
    scene.lead("red", "mormont").hold("red", wool=5).roll("red")
    for asked in [(), ("red",), ("blue", "blue"), ("blue", "yellow", "black"), ("green",)]:
        assert scene.broken("red", Mormont("ore", tuple((seat, "wool") for seat in asked))) == "BW-J1"
    assert scene.broken("red", Mormont("gold", (("blue", "wool"),))) == "BW-J1"
    assert scene.broken("red", Mormont("ore", (("blue", "wool"), ("black", "ore")))) == "BW-J12"


# Marsh


def test_marsh_swaps_one_card_for_one_of_the_supply(scene: Scene) -> None:
    scene.lead("red", "marsh").hold("red", wool=1).roll("red").play("red", Marsh("wool", "ore"))
    assert scene.hand("red") == {"ore": 1}


def test_marsh_swaps_only_what_is_there(scene: Scene) -> None:
    scene.lead("red", "marsh").hold_all("blue", grain=19).hold("red", wool=1).roll("red")
    assert scene.broken("red", Marsh("wool", "wool")) == "BW-J2"
    assert scene.broken("red", Marsh("ore", "wool")) == "BW-J2"
    assert scene.broken("red", Marsh("wool", "grain")) == "BW-J2"
    assert scene.broken("red", Marsh("wool", "gold")) == "BW-J2"


# Tarly


def test_tarly_takes_a_resource_when_a_roll_gave_his_player_nothing(scene: Scene) -> None:
    scene.pass_to("blue").hold("blue").roll("blue", Dice(3, 3, 12))
    assert GAME.to_act(scene.position) == ("blue",)
    scene.play("blue", Tarly("ore"), Flip())
    assert scene.hand("blue") == {"ore": 1}
    scene.pass_to("yellow").roll("yellow", Dice(3, 3, 12))
    scene.play("blue", Tarly("wool"))
    assert scene.broken("blue", Flip()) == "BW-H4"
    scene.play("blue", Swap("thorne"))
    assert GAME.to_act(scene.position) == ("yellow",)


def test_tarly_is_not_asked_before_his_players_first_turn(scene: Scene) -> None:
    scene.roll("red", Dice(3, 3, 12))
    assert scene.position.agenda == ()


def test_tarly_is_not_asked_after_a_harvest_or_a_seven(scene: Scene) -> None:
    scene.pass_to("blue").roll("blue", Dice(4, 5, 12))
    assert scene.position.gains[1]
    assert GAME.to_act(scene.position) == ("blue",)
    assert scene.position.agenda == ()
    scene.pass_to("yellow").roll("yellow", Dice(3, 4, 12))
    assert next(iter(scene.position.agenda)) == "tormund"
    assert "react" not in scene.position.agenda


def test_tarly_may_pass_and_only_his_player_is_asked(scene: Scene) -> None:
    scene.pass_to("blue").hold_all("black", ore=19).roll("blue", Dice(3, 3, 12))
    assert scene.broken("blue", Tarly("ore")) == "BW-J3"
    assert scene.broken("red", Tarly("wool")) == "BW-J3"
    assert scene.broken("red", Pass()) == "BW-J3"
    assert GAME.by_default(scene.position, "blue") == Pass()
    scene.play("blue", Pass())
    assert not scene.watch.company.holdings[1].worn


def test_tarly_on_the_own_roll_is_the_heros_use_of_this_turn(scene: Scene) -> None:
    scene.pass_to("blue").roll("blue", Dice(3, 3, 12)).play("blue", Tarly("ore"), Flip())
    assert scene.watch.company.spent == scene.position.turn


def test_tarly_waits_for_the_wildlings(scene: Scene) -> None:
    scene.pass_to("blue").set_watch(camps=((CLIMBER,), (), ()), frostfangs=(24, 7, 8)).roll("blue", Dice(3, 3, 1))
    assert scene.watch.held == 1
    assert scene.position.agenda == ("react",)


# Yarwyck


def test_yarwyck_moves_a_road_with_a_loose_end(scene: Scene) -> None:
    scene.roll("red").play("red", Yarwyck((17, 23), (12, 17)))
    chart = scene.position.ground.chart
    assert scene.position.roads[0] == 1 << chart.path_of[12, 17] | 1 << chart.path_of[16, 22]
    assert scene.position.stage == "build"


def test_yarwyck_leaves_a_road_that_own_pieces_touch_at_both_ends(scene: Scene) -> None:
    scene.roll("red")
    chart = scene.position.ground.chart
    roads = scene.position.roads[0] | 1 << chart.path_of[23, 29]
    scene.set(roads=(roads, *scene.position.roads[1:]), paved=scene.position.paved | roads)
    scene.set(ends=(scene.position.ends[0] | 1 << 29, *scene.position.ends[1:]))
    assert scene.broken("red", Yarwyck((17, 23), (12, 17))) == "BW-J4"
    assert scene.broken("red", Yarwyck((24, 31), (12, 17))) == "BW-J4", "blue's"
    assert scene.broken("red", Yarwyck((12, 17), (11, 17))) == "BW-J4", "no road"
    assert scene.broken("red", Yarwyck((23, 29), (23, 29))) == "BW-J14"
    assert scene.broken("red", Yarwyck((23, 29), (29, 36))) == "BB-B4", "only the lifted road led there"
    scene.play("red", Yarwyck((23, 29), (23, 30)))


def test_yarwyck_can_shorten_the_longest_road(scene: Scene) -> None:
    scene.roll("red")
    chart = scene.position.ground.chart
    line = [(23, 29), (29, 36), (36, 43), (43, 50)]
    roads = 1 << chart.path_of[17, 23] | 1 << chart.path_of[16, 22] | sum(1 << chart.path_of[path] for path in line)
    ends = sum(1 << spot for spot in (16, 22, 17, 23, 29, 36, 43, 50))
    position = scene.position
    buildings = (position.settlements[0], position.settlements[1], position.settlements[2], 1 << 38)
    scene.set(
        settlements=buildings,
        roads=(roads, *position.roads[1:]),
        ends=(ends, *position.ends[1:]),
        paved=position.paved | roads,
        lengths=(5, 1, 1, 1),
        longest=0,
    )
    scene.play("red", Yarwyck((43, 50), (10, 16)))
    assert (scene.position.lengths[0], scene.position.longest) == (4, -1)


# Thorne


def test_thorne_pays_a_guard_with_another_resource(scene: Scene) -> None:
    scene.lead("red", "thorne").hold("red", ore=1, wool=1, lumber=1).roll("red")
    scene.play("red", Thorne(2, "brick", "ore"))
    assert scene.hand("red") == {}
    assert scene.watch.sections[1] == (1, 0)
    assert scene.position.stage == "build"


def test_thornes_replacement_may_double_a_kind(scene: Scene) -> None:
    scene.lead("red", "thorne").hold("red", wool=2, lumber=1).roll("red").play("red", Thorne(1, "brick", "wool"))
    assert scene.hand("red") == {}


def test_thorne_replaces_one_of_the_three_by_another(scene: Scene) -> None:
    scene.lead("red", "thorne").hold("red", brick=1, wool=1, lumber=1, ore=1).roll("red")
    assert scene.broken("red", Thorne(2, "grain", "ore")) == "BW-J5"
    assert scene.broken("red", Thorne(2, "brick", "brick")) == "BW-J5"
    assert scene.broken("red", Thorne(5, "brick", "ore")) == "BW-G1"
    assert scene.broken("red", Thorne(2, "brick", "grain")) == "BW-G4"


# Melisandre


def test_melisandre_keeps_one_of_three_cards(scene: Scene) -> None:
    scene.lead("red", "melisandre").hold("red", wool=1, grain=1, ore=1).roll("red").play("red", Melisandre())
    assert GAME.to_act(scene.position) == (CHANCE,)
    vision = Look(("ranger", "winter", "point"))
    scene.play(CHANCE, vision)
    assert scene.broken("red", Choose("roads")) == "BW-J6"
    assert scene.broken("red", Choose(None)) == "BB-O7"
    assert {move.card for move in scene.legal("red", Choose)} == {"ranger", "winter", "point"}
    scene.play("red", Choose("winter"), Flip())
    assert scene.developments("red", "winter") == 1
    assert scene.position.bought == scene.position.cards[0]
    assert scene.hand("red") == {}


def test_only_melisandres_player_sees_the_cards(scene: Scene) -> None:
    scene.lead("red", "melisandre").hold("red", wool=1, grain=1, ore=1).roll("red").play("red", Melisandre())
    vision = Look(("ranger", "winter", "point"))
    for viewer in ("blue", PUBLIC):
        assert GAME.told(scene.position, Ply(CHANCE, vision), viewer) == Look(None)
    assert GAME.told(scene.position, Ply(CHANCE, vision), "red") == vision
    scene.play(CHANCE, vision)
    heroes = {seat: GAME.view(scene.position, seat)["watch"]["heroes"] for seat in ("red", "blue", PUBLIC)}
    assert heroes["red"]["cards"] == {"ranger": 1, "winter": 1, "point": 1}
    assert "cards" not in heroes["blue"]
    assert "cards" not in heroes[PUBLIC]
    assert GAME.told(scene.position, Ply("red", Choose("point")), "blue") == Choose(None)
    assert GAME.told(scene.position, Ply("red", Choose("point")), "red") == Choose("point")


def test_melisandre_may_replace_a_resource_of_the_price(scene: Scene) -> None:
    scene.lead("red", "melisandre").hold("red", wool=2, ore=1).roll("red")
    assert scene.broken("red", Melisandre()) == "BB-B1"
    assert scene.broken("red", Melisandre("lumber", "wool")) == "BW-J6"
    assert scene.broken("red", Melisandre("wool", None)) == "BW-J6"
    scene.play("red", Melisandre("grain", "wool"))
    assert scene.hand("red") == {}


def test_melisandre_looks_at_what_is_left(scene: Scene) -> None:
    scene.lead("red", "melisandre").hold("red", wool=1, grain=1, ore=1).roll("red")
    scene.set(deck=0)
    assert scene.broken("red", Melisandre()) == "BB-C1"
    assert scene.legal("red", Melisandre) == []
    scene.set(deck=2).play("red", Melisandre())
    for wrong in [("ranger",), ("ranger", "point"), ("ranger",) * 3, ("knight", "ranger")]:
        assert scene.broken(CHANCE, Look(wrong)) == "BW-J6"
    assert scene.broken(CHANCE, Look(None)) == "BB-O7"
    scene.play(CHANCE, Look(("ranger", "ranger"))).play("red", Choose("ranger"))
    assert scene.position.deck == 1


# Mance


def rich_blue(scene: Scene) -> Scene:
    """Blue has a keep, and so more points than red."""
    _, settlements, *others = scene.position.settlements
    moved = (scene.position.settlements[0], settlements & ~(1 << 24), *others)
    return scene.set(settlements=moved, keeps=(0, 1 << 24, 0, 0))


def test_mance_takes_a_card_of_the_hand_he_sees(scene: Scene) -> None:
    rich_blue(scene).lead("red", "mance").hold("red").hold("blue", ore=1, wool=2).roll("red").play("red", Mance("blue"))
    assert GAME.view(scene.position, "red")["watch"]["heroes"]["hand"] == {"wool": 2, "ore": 1}
    for viewer in ("yellow", PUBLIC):
        assert "hand" not in GAME.view(scene.position, viewer)["watch"]["heroes"]
        assert GAME.told(scene.position, Ply("red", Take("ore")), viewer) == Take(None)
    for viewer in ("red", "blue"):
        assert GAME.told(scene.position, Ply("red", Take("ore")), viewer) == Take("ore")
    assert scene.broken("red", Take("brick")) == "BW-J7"
    assert scene.broken("red", Take(None)) == "BB-O7"
    scene.play("red", Take("ore"), Flip())
    assert (scene.hand("red"), scene.hand("blue")) == ({"ore": 1}, {"wool": 2})
    assert "hand" not in GAME.view(scene.position, "red")["watch"]["heroes"]


def test_mance_goes_only_to_the_richer_who_have_cards(scene: Scene) -> None:
    rich_blue(scene).lead("red", "mance").hold("blue")
    assert scene.broken("red", Mance("blue")) == "BW-H10", "before the roll"
    scene.roll("red")
    assert scene.broken("red", Mance("blue")) == "BW-J17"
    assert scene.broken("red", Mance("yellow")) == "BW-J7"
    assert scene.broken("red", Mance("red")) == "BW-J7"
    assert scene.broken("red", Mance("green")) == "BW-J7"
    assert scene.legal("red", Mance) == []


def test_mance_does_not_count_hidden_points(scene: Scene) -> None:
    rich_blue(scene).lead("red", "mance").own("red", "point").hold("blue", ore=1).roll("red").play("red", Mance("blue"))


# Benjen


def test_benjen_sends_a_wildling_home_and_the_pool_sends_another(scene: Scene) -> None:
    scene.lead("red", "benjen").set_watch(camps=((), (), (GIANT, REGULAR, CLIMBER)), frostfangs=(23, 7, 7))
    scene.play("red", Benjen("hornfoot", 2))
    assert GAME.to_act(scene.position) == (CHANCE,)
    scene.play(CHANCE, Token("ice-river", "regular")).play("red", Flip())
    assert scene.watch.camps == ((REGULAR,), (), (GIANT, CLIMBER))


def test_benjen_empties_a_clearing(scene: Scene) -> None:
    scene.lead("red", "benjen").set_watch(clearings=(0, 1, 0, 0), frostfangs=(23, 8, 8)).play("red", Benjen(None, 2))
    assert scene.watch.clearings == (0, 0, 0, 0)
    assert scene.watch.frostfangs == (24, 8, 8)


def test_benjens_token_can_set_off_a_rush(scene: Scene) -> None:
    scene.lead("red", "benjen").set_watch(camps=((REGULAR,) * 4, (), ()), clearings=(0, 0, 1, 0), frostfangs=(19, 8, 8))
    scene.play("red", Benjen(None, 3)).play(CHANCE, Token("ice-river", "regular"))
    assert scene.watch.clearings == (1, 1, 0, 0)


def test_benjen_needs_a_wildling(scene: Scene) -> None:
    scene.lead("red", "benjen").set_watch(camps=((), (), (GIANT, REGULAR)), frostfangs=(23, 8, 7))
    for clan, place in [("hornfoot", 3), ("ice-river", 1), (None, 1), (None, 5), ("hornfoot", 0)]:
        assert scene.broken("red", Benjen(clan, place)) == "BW-J8"


# Ygritte


def test_ygritte_clears_a_hex_for_nothing(scene: Scene) -> None:
    scene.lead("red", "ygritte").hold("red").set_watch(gift=(0, 0b100, 0), frostfangs=(24, 7, 8))
    assert scene.broken("red", Ygritte("A")) == "BW-J9"
    assert scene.broken("red", Ygritte("Z")) == "BW-J9"
    scene.play("red", Ygritte("C"))
    assert (scene.watch.held, scene.watch.frostfangs, scene.hand("red")) == (0, (24, 8, 8), {})


# Yoren


def test_yoren_gives_a_patrol_for_a_guard(scene: Scene) -> None:
    scene.lead("red", "yoren").set(patrols=(1, 0, 0, 0)).roll("red")
    assert scene.broken("red", Yoren(6)) == "BW-G1"
    scene.play("red", Yoren(3))
    assert scene.watch.sections[2] == (2, 0)
    assert scene.position.patrols == (0, 0, 0, 0)
    assert scene.position.stage == "build"


def test_yoren_needs_a_patrol(scene: Scene) -> None:
    scene.lead("red", "yoren").roll("red")
    assert scene.broken("red", Yoren(3)) == "BW-J10"


def test_yoren_can_cost_the_largest_patrol(scene: Scene) -> None:
    scene.lead("red", "yoren").set(patrols=(3, 0, 0, 0), largest=0).roll("red").play("red", Yoren(3))
    assert scene.position.largest == -1


def test_yoren_can_hand_the_largest_patrol_to_another_whose_token_comes_first(scene: Scene) -> None:
    scene.lead("red", "yoren").set(patrols=(4, 3, 0, 0), largest=0).roll("red").play("red", Yoren(3))
    assert scene.position.largest == 0, "still among the largest"
    scene.play("red", Flip()).pass_to("blue").pass_to("red").roll_quietly("red").play("red", Yoren(3))
    assert scene.position.largest == 1
    assert GAME.to_act(scene.position) == (CHANCE,)
    scene.play(CHANCE, Token("hornfoot", "giant")).play("red", Swap("benjen"))


# Qhorin


def test_qhorin_sends_tormund_home_and_his_hex_pays(scene: Scene) -> None:
    scene.lead("red", "qhorin").hold("red")
    assert scene.broken("red", Qhorin()) == "BW-J11"
    scene.set(tormund=2).set_watch(gift=(0b100, 0, 0)).play("red", Qhorin())
    assert scene.position.tormund == -1
    assert scene.hand("red") == {"brick": 1}, "though a wildling holds the hex too"


def test_qhorin_gets_nothing_from_an_empty_supply(scene: Scene) -> None:
    scene.lead("red", "qhorin").hold_all("blue", brick=19).set(tormund=2).play("red", Qhorin())
    assert scene.hand("red") == {}
