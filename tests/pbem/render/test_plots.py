"""Plots: names that do not lie upon each other, round ticks, and lines that end where the numbers say."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.render.plots import HEIGHT, plot_bars, plot_lines, round_ticks

points = st.lists(st.integers(-40, 200), min_size=2, max_size=30).map(lambda ys: list(enumerate(ys, start=1)))


@given(st.dictionaries(st.text("abc", min_size=1), points, min_size=1, max_size=6))
def test_names_never_meet_and_stay_in_the_picture(series: dict[str, list[tuple[int, int]]]) -> None:
    plot = plot_lines(series, {})
    assert plot is not None
    places = sorted(line.name_at for line in plot.lines)
    assert all(other - one >= 16.9 for one, other in pairwise(places))
    assert all(0 <= place <= HEIGHT for place in places)
    assert len({line.dash for line in plot.lines}) == len(plot.lines), "told apart without colours"
    assert {line.key: line.last for line in plot.lines} == {key: str(ys[-1][1]) for key, ys in series.items()}


@given(st.integers(-500, 500), st.integers(1, 5000), st.integers(4, 10))
def test_ticks_are_round_and_few(low: int, span: int, most: int) -> None:
    ticks = round_ticks(low, low + span, most)
    assert 1 <= len(ticks) <= most + 2
    assert all(low <= tick <= low + span for tick in ticks)
    if len(ticks) > 1:
        step = ticks[1] - ticks[0]
        assert str(step).rstrip("0") in ("1", "2", "5")
        assert all(tick % step == 0 for tick in ticks)


def test_nothing_to_draw_is_no_plot() -> None:
    assert plot_lines({"red": [(1, 3)]}, {}) is None
    assert plot_bars([]) is None


def test_bars_are_as_long_as_their_numbers_and_marks_stand_where_they_were_expected() -> None:
    plot = plot_bars([("red", 30, "30 %", 20), ("blue", 10, "10 %", 20)])
    assert plot is not None
    one, other = plot.bars
    assert one.length == pytest.approx(3 * other.length, abs=0.3)
    assert one.mark == other.mark == pytest.approx(2 * other.length, abs=0.3)
    assert one.top < other.top
