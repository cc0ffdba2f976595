"""Plots for pages: lines over turns, and bars, worked out here and drawn by `templates/books/plots.svg`.

Lines are told apart by their dashes and by names at their ends, so that nobody needs colours; names are pushed apart
where they would meet. Ticks are round numbers. Everything is in units of the picture, from its upper left corner.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

WIDTH: Final = 480
"""Little more than a telephone is wide, so that its letters stay legible there."""
HEIGHT: Final = 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 118, 14, 30
_APART: Final = 17
"""Between the middles of two names."""
_DASHES: Final = ("", "9 4", "2 4", "12 4 2 4", "5 3 5 8", "1 7")
_STEPS: Final = (1, 2, 5)
_LETTERS: Final = 11
"""Letters of a name at the end of a line."""


class Tick(NamedTuple):
    """A number beside an axis."""

    at: float
    says: str


class PlottedLine(NamedTuple):
    """A line in steps: whose it is, its path, how it is dashed, where it ends, and where its name stands."""

    key: str
    name: str
    last: str
    path: str
    dash: str
    end: tuple[float, float]
    name_at: float


class LinePlot(NamedTuple):
    """Lines over turns."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    zero: float
    lines: tuple[PlottedLine, ...]


class Bar(NamedTuple):
    """A bar from the left: what it counts, how long it is, and its number; `mark` is where it was expected to end."""

    name: str
    top: float
    length: float
    says: str
    mark: float | None


class BarPlot(NamedTuple):
    """Bars below each other."""

    width: int
    height: int
    left: int
    thick: int
    bars: tuple[Bar, ...]


def plot_lines(series: Mapping[str, Sequence[tuple[int, int]]], names: Mapping[str, str]) -> LinePlot | None:
    """Lines in steps; None where there are fewer than two turns to draw."""
    drawn = {key: points for key, points in series.items() if len(points) > 1}
    if not drawn:
        return None
    last = max(x for points in drawn.values() for x, _ in points)
    low = min(0, min(y for points in drawn.values() for _, y in points))
    high = max(1, *(y for points in drawn.values() for _, y in points))
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM

    def across(x: int) -> float:
        return round(_LEFT + x / max(last, 1) * (right - _LEFT), 1)

    def up(y: int) -> float:
        return round(bottom - (y - low) / (high - low) * (bottom - _TOP), 1)

    wanted = {key: up(points[-1][1]) for key, points in drawn.items()}
    places = _push_apart(wanted)
    lines = []
    for order, (key, points) in enumerate(drawn.items()):
        begun = [(0, 0), *points] if points[0][0] > 0 and low <= 0 else list(points)
        path = f"M{across(begun[0][0])} {up(begun[0][1])}"
        for (_, before), (x, y) in pairwise(begun):
            path += f"H{across(x)}" + (f"V{up(y)}" if y != before else "")
        end = (across(points[-1][0]), up(points[-1][1]))
        name = names.get(key, key)
        shown = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
        dash = _DASHES[order % len(_DASHES)]
        lines.append(PlottedLine(key, shown, str(points[-1][1]), path, dash, end, places[key]))
    return LinePlot(
        WIDTH,
        HEIGHT,
        _LEFT,
        right,
        bottom,
        tuple(Tick(across(x), str(x)) for x in round_ticks(0, last, 8)),
        tuple(Tick(up(y), str(y)) for y in round_ticks(low, high, 5)),
        up(0),
        tuple(lines),
    )


def plot_bars(rows: Sequence[tuple[str, float, str, float | None]]) -> BarPlot | None:
    """Bars of rows: a name, a size, what to write behind the bar, and what size was expected. None without rows."""
    if not rows:
        return None
    thick, gap = 16, 8
    longest = max([size for _, size, _, _ in rows] + [mark for _, _, _, mark in rows if mark is not None] + [0]) or 1
    left = 8 + min(180, max(len(name) for name, *_ in rows) * 8)
    room = WIDTH - left - 96
    bars = tuple(
        Bar(
            name,
            10 + order * (thick + gap),
            round(size / longest * room, 1),
            says,
            None if mark is None else round(mark / longest * room, 1),
        )
        for order, (name, size, says, mark) in enumerate(rows)
    )
    return BarPlot(WIDTH, 16 + len(rows) * (thick + gap), left, thick, bars)


def round_ticks(low: int, high: int, most: int) -> list[int]:
    """Round numbers from `low` to `high`, at most `most` of them or a few more."""
    span, size = max(high - low, 1), 1
    step = 1
    while span / step > most:
        larger = [each * size for each in _STEPS if each * size > step]
        if larger:
            step = larger[0]
        else:
            size *= 10
    first = -(-low // step) * step
    return list(range(first, high + 1, step))


def _push_apart(wanted: Mapping[str, float]) -> dict[str, float]:
    """Where names stand so that none lies upon another, each as near to its line as that allows."""
    order = sorted(wanted, key=lambda key: wanted[key])
    placed: list[tuple[str, float]] = []
    for key in order:
        at = wanted[key] if not placed else max(wanted[key], placed[-1][1] + _APART)
        placed.append((key, at))
    # What was pushed below the picture pushes the others up again.
    floor = float(HEIGHT - _BOTTOM + 12)
    found: dict[str, float] = {}
    for key, at in reversed(placed):
        found[key] = min(at, floor)
        floor = found[key] - _APART
    return found
