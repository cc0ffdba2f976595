"""Reading takes time in proportion to a line's length, whatever signs somebody repeats, in all games and languages."""

import time

import pytest

from engine.registry import find_game
from pbem.mail.commands import parse_letter
from pbem.mail.commands.parse_letter import parse_commands

KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
SHORT, LONG = 1_000, 4_000
GROWTH = 8.0
"""A line four times as long takes about four times as long to read; by the square it would be sixteen."""
FLOOR = 0.03
"""Seconds for the long line below which nothing is compared: clocks are coarse."""

BEGINNINGS = (
    *("not {}x", "lilac A3{} x", "lilac A3 {}x", "take A1 {}x", "road 3-4 {}x", "press to all {}x", "no{}\nlilac A3"),
    *("не {}x", "לא {}x", "nie {}x", "niet {}x", "standing {}x", "if legal lilac A3{}x", "если можно lilac A3{}x"),
    *("plan lilac A3 {}x", "vacation from 1 May 2027 to {}x", "-x {} x", "lilac A3\nwell{}x", "{}", "x{}x\nlilac A3"),
)
SIGNS = (".", ";", ", ", "!", "-", "A3, ")
SHAPES = tuple(beginning.replace("{}", sign + "{}", 1) for beginning in BEGINNINGS for sign in SIGNS)


def seconds(shape: str, key: str, length: int) -> float:
    """The CPU time for a letter in which the sign before the braces is repeated."""
    sign = next(sign for sign in sorted(SIGNS, key=len, reverse=True) if f"{sign}{{}}" in shape)
    words = shape.replace("{}", (sign * length)[:length], 1)
    started = time.process_time()
    parse_commands(words, game=find_game(key))
    return time.process_time() - started


def grows_too_fast(shape: str, key: str) -> bool:
    """Whether a longer line costs more than its length deserves; measured again before it is believed."""
    if seconds(shape, key, LONG) < FLOOR:
        return False
    short, long = (min(seconds(shape, key, length) for _ in range(3)) for length in (SHORT, LONG))
    return long >= FLOOR and long > GROWTH * short


def test_there_are_many_shapes() -> None:
    assert len(set(SHAPES)) >= 100


@pytest.mark.parametrize("key", KEYS)
def test_time_grows_with_the_length_of_a_line_and_not_with_its_square(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_letter, "CHARACTERS", 10 * LONG)  # without the limit, so that nothing hides behind it
    assert [shape for shape in SHAPES if grows_too_fast(shape, key)] == []
