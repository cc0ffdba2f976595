"""The table of results: what was measured, ours, the peer's, their ratio, the target, and whether it is met."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from benchmarks.measuring import Pace, Ratio

HEADERS: Final = ("what", "ours", "peer", "ratio", "single rounds", "target", "met?")


@dataclass(frozen=True, slots=True)
class Target:
    """A bound on a ratio, or on our own figure where there is no ratio; `aim` is what we would like besides."""

    bound: float
    at_least: bool = False
    unit: str = "x"
    aim: float | None = None

    def met(self, figure: float) -> bool:
        """True if a figure is on the right side of the bound."""
        return figure >= self.bound if self.at_least else figure <= self.bound

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        aim = "" if self.aim is None else f", aim {self.aim:g}{self.unit}"
        return f"{sign} {self.bound:g}{self.unit}{aim}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `peer` says what `theirs` was measured on."""

    what: str
    unit: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    ratio: Ratio | None = None
    target: Target | None = None

    @classmethod
    def of_rates(
        cls, what: str, unit: str, *, ours: Pace, peer: str, theirs: Pace, target: Target | None = None
    ) -> Self:
        """A line on what is done per second: the higher the ratio, the better."""
        return cls(what, unit, ours.rate, peer, theirs.rate, ours.over(theirs), target)

    @classmethod
    def of_times(cls, what: str, *, ours: Pace, peer: str, theirs: Pace, target: Target | None = None) -> Self:
        """A line on how long something takes: the lower the ratio, the better."""
        return cls(what, "ms", ours.best * 1000, peer, theirs.best * 1000, theirs.over(ours), target)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target."""
        if self.target is None:
            return None
        return self.target.met(self.ours if self.ratio is None else self.ratio.best)

    def cells(self) -> tuple[str, ...]:
        """The line as texts, in the order of `HEADERS`."""
        ratio = self.ratio
        theirs = "" if self.theirs is None else _quantity(self.theirs, self.unit)
        return (
            self.what,
            _quantity(self.ours, self.unit),
            f"{self.peer}: {theirs}" if self.peer else "",
            "" if ratio is None else f"{ratio.best:.2f}x",
            "" if ratio is None else f"{ratio.low:.2f} - {ratio.middle:.2f} - {ratio.high:.2f}",
            "" if self.target is None else str(self.target),
            {True: "yes", False: "NO", None: ""}[self.met],
        )

    def data(self) -> dict[str, Any]:
        """The line as plain data."""
        return {
            "what": self.what,
            "unit": self.unit,
            "ours": self.ours,
            "peer": self.peer or None,
            "theirs": self.theirs,
            "ratio": None if self.ratio is None else self.ratio._asdict(),
            "target": None if self.target is None else str(self.target),
            "met": self.met,
        }


def write_table(rows: Sequence[Row], about: str) -> str:
    """The table for a reader: Markdown that reads well as plain text."""
    lines = [HEADERS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    ruler = tuple("-" * width for width in widths)
    return "\n".join([about, "", *(_line(line, widths) for line in (HEADERS, ruler, *lines[1:]))])


def write_json(rows: Sequence[Row], about: str) -> str:
    """The table for a program."""
    return json.dumps({"about": about, "rows": [row.data() for row in rows]}, indent=2, ensure_ascii=False)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)) + " |"


def _quantity(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"
