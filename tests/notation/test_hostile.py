"""No text makes the reader raise, and none costs more than its length deserves."""

import io
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.through_the_desert import GAME
from notation import (
    bounded_lines,
    chunks,
    read_games,
    read_moves,
    read_result,
    read_text,
    write_record,
)

HEADERS = '[Format "1"]\n[Game "through-the-desert"]\n'
PIECES = st.sampled_from(
    [
        *'1.:,{}()[]%|!?$9*\\" \n\r\t\0\x85\u2028\ufeff\ud800é駱',
        *[
            "[%",
            "\n\n",
            "\\}",
            "\\u0000",
            "red",
            "end",
            "normal",
            "lilac",
            "F4",
            "13. red: lilac F4 ",
            "(14. blue: pass",
        ],
        *['[Game "through-the-desert"]\n', '[Format "1"]\n'],
    ]
)


def settle(text: str) -> None:
    """Read a text; what becomes a record is stable, what does not can be told."""
    for reading in read_text(text):
        assert (reading.record is None) == bool(reading.faults)
        if reading.record is not None:
            written = write_record(reading.record)
            assert [again.record for again in read_text(written)] in ([reading.record], [])
        for fault in reading.faults:
            fault.render().encode()


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_pile_of_signs_makes_the_reader_raise(text: str) -> None:
    settle(text)


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    settle(text)
    read_moves(GAME, text)
    read_result(text)


@settings(max_examples=100)
@given(st.binary(max_size=80))
def test_no_bytes_make_the_reader_raise(data: bytes) -> None:
    for reading in read_games(bounded_lines(io.BytesIO(data))):
        for fault in reading.faults:
            fault.render().encode()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("parentheses", "1. red: lilac F4 " + "(" * 100_000),
        ("closing parentheses", "1. red: lilac F4 " + ")" * 60_000),
        ("balanced parentheses", "1. red: lilac F4 " + "(" * 20_000 + ")" * 20_000),
        ("parentheses over many lines", "1. red: lilac F4 (\n" * 20_000),
        ("braces", "1. red: lilac F4 {\n" * 20_000),
        ("braces in many games", '[Format "1"]\n1. red: {\n' * 5_000),
        ("parentheses in many games", '[Format "1"]\n1. red: (\n' * 5_000),
        ("backslashes", "1. red: lilac F4 {" + "\\" * 60_000),
        ("quotation marks", "1. red: " + '"' * 60_001),
        ("escaped quotation marks", '1. red: "' + '\\"' * 30_000),
        ("annotations", "1. red: lilac F4 " + "[%" * 30_000),
        ("digits", "9" * 60_000 + ". red: lilac F4"),
        ("blanks", "1. red:" + " " * 60_000 + "lilac F4"),
        ("blanks and digits", "1. red: " + "1 " * 30_000),
        ("dots", "1" + "." * 60_000),
        ("words", "1. red: " + "lilac " * 10_000),
        ("spaces", "1. red: lilac" + " F4" * 20_000),
        ("glyphs", "1. red: lilac F4 " + "!?" * 30_000),
        ("variations", "1. red: lilac F4 " + "(1. red: pass)" * 4_000),
        ("bars", "1. red: lilac F4 (1. red: pass" + "|" * 60_000 + ")"),
        ("remarks in a variation", "1. red: lilac F4 (1. red: pass" + "|{}" * 20_000 + ")"),
        ("short turns in a variation", "1. red: lilac F4 (" + "1. r: pass|" * 5_000 + ")"),
        ("faults in a variation", "1. red: lilac F4 (" + "1. red: x|" * 6_000 + ")"),
        ("headers", '[A "b"]\n' * 20_000),
        ("open headers", "[" * 60_000),
        ("faults", "x\n" * 20_000),
        ("controls", "\0" * 60_000),
        ("comments", "{}\n" * 20_000),
        ("turns", "1. red: pass\n" * 200_000),
        ("comments in a line", "1. red: lilac F4 " + "{}" * 30_000),
        ("unknown seats", "".join(f"1. s{number}x: y\n" for number in range(20_000))),
    ],
)
def test_hostile_text_is_read_to_its_end(name: str, text: str) -> None:
    for reading in read_games((HEADERS + text).split("\n")):
        assert len(reading.faults) <= chunks.FAULTS + 1


def calls(work: Callable[[], object]) -> int:
    """How many functions are called for some work: a measure of time that no busy machine can disturb."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "line",
    [
        "1. red: lilac F4, salmon C9\n",
        "1. red: lilac F4, salmon C9 {well}\n",
        "1. Red: L f4 {well} (1. red: pass)\n",
        '1. red: lilca F4\n[A "b"]\n',
        '1. red: lilac F4 {\n[A "b"]\n',
        '1. red: lilac F4 (\n[A "b"]\n',
        "{\n",
        "(\n",
    ],
)
def test_work_grows_with_the_length_of_the_text(line: str) -> None:
    def work(count: int) -> int:
        return calls(lambda: read_text(HEADERS + line * count))

    work(10)
    few, many = work(100), work(400)
    assert many < 5 * few


def test_many_games_are_read_one_at_a_time() -> None:
    given = 0

    def lines() -> Iterator[str]:
        nonlocal given
        for number in range(1000):
            for line in [*HEADERS.split("\n"), f"{number}. red: lilac F4, salmon C9", ""]:
                given += 1
                yield line

    for number, reading in enumerate(read_games(lines())):
        assert reading.record is not None
        assert given <= 5 * (number + 2)


def test_an_endless_line_is_neither_held_nor_waited_for() -> None:
    class Endless(io.RawIOBase):
        given = 0

        def read(self, size: int = -1) -> bytes:
            self.given += size
            return b"x" * size if self.given < 50_000_000 else b""

    [line] = bounded_lines(Endless())
    assert chunks.LINE < len(line) < 5 * chunks.LINE
    [reading] = read_games([line])
    assert [fault.code for fault in reading.faults] == ["NT-F3"]
