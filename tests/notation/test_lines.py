"""Bytes become lines: strictly UTF-8, never more than a line in memory."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import bounded_lines, chunks, read_games


@given(st.lists(st.text(alphabet="aé駱 ", max_size=8), min_size=1), st.integers(1, 9))
def test_lines_come_out_as_they_went_in_wherever_a_read_stops(lines: list[str], size: int) -> None:
    class Slow(io.BytesIO):
        def read(self: Any, wanted: int | None = -1, /) -> bytes:
            return super().read(min(size, wanted or size))

    text = "\n".join(lines)
    assert list(bounded_lines(Slow(text.encode()))) == (text.split("\n") if lines[-1] else text.split("\n")[:-1])


def test_a_byte_that_is_not_utf8_is_told_with_its_place() -> None:
    [reading] = read_games(bounded_lines(io.BytesIO('[Format "1"]\n[Seat.red "André"]\n'.encode("latin-1"))))
    [fault] = reading.faults
    assert (fault.code, fault.line, fault.column, fault.read) == ("NT-F1", 2, 16, "byte e9")


@pytest.mark.parametrize("sign", ["x", "é", "駱", "🐫"])
def test_a_line_may_have_its_full_length_in_any_script(sign: str) -> None:
    comment = "{" + sign * (chunks.LINE - 2) + "}"
    [reading] = read_games(bounded_lines(io.BytesIO(comment.encode())))
    assert reading.record is not None
    [reading] = read_games(bounded_lines(io.BytesIO(f" {comment}".encode())))
    assert [fault.code for fault in reading.faults] == ["NT-F3"]


def test_annotations_have_room_of_their_own_in_a_game() -> None:
    turn = f"1. red: pass [%event {'x' * 200_000}]"
    game = ['[Game "through-the-desert"]', *[turn, turn.removeprefix("1. red: pass ")] * 40]
    [reading] = read_games([*game, *["1. red: pass"] * 1_000])
    assert reading.record is not None
    [reading] = read_games([*game, *[turn] * 90])
    assert [fault.code for fault in reading.faults] == ["NT-F4"]


def test_many_short_annotations_take_as_much_room_as_they_cost() -> None:
    line = "1. red: pass " + "[%a]" * 60_000
    [reading] = read_games([line] * 5)
    assert [(fault.code, fault.line) for fault in reading.faults] == [("NT-F4", 5)]


def test_marks_at_the_beginning_of_files_joined_together_are_no_text() -> None:
    file = '\ufeff[Format "1"]\n1. red: pass\n'
    readings = list(read_games(bounded_lines(io.BytesIO((file + file).encode()))))
    assert [reading.faults for reading in readings] == [(), ()]
