"""The set-up of the base game: what the Dealer lays, who begins where, and what a table can agree on."""

import pytest

from engine import CHANCE, PUBLIC, KeyedDealer, Setup, Verdict
from engine.brotherhood.base_game import GAME
from engine.brotherhood.board import read_land
from engine.brotherhood.position import Position

BEGINNERS = {
    "red": ({12, 37}, {"ore", "lumber", "brick"}),
    "blue": ({13, 32}, {"brick", "ore", "lumber"}),
    "yellow": ({23, 28}, {"grain", "brick", "wool"}),
    "black": ({11, 24}, {"lumber", "ore", "grain"}),
}
"""Each colour's settlements at the beginner start, and its first cards."""


def start(*seats: str, key: bytes = b"1", **options: str) -> Position:
    position = GAME.start(GAME.lay_out(Setup(seats, tuple(options.items())), KeyedDealer(key)))
    assert not isinstance(position, Verdict), str(position)
    return position


def test_at_the_beginner_start_everybody_has_the_places_and_cards_of_the_colour() -> None:
    position = start(*GAME.seats)
    for seat, (settlements, cards) in BEGINNERS.items():
        view = GAME.view(position, seat)
        assert set(view["settlements"][seat]) == settlements
        assert view["hands"][seat]["cards"] == dict.fromkeys(cards, 1)


@pytest.mark.parametrize("absent", ["red", "blue", "yellow", "black"])
def test_of_three_beginners_red_takes_the_places_of_the_colour_that_is_missing(absent: str) -> None:
    seats = tuple(seat for seat in GAME.seats if seat != absent)
    view = GAME.view(start(*seats), PUBLIC)
    for seat in seats:
        colour = absent if seat == "red" else seat
        assert set(view["settlements"][seat]) == BEGINNERS[colour][0]


def test_tormund_begins_on_the_ice_field() -> None:
    for key in range(5):
        view = GAME.view(start(*GAME.seats, key=bytes([key]), Board="variable"), PUBLIC)
        assert {hex_["hex"]: hex_["land"] for hex_ in view["hexes"]}[view["tormund"]] == "ice"


def test_variable_boards_differ_and_all_of_them_can_be_played_on() -> None:
    laid = {start(*GAME.seats, key=bytes([key]), Board="variable").ground.land for key in range(40)}
    assert len(laid) == 40
    ices = {[kind for kind, _ in read_land(land) or ()].index("ice") for land in laid}
    assert len(ices) > 5


def test_on_a_variable_board_everybody_places_freely_there_and_back() -> None:
    position = start("red", "blue", "yellow", Board="variable", First="blue")
    order = []
    while position.stage in ("settle", "pave"):
        order.append(GAME.to_act(position)[0])
        position = GAME.apply(position, next(GAME.legal(position)))
    placements = ["blue", "yellow", "red", "red", "yellow", "blue"]
    assert order == [seat for seat in placements for _ in range(2)]
    assert (GAME.turn(position), GAME.to_act(position)) == (7, ("blue",))


@pytest.mark.parametrize("first", GAME.seats)
def test_turns_go_round_from_the_first_player(first: str) -> None:
    position = start(*GAME.seats, First=first)
    assert GAME.to_act(position) == (first,)
    assert GAME.view(position, PUBLIC)["first"] == first


def test_the_dealer_lays_any_first_player() -> None:
    setups = [GAME.lay_out(Setup(GAME.seats), KeyedDealer(bytes([key]))) for key in range(40)]
    assert {setup.option("First") for setup in setups} == {*GAME.seats}
    assert CHANCE not in GAME.seats
