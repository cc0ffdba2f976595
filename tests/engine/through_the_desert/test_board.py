"""The standard board has the shape that the rules state, in the oracle's map and in the engine's."""

from itertools import combinations
from typing import Any

import pytest

from engine.through_the_desert.board import BOARDS, COLOURS
from tests.oracle.desert import desert_map

BOARD = BOARDS["standard"]

# The board drawn with its stagger: a second source for what stands where, and for who is next to whom.
DRAWING = """
 1   #   .   .   .   .   #   .   .   o   #   #
       #   o   .   .   #   #   .   .   #   -   #
 2   #   .   .   .   .   .   .   o   .   -   *
       .   .   .   o   .   o   .   .   .   -   #
 3   .   .   .   .   .   .   .   .   P   *   -
       .   P   o   .   P   .   .   .   .   -   -
 4   .   .   .   .   .   .   .   .   .   -   -
       o   .   .   o   .   o   .   .   .   -   -
 5   .   o   .   .   o   .   .   .   .   -   -
       .   .   o   .   .   .   o   o   .   *   -
 6   o   .   o   .   .   .   .   .   .   -   -
       .   .   .   .   .   o   .   .   o   -   *
 7   .   .   .   #   .   .   P   o   o   -   -
       .   .   #   .   .   .   .   .   .   -   -
 8   .   .   .   #   #   .   .   .   .   *   *
       P   .   #   #   #   .   .   .   .   -   -
 9   .   .   .   o   .   .   .   o   .   -   -
       .   o   .   .   o   o   .   .   -   Q   -
10   #   .   o   .   .   .   o   .   -   -   -
       o   .   .   .   .   .   .   .   *   -   -
11   #   .   .   .   .   .   .   -   -   -   *
       .   .   .   P   o   .   .   -   -   -   -
12   #   #   o   o   .   o   -   *   -   *   -
       #   .   .   .   .   .   -   *   -   -   #
13   #   #   #   .   .   #   #   -   -   -   #
       #   #   .   .   .   #   #   -   -   #   #
"""

CORE_PALMS = "B8 D3 H11 J3 M7 Q3"
CORE_DOTS = "A6 B4 B10 C5 D1 D9 E6 E10 E12 F3 F5 G9 G12 H2 H4 I5 J9 J11 K12 L2 L4 L6 L9 M10 N5 O2 O7 O9 P5 Q1 Q7 R6"
EAST_DOTS = "O12 P12 R10 S3 S8 S12 T5 U2 U8 U11 V6"
MIDDLE_MOUNTAINS = "F7 F8 G7 G8 H8 I8 J8"
CORE_COLUMNS = [7, 10, 11, 12, 12, 11, 11, 12, 12, 11, 11, 11, 11, 11, 10, 10, 9, 7]
ALL_COLUMNS = [7, 10, 11, 12, 12, 11, 11, 12, 12, 11, 11, 11, 12, 12, 13, 13, 13, 12, 12, 12, 11, 9]

PLAYERS = [2, 3, 4, 5]


