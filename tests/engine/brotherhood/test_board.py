"""The map: how many of everything, and how things lie to each other."""

from collections import Counter

import pytest

from engine.brotherhood.board import (
    BASE,
    GIFT,
    GIFT_OF_THREE,
    BoardLayout,
    Chart,
    ends_of,
    paths_touching,
    read_land,
)

every_layout = pytest.mark.parametrize("layout", [BASE, GIFT, GIFT_OF_THREE], ids=["base", "gift", "gift-of-three"])


def borders(board: Chart) -> list[int]:
    """The paths that have a hex on one side only."""
    return [
        path for path, ends in enumerate(board.ends) if sum(ends & corners == ends for corners in board.corners) == 1
    ]


@pytest.mark.parametrize(
    ("layout", "counts", "touching"),
    [
        (BASE, (21, 60, 80, 34), {3: 26, 2: 14, 1: 20}),
        (GIFT, (21, 60, 80, 34), {3: 26, 2: 14, 1: 20}),
        (GIFT_OF_THREE, (16, 47, 62, 28), {3: 19, 2: 11, 1: 17}),
    ],
    ids=["base", "gift", "gift-of-three"],
)
def test_the_map_has_as_many_of_everything_as_the_digest_says(
    layout: BoardLayout, counts: tuple[int, ...], touching: dict[int, int]
) -> None:
    board = layout.chart
    assert (len(board.hexes), len(board.points), len(board.paths), len(borders(board))) == counts
    assert Counter(len(hexes) for hexes in board.hexes_at[1:]) == touching
    assert board.letters[-1] == ("U" if len(board.hexes) == 21 else "P")


@every_layout
def test_every_row_starts_half_a_hex_further_west_than_the_one_above(layout: BoardLayout) -> None:
    board = layout.chart
    place = {hex_: index for index, hex_ in enumerate(board.hexes)}
    for (row, index), own in place.items():
        around = [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1)]
        expected = {place[row + r, index + i] for r, i in around if (row + r, index + i) in place}
        assert set(board.neighbours(own)) == expected


@every_layout
def test_intersections_are_numbered_in_reading_order_and_paths_join_neighbours(layout: BoardLayout) -> None:
    board = layout.chart
    assert list(board.points) == sorted(board.points, key=lambda point: (point[1], point[0]))
    assert all(one < two for one, two in board.paths)
    for path, (one, two) in enumerate(board.paths):
        assert board.near[one] >> two & 1
        assert board.near[two] >> one & 1
        assert board.ends[path] == 1 << one | 1 << two
        assert paths_touching(board, 1 << one) >> path & 1
        assert ends_of(board, 1 << path) == board.ends[path]
    assert board.spots.bit_count() == len(board.points)


@every_layout
def test_no_six_or_eight_touches_another(layout: BoardLayout) -> None:
    hot = [index for index, number in enumerate(layout.numbers) if number in ("6", "8")]
    assert not any(other in layout.chart.neighbours(each) for each in hot for other in hot)


def test_the_beginner_board_uses_the_box_with_one_ice_field() -> None:
    land = read_land(BASE.land)
    assert land is not None
    kinds = Counter(kind for kind, _ in land)
    assert kinds == {"fields": 4, "hills": 4, "forest": 4, "pasture": 4, "mountains": 4, "ice": 1}
    numbers = Counter(number for _, number in land if number)
    pairs, triples = dict.fromkeys(("5", "6", "8", "9", "11"), 2), dict.fromkeys(("3", "4", "10"), 3)
    assert numbers == {"2/12": 1, **pairs, **triples}


def test_the_gift_uses_the_whole_box_and_with_three_two_of_each_number() -> None:
    land = read_land(GIFT.land)
    assert land is not None
    assert Counter(kind for kind, _ in land) == {"fields": 4, "hills": 4, "forest": 4, "pasture": 4, "mountains": 5}
    assert Counter(GIFT_OF_THREE.numbers) == dict.fromkeys(("3", "4", "5", "6", "8", "9", "10", "11"), 2)


@every_layout
def test_trade_routes_reach_two_intersections_of_the_rim_each_and_never_share_one(layout: BoardLayout) -> None:
    board = layout.chart
    routes = (*layout.markers, *layout.open_routes)
    rim = 0
    for path in borders(board):
        rim |= board.ends[path]
    assert len(layout.markers) == 5
    assert all(route.bit_count() == 2 and route & rim == route and route in board.ends for route in routes)
    assert sum(routes).bit_count() == 2 * len(routes)


def test_only_the_base_game_has_open_routes() -> None:
    assert (len(BASE.open_routes), len(GIFT.open_routes), len(GIFT_OF_THREE.open_routes)) == (4, 0, 0)


def test_land_that_is_none_cannot_be_read() -> None:
    assert read_land("forest5 swamp6") is None
    assert read_land("forest5 ice") == (("forest", "5"), ("ice", ""))
