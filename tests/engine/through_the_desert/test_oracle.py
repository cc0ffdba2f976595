"""The engine and a slow, literal oracle of the rules agree, ply by ply, on random games of every temper.

``CARAVAN_GAMES`` says how many games are played in all (200 unless set); every game follows from its number.
"""

import os
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.game import Ply
from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from tests.oracle.desert import desert_duel, desert_map
from tests.oracle.desert import desert_oracle as oracle
from tests.oracle.desert import desert_playouts as playouts
from tests.oracle.desert.desert_table import caravan

GAMES = int(os.environ.get("CARAVAN_GAMES", "200"))
PLAYERS = (2, 3, 4, 5)
CHUNKS = 2

REACHED = {
    playouts.roam: {"area", "herd emptied by a first camel", "herd emptied by a second camel"},
    playouts.hurry: {"tie for longest", "TD-C6"},
    playouts.linger: {"area", "herd emptied by a second camel"},
    playouts.block: {"TD-C3", "tie for longest"},
    playouts.enclose: {"area", "TD-C5"},
    playouts.hoard: {"area", "tie for longest"},
    playouts.pincer: {"two areas at one stroke"},
    playouts.crowd: {"pass", "turn cut short", "area"},
    playouts.besiege: {"ended because nobody can place", "pass", "turn cut short"},
}
"""What each temper is there for: its games must really get there."""