def drawn() -> Any:
    """The signs of the drawing by (column, height); a column stands two heights a row, odd columns one lower."""
    return {
        ((place - 5) // 2, height): sign
        for height, line in enumerate(DRAWING.strip("\n").splitlines())
        for place, sign in enumerate(line)
        if place >= 5 and sign != " "
    }


def named(column: Any, height: Any) -> Any:
    return f"{desert_map.LETTERS[column]}{height // 2 + 1}"


def names(bits: Any) -> Any:
    """The engine's spaces by name."""
    hexes = [(x, y) for x in range(len(BOARD.lines[0])) for y in range(len(BOARD.lines))]
    return {desert_map.name_of(x, y) for x, y in hexes if bits & BOARD.grid.bit(x, y)}


def column_sizes(spaces: Any) -> Any:
    sizes = [sum(space[0] == letter for space in spaces) for letter in desert_map.LETTERS]
    return [size for size in sizes if size]


def leader_spaces(players: Any, oases: Any) -> Any:
    """Where the first leader may stand: no oasis, none beside one, no waterhole."""
    spaces = desert_map.in_play(players)
    beside = {near for oasis in oases for near in desert_map.around(oasis)}
    return spaces - desert_map.dots(players) - desert_map.palms(players) - beside


def test_the_map_and_the_staggered_drawing_show_the_same_board() -> None:
    assert {named(*place): sign for place, sign in drawn().items()} == desert_map.SIGN


def test_hexes_that_touch_in_the_drawing_are_neighbours() -> None:
    signs = drawn()
    steps = [(0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1)]
    for x, h in signs:
        touching = {named(x + dx, h + dh) for dx, dh in steps if (x + dx, h + dh) in signs}
        assert touching == set(desert_map.around(named(x, h)))


def test_palms_dots_and_middle_mountains_stand_where_the_lists_say() -> None:
    assert desert_map.marked("P") == set(CORE_PALMS.split())
    assert desert_map.marked("Q") == {"T9"}
    assert desert_map.marked("o") == set(CORE_DOTS.split())
    assert desert_map.marked("*") == set(EAST_DOTS.split())
    mountains = desert_map.marked(desert_map.MOUNTAIN)
    inner = [
        piece
        for piece in desert_map.components(mountains, desert_map.neighbourhood(mountains))
        if all(len(desert_map.around(space)) == 6 for space in piece)
    ]
    assert inner == [set(MIDDLE_MOUNTAINS.split())]


def test_the_notch_between_the_mountains_has_two_neighbours() -> None:
    assert set(desert_map.around("H7")) & desert_map.in_play(2) == {"H6", "I7"}


def test_there_are_250_spaces_and_189_in_the_core() -> None:
    assert column_sizes(desert_map.in_play(2)) == CORE_COLUMNS
    assert column_sizes(desert_map.in_play(5)) == ALL_COLUMNS
    assert (sum(CORE_COLUMNS), sum(ALL_COLUMNS)) == (189, 250)


def test_the_line_runs_right_of_column_r_and_down_the_stairs() -> None:
    core, everything = desert_map.in_play(3), desert_map.in_play(4)
    east = everything - core
    assert {space for space in everything if space[0] in "STUV"} <= east
    stairs = {letter: {space for space in east if space[0] == letter} for letter in "LMNOPQR"}
    tops = [min((int(space[1:]) for space in stairs[letter]), default=None) for letter in stairs]
    assert tops == [None, 12, 12, 11, 11, 10, 9]


@pytest.mark.parametrize(("players", "palms", "dots", "tokens"), [(2, 6, 32, 33), (3, 6, 32, 33)])
def test_two_or_three_players_lay_out_33_tokens(players: int, palms: int, dots: int, tokens: int) -> None:
    assert (len(desert_map.palms(players)), len(desert_map.dots(players))) == (palms, dots)
    assert palms - 5 + dots == tokens


@pytest.mark.parametrize(("players", "palms", "dots", "tokens"), [(4, 7, 43, 45), (5, 7, 43, 45)])
def test_four_or_five_players_lay_out_all_45_tokens(players: int, palms: int, dots: int, tokens: int) -> None:
    assert (len(desert_map.palms(players)), len(desert_map.dots(players))) == (palms, dots)
    assert palms - 5 + dots == tokens


@pytest.mark.parametrize("players", PLAYERS)
def test_every_palm_space_has_six_neighbours(players: Any) -> None:
    spaces = desert_map.in_play(players)
    for palm in desert_map.palms(players):
        assert len(set(desert_map.around(palm)) & spaces) == 6


@pytest.mark.parametrize("players", PLAYERS)
def test_the_board_is_connected(players: Any) -> None:
    spaces = desert_map.in_play(players)
    assert len(desert_map.components(spaces, desert_map.neighbourhood(spaces))) == 1


@pytest.mark.parametrize(("players", "fewest", "leaders"), [(2, 122, 10), (3, 122, 15), (4, 170, 20), (5, 170, 20)])
def test_leaders_always_fit_however_badly_they_are_placed(players: int, fewest: int, leaders: int) -> None:
    palms = desert_map.palms(players)
    counts = [len(leader_spaces(players, oases)) for oases in combinations(sorted(palms), 5)]
    assert min(counts) == fewest
    assert (leaders - 1) * 7 < fewest


def test_the_engine_draws_the_same_map() -> None:
    assert BOARD.name == "standard"
    assert list(BOARD.lines) == desert_map.ROWS
    assert COLOURS == ("lilac", "mint", "lemon", "green", "salmon")


@pytest.mark.parametrize("players", PLAYERS)
def test_the_engine_counts_the_same_spaces_palms_and_dots(players: Any) -> None:
    assert names(BOARD.spaces(players)) == desert_map.in_play(players)
    assert names(BOARD.palms(players)) == desert_map.palms(players)
    assert names(BOARD.dots(players)) == desert_map.dots(players)
