"""How many steps it takes to read hostile letters of several lengths, as JSON; run in a process of its own.

    python -m tests.steps.letter_steps patterns|lines LENGTH,LENGTH,... GAME,GAME,... [FIRST:LAST:STEP]

`patterns` counts what regular expressions do (`counted_patterns`), `lines` the lines of Python that are run. Both are
the same on every machine and in every run. What neither sees is the time that functions in C take for long texts:
`str.find`, slices, codecs. `letter_growth` measures all of it together, by CPU time.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tests.steps.counted_patterns import StepCount, count_patterns
from tests.steps.hostile_letters import SHAPES, PatientReader

QUESTION = ["words", "so ", "who is ahead here, ", "and what can I do?"]
"""Prose that asks, short and long: the patterns of questions are compiled for the first of each, a million lines."""


@contextmanager
def counting_lines() -> Iterator[None]:
    """Count every line of Python that is run."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        StepCount.steps += event in ("line", "call")
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)


@contextmanager
def counting_patterns() -> Iterator[None]:
    """What patterns do is counted all the time."""
    yield


def main(
    what: str, lengths: Sequence[int], keys: Sequence[str], shapes: Sequence[list[str]]
) -> dict[str, dict[str, list[int]]]:
    """The steps of each shape in each game, for each length."""
    if what == "patterns":
        count_patterns()
    reader = PatientReader(keys)
    counting = counting_patterns if what == "patterns" else counting_lines

    def read(shape: list[str], length: int, key: str) -> int:
        letter = reader.write(shape, length)
        StepCount.steps = 0
        with counting():
            reader.read(letter, key)
        return StepCount.steps

    for key in keys:
        for length in (30, max(lengths)):
            read(QUESTION, length, key)
    found: dict[str, dict[str, list[int]]] = {}
    for shape in shapes:
        for key in keys:
            read(shape, 60, key)  # what is loaded and cached at first is not counted
            found.setdefault(json.dumps(shape), {})[key] = [read(shape, length, key) for length in lengths]
    return found


if __name__ == "__main__":
    measured, sizes, games, *part = sys.argv[1:]
    some = SHAPES[slice(*(int(each) if each else None for each in (part[0] if part else ":").split(":")))]
    json.dump(main(measured, [*map(int, sizes.split(","))], games.split(","), some), sys.stdout)
