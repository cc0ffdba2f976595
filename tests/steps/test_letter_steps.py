"""Reading takes steps in proportion to a letter's length, whatever somebody repeats, in all games and languages.

Steps are counted (see `letter_steps`), so nothing here depends on the machine. Each shape is read in one of the games,
up to 800 characters. `CARAVAN_STEPS=16000` reads every shape in every game, up to that many: with `-k lines` this takes
minutes, with patterns hours. `letter_growth` goes as far in minutes for everything together, by its time.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.steps.counted_patterns import CountedPattern, StepCount
from tests.steps.hostile_letters import BODIES, KEYS, SHAPES
from tests.steps.letter_growth import GROWTH as GROWTH_OF_TIME
from tests.steps.letter_growth import PLANTED, ShapeCost

MOST = int(os.environ.get("CARAVAN_STEPS", "0"))
LENGTHS = (100, 120, MOST or 800)
"""Two short ones, because one may end reading early by chance: as a whole move, or as a line that a phone adds."""
GROWTH = 2.5
"""How much more a character may cost in a long text than in a short one. By the square it would be six times."""
FLOOR = 80
"""Steps for a character below which nothing is compared: short texts may end reading early."""


def test_there_are_two_hundred_shapes_of_all_kinds() -> None:
    assert len({tuple(shape) for shape in SHAPES}) == len(SHAPES) >= 200
    places = [shape[0] for shape in SHAPES]
    assert {*places} == {"words", "header", *BODIES}
    assert min(map(places.count, ("words", "plain", "html", "header"))) >= 30
    repeated = "".join(shape[1] + shape[2] for shape in SHAPES)
    assert re.search("[а-я]", repeated)
    assert re.search("[א-ת]", repeated)
    assert re.search("[ęśćż]", repeated)


@pytest.mark.slow
@pytest.mark.parametrize("counted", ["patterns", "lines"])
@pytest.mark.parametrize("number", range(len(KEYS)), ids=KEYS)
def test_a_character_costs_the_same_in_a_long_letter_as_in_a_short_one(counted: str, number: int, root: Path) -> None:
    part = ":" if MOST else f"{number}::{len(KEYS)}"
    line = [sys.executable, "-m", "tests.steps.letter_steps", counted, ",".join(map(str, LENGTHS)), KEYS[number], part]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    grows = []
    for shape, by_game in json.loads(done.stdout).items():
        for steps in by_game.values():
            *short, long = (count / length for count, length in zip(steps, LENGTHS, strict=True))
            if long > GROWTH * max(*short, FLOOR):
                grows.append((shape, steps))
    assert grows == []


def steps_of(pattern: str, method: str, text: str) -> int:
    StepCount.steps = 0
    getattr(CountedPattern(re.compile(pattern)), method)(text)
    return StepCount.steps


@pytest.mark.parametrize(
    ("pattern", "method", "sign", "end"),
    [
        (r"\s+$", "search", " ", "b"),
        (r"(?:a|aa)+b", "match", "a", "c"),
        (r"a*a*b", "match", "a", "c"),
        (r"(?<!\w)(?=\W*\Z)x", "search", ".", "x"),
        (PLANTED.pattern, "search", ".", "x"),
    ],
)
def test_a_pattern_that_grows_faster_than_its_text_would_be_noticed(
    pattern: str, method: str, sign: str, end: str
) -> None:
    few, many = (steps_of(pattern, method, sign * length + end) for length in (6, 24))
    assert many > 2 * 4 * few


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(?i:Straße|ÉTÉ)(?!\w)", "été straße ÉTÉ"),
        (r"(\d{1,2})([./-])\s?(\d)\2", "1/2/ 12.3. 1-2."),
        (r"\b(?:a|ab)(?:c|bcd)?+(?>d*)", "abcd acd abbcd"),
        (r"^x*?(?<=[xy])y{2,}$", "xxyyy\nyyy"),
        (r"[^\W\d_]++|[\s\S]", "a1 _б\n"),
        (r"(?m:^--b(--)?[ \t]*+$)", "--b\n--b-- \n --b\n--b--x"),
    ],
)
def test_the_counting_matcher_finds_what_the_real_one_finds(pattern: str, text: str) -> None:
    real = re.compile(pattern)
    counted = CountedPattern(real)
    assert [found.span() for found in counted.finditer(text)] == [found.span() for found in real.finditer(text)]
    for at in range(len(text) + 1):
        counted.match(text, at)
        counted.fullmatch(text, at)


@pytest.mark.parametrize(("power", "grows"), [(1, False), (2, True)])
def test_growth_tells_the_square_of_a_length_from_the_length(power: int, *, grows: bool) -> None:
    noise = (1.3, 0.8, 1.2)
    lengths = (400, 1_600, 16_000)
    seconds = [each * 1e-6 * length ** (power - 1) for length, each in zip(lengths, noise, strict=True)]
    assert (ShapeCost(SHAPES[0], KEYS[0], tuple(seconds)).growth > GROWTH_OF_TIME) is grows
