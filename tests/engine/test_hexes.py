"""Hexes as bits do what hexes on paper do: checked against geometry worked out from coordinates alone."""

from collections.abc import Iterator
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hexes import HexGrid

GRIDS = [
    HexGrid(columns=22, rows=13),
    HexGrid(columns=1, rows=1),
    HexGrid(columns=3, rows=2),
    HexGrid(columns=4, rows=9),
]
grids = st.sampled_from(GRIDS)


def around(column: int, row: int) -> Iterator[tuple[int, int]]:
    """The six neighbours on paper: even columns stand half a hex higher."""
    yield from [(column, row - 1), (column, row + 1)]
    upper = row - 1 if column % 2 == 0 else row
    for side in (column - 1, column + 1):
        yield from [(side, upper), (side, upper + 1)]


def name(column: int, row: int) -> str:
    return f"{ascii_uppercase[column]}{row + 1}"


def touching(grid: HexGrid, space: str) -> set[str]:
    column, row = ascii_uppercase.index(space[0]), int(space[1:]) - 1
    return {name(c, r) for c, r in around(column, row) if 0 <= c < grid.columns and 0 <= r < grid.rows}


def some_spaces(draw: st.DrawFn) -> tuple[HexGrid, set[str]]:
    grid = draw(grids)
    return grid, draw(st.sets(st.sampled_from(sorted(grid.bits))))


spaces_of_a_grid = st.composite(some_spaces)()


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.columns}x{grid.rows}")
def test_every_hex_touches_those_that_touch_it_on_paper(grid: HexGrid) -> None:
    for space, bit in grid.bits.items():
        assert set(grid.spaces(grid.grow(bit))) == touching(grid, space), space


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.columns}x{grid.rows}")
def test_every_hex_has_a_bit_and_a_name_of_its_own(grid: HexGrid) -> None:
    assert len(grid.bits) == len(grid.names) == grid.columns * grid.rows == grid.everywhere.bit_count()
    assert all(grid.names[bit] == space and bit.bit_count() == 1 for space, bit in grid.bits.items())


@given(spaces_of_a_grid)
def test_growing_a_set_grows_each_of_its_hexes(chosen: tuple[HexGrid, set[str]]) -> None:
    grid, spaces = chosen
    grown = set(grid.spaces(grid.grow(grid.mask(*spaces))))
    assert grown == {other for space in spaces for other in touching(grid, space)}


@given(spaces_of_a_grid, st.data())
def test_a_flood_fills_what_hangs_together_and_no_more(chosen: tuple[HexGrid, set[str]], data: st.DataObject) -> None:
    grid, within = chosen
    seed = data.draw(st.sampled_from(sorted(grid.bits)))
    reached, edge = set(), {seed} & within
    while edge:
        reached |= edge
        edge = {other for space in edge for other in touching(grid, space)} & within - reached
    assert set(grid.spaces(grid.flood(grid.mask(seed), grid.mask(*within)))) == reached


@given(spaces_of_a_grid)
def test_names_come_back_column_by_column_from_the_top(chosen: tuple[HexGrid, set[str]]) -> None:
    grid, spaces = chosen
    in_order = sorted(spaces, key=lambda space: (space[0], int(space[1:])))
    assert grid.spaces(grid.mask(*spaces)) == in_order
    assert [grid.names[bit] for bit in grid.each(grid.mask(*spaces))] == in_order


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.columns}x{grid.rows}")
def test_the_distance_is_the_number_of_steps(grid: HexGrid) -> None:
    for start in sorted(grid.bits)[::17]:
        steps, reached = 0, grid.mask(start)
        while reached:
            for space in grid.spaces(reached):
                if grid.distance(start, space) > steps:
                    raise AssertionError(f"{start} to {space} is {steps} steps")
            wider = reached | grid.grow(reached)
            steps += 1
            assert all(grid.distance(start, space) == steps for space in grid.spaces(wider & ~reached))
            if wider == reached:
                break
            reached = wider


@given(grids, st.data())
def test_neighbours_in_two_runs_or_more_are_known_as_split(grid: HexGrid, data: st.DataObject) -> None:
    space = data.draw(st.sampled_from(sorted(grid.bits)))
    near = data.draw(st.sets(st.sampled_from(sorted(touching(grid, space)) or [space]))) - {space}
    mask, runs, left = grid.mask(*near), set(), grid.mask(*near)
    while left:
        run = grid.flood(left & -left, mask)
        runs.add(run)
        left &= ~run
    shift = grid.bits[space].bit_length() - 1 - grid.stride
    found = grid.splits.get(mask >> shift)
    assert {run << shift for run in found or ()} == (runs if len(runs) > 1 else set())
