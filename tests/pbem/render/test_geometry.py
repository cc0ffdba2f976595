"""Hexes on paper lie and touch as they do on the grid."""

import re

from engine.hexes import HexGrid
from pbem.render.geometry import ACROSS, DOWN, RISE, Layout, neighbours, read_space

PAPER = Layout(left=100, top=200)


def ends(path: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    lines = [tuple(map(int, line)) for line in re.findall(r"M(-?\d+) (-?\d+)l(-?\d+) (-?\d+)", path)]
    return [((x, y), (x + across, y + down)) for x, y, across, down in lines]


def test_the_upper_left_hex_lies_where_the_layout_begins() -> None:
    assert PAPER.centre("A1") == (100, 200)


def test_every_other_column_stands_half_a_hex_lower() -> None:
    assert PAPER.centre("B1") == (100 + ACROSS, 200 + RISE)
    assert PAPER.centre("C2") == (100 + 2 * ACROSS, 200 + DOWN)


def test_neighbours_on_paper_are_neighbours_on_the_grid() -> None:
    grid = HexGrid(columns=22, rows=13)
    for space, bit in grid.bits.items():
        near = {(x, y) for x, y in neighbours(*read_space(space)) if 0 <= x < 22 and 0 <= y < 13}
        assert near == {read_space(name) for name in grid.spaces(grid.grow(bit))}


def test_every_two_neighbours_are_linked_once() -> None:
    links = ends(PAPER.links(["E4", "E5", "F4", "H9"]))
    pairs = {frozenset(pair) for pair in links}
    e4, e5, f4 = (PAPER.centre(space) for space in ("E4", "E5", "F4"))
    assert len(links) == 3
    assert pairs == {frozenset((e4, e5)), frozenset((e4, f4)), frozenset((e5, f4))}


def test_a_lone_camel_has_no_link() -> None:
    assert PAPER.links(["K7"]) == ""


def test_the_rim_of_one_hex_has_six_sides_and_of_two_neighbours_ten() -> None:
    assert len(ends(PAPER.frontier(["E4"]))) == 6
    assert len(ends(PAPER.frontier(["E4", "E5"]))) == 10


def test_the_line_between_two_parts_runs_only_where_they_touch() -> None:
    (side,) = ends(PAPER.frontier(["E4"], ["E5", "K7"]))
    x, y = PAPER.centre("E4")
    assert {point[1] for point in side} == {y + RISE}
    assert sum(point[0] for point in side) == 2 * x