REFUSALS = {
    *("TD-P1", "TD-P2", "TD-L1", "TD-L2", "TD-L3", "TD-L4", "TD-L5", "TD-T1", "TD-T2", "TD-T3"),
    *("TD-C1", "TD-C2", "TD-S1"),
}
"""What strange plies draw in any dozen games; the rarer codes stand above."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("temper", playouts.TEMPERS, ids=lambda temper: temper.__name__)
def test_engine_and_oracle_agree_on_every_ply(temper: Any, chunk: Any) -> None:
    reached: Counter[str] = Counter()
    games = -(-GAMES // (len(playouts.TEMPERS) * CHUNKS))
    for number in range(max(games, len(PLAYERS))):
        random = Random(f"{temper.__name__} {chunk} {number}")
        reached += desert_duel.play(random, PLAYERS[number % len(PLAYERS)], temper)
    assert REACHED[temper] | REFUSALS <= reached.keys()


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_is_lost_or_made_in_an_oracle_game(players: Any) -> None:
    random = Random(f"conservation {players}")
    table = oracle.start(*playouts.deal(random, players))
    water, camels = sum(table.water.values()), sum(table.herds.values())
    while not table.over:
        table = oracle.apply(table, playouts.choose(random, table, oracle.legal(table), playouts.enclose))
        assert sum(table.water.values()) + sum(table.drunk.values()) == water
        assert sum(table.herds.values()) + len(table.camels) - len(table.leaders) == camels
        inside = [space for _, _, spaces, _ in table.areas for space in spaces]
        assert len(inside) == len(set(inside))
        assert not set(inside) & (table.camels.keys() | table.water.keys())
        for seat, colour in table.leaders:
            spaces = caravan(table, seat, colour)
            assert len(desert_map.components(spaces, table.beside)) == 1
    assert table.areas


@pytest.mark.parametrize("players", PLAYERS)
def test_the_oracle_lists_exactly_the_camels_that_break_no_rule(players: Any) -> None:
    random = Random(f"every space {players}")
    table = oracle.start(*playouts.deal(random, players))
    while not table.over:
        plies = oracle.legal(table)
        if oracle.phase(table) == "camels" and table.turn % 5 == 0:
            seat = table.seats[table.mover]
            every: list[tuple[str, Camel | Pass]] = [
                (seat, Camel(colour, space)) for colour in oracle.COLOURS for space in desert_map.SIGN
            ]
            fine = {ply for ply in every if oracle.first_broken(table, ply) is None}
            assert plies == (fine or {(seat, Pass())})
        table = oracle.apply(table, playouts.choose(random, table, plies, playouts.crowd))


def changed(options: Any, **headers: Any) -> Any:
    """A set-up with other headers; None takes one out."""
    return {name: value for name, value in {**options, **headers}.items() if value is not None}


SEAT_FAULTS = [
    (),
    ("red",),
    ("red", "red"),
    ("red", "pink"),
    ("Red", "blue"),
    ("red", "*"),
    ("red", "blue", "green", "orange", "cerise", "red"),
]

HERDS = ["0", "-22", "22", "26", "29", "30", "34", "22.0", " 22", "022", "many", "\uff12\uff12"]

OASIS_FAULTS = [None, "", "B8 D3 H11 J3", "B8 D3 H11 J3 J3", "B8 D3 H11 J3 M7 Q3", "B8 D3 H11 J3 T9", "B8 D3 H11 J3 A6"]
OASIS_FAULTS += ["b8 D3 H11 J3 M7", "B8,D3,H11,J3,M7", "B8 D3 H11 J3 B08", "B8 D3 H11 J3 W99"]

WATER_CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "a value of four": lambda holes: ["A6=4", *holes[1:]],
    "a value of nought": lambda holes: ["A6=0", *holes[1:]],
    "no value": lambda holes: ["A6", *holes[1:]],
    "an empty value": lambda holes: ["A6=", *holes[1:]],
    "two values": lambda holes: ["A6=1=2", *holes[1:]],
    "a value in words": lambda holes: ["A6=one", *holes[1:]],
    "a value in foreign digits": lambda holes: ["A6=\uff11", *holes[1:]],
    "a space too few": lambda holes: holes[1:],
    "a space too many": lambda holes: ["A5=1", *holes],
    "a space twice": lambda holes: [*holes, holes[0]],
    "a plain space": lambda holes: ["A5=1", *holes[1:]],
    "an unknown space": lambda holes: ["W99=1", *holes[1:]],
    "sixteen of one value": lambda holes: [
        f"{hole.split('=')[0]}={1 if number < 16 else 2 + number % 2}" for number, hole in enumerate(holes)
    ],
    "nothing": lambda holes: [],
}


@pytest.mark.parametrize("seats", SEAT_FAULTS)
def test_both_refuse_seats_that_do_not_make_a_table(seats: Any) -> None:
    _, options = playouts.deal(Random(1), 2)
    assert desert_duel.both_refuse(seats, options) == "TD-P1"


def test_both_refuse_an_unknown_board() -> None:
    seats, options = playouts.deal(Random(2), 2)
    assert desert_duel.both_refuse(seats, changed(options, Board="moon")) == "TD-P6"
    assert desert_duel.both_refuse(seats, changed(options, Board="standard")) is None


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("herds", HERDS)
def test_both_take_the_same_herds(players: Any, herds: Any) -> None:
    seats, options = playouts.deal(Random(3), players)
    allowed = {2: ["22"], 3: ["26"], 4: ["30"], 5: ["29", "30"]}[players]
    code = desert_duel.both_refuse(seats, changed(options, Herds=herds))
    assert code == (None if herds in allowed else "TD-P3")


@pytest.mark.parametrize("oases", OASIS_FAULTS)
def test_both_refuse_oases_that_are_not_five_palm_spaces_in_play(oases: Any) -> None:
    seats, options = playouts.deal(Random(4), 3)
    assert desert_duel.both_refuse(seats, changed(options, Oases=oases)) == "TD-P4"


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("change", WATER_CHANGES)
def test_both_refuse_water_that_is_not_laid_by_the_rules(players: int, change: Any) -> None:
    seats, options = playouts.deal(Random(5), players)
    water = " ".join(WATER_CHANGES[change](options["Water"].split()))
    assert desert_duel.both_refuse(seats, changed(options, Water=water)) == "TD-P5"


def test_both_refuse_missing_water() -> None:
    seats, options = playouts.deal(Random(6), 4)
    assert desert_duel.both_refuse(seats, changed(options, Water=None)) == "TD-P5"


def test_both_keep_the_fifth_player_out_of_the_dead_end() -> None:
    _, options = playouts.deal(Random(7), 5)
    seats = ("red", "blue", "green", "orange", "cerise")
    removed = zip(seats, ("lilac", "mint", "lemon", "green", "salmon"), strict=True)
    plies: list[tuple[str, Remove | Leader]] = [(seat, Remove(colour)) for seat, colour in removed]
    for seat, colour in (("red", "mint"), ("blue", "lilac"), ("green", "green")):
        table, _ = desert_duel.follow(seats, options, plies)
        spaces = {move.space for _, move in oracle.legal(table) if move.colour == colour}
        plies.append((seat, Leader(colour, desert_map.sort_spaces(spaces)[0])))
    table, position = desert_duel.follow(seats, options, plies)
    assert {move.colour for _, move in oracle.legal(table)} == {"salmon"}
    space = next(move.space for _, move in oracle.legal(table))
    stranding = ("orange", Leader("lemon", space))
    assert oracle.first_broken(table, stranding) == "TD-L5"
    verdict = GAME.judge(position, Ply(*stranding))
    assert verdict is not None
    assert verdict.rule.code == "TD-L5"
