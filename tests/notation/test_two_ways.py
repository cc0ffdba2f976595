"""The quick way of reading and the careful way mean the same."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation import Reading, Record, read_text, write_record
from notation.chunks import record_parser
from notation.lalr.parser import Unexpected
from notation.reader import GameInHand
from tests.notation.desert_records import records

HEADERS = '[Format "1"]\n[Game "through-the-desert"]\n'


def read_carefully(text: str) -> list[Reading]:
    """Read with the quick way barred: no plain turn is taken, no header is plain."""
    take_headers = GameInHand.take_headers
    with (
        patch.object(GameInHand, "take_turn", lambda *_: False),
        patch.object(GameInHand, "take_headers", lambda game, chunk, plain: take_headers(game, chunk, plain=False)),
    ):
        return read_text(text)


def agree(text: str) -> None:
    quick, careful, known = read_text(text), read_carefully(text), read_text(text)
    assert quick == careful == known
    lines = [[entry.line for entry in reading.record.entries] for reading in quick if reading.record]
    assert lines == [[entry.line for entry in reading.record.entries] for reading in careful if reading.record]


@settings(max_examples=50)
@given(records())
def test_both_ways_agree_on_canonical_records(record: Record) -> None:
    agree(write_record(record))


WORDS = [
    "lilac",
    "F4",
    "C9",
    "salmon",
    ",",
    ", ",
    " ",
    "and",
    "-",
    "*",
    "=",
    "pass",
    "leader",
    "x",
    "12",
    "E4",
    "\t",
    "\a",
]
SIGNS = ["!", " !?", " {a}", " {\\}}", " [%s 1]", " {", "}", "(", ")", "$3", ".", ": ", "13. red: "]
TURNS = st.lists(st.sampled_from([*WORDS, *SIGNS]), max_size=7).map("".join)
HEADS = st.sampled_from(
    ["1. red: ", "2. blue: ", "r: ", "3. *: ", "4. end: ", "5. Red: ", "06. red: ", "1234567. red: ", "[X ", ""]
)


@settings(max_examples=50)
@given(records())
def test_a_canonical_record_is_one_sentence_of_the_grammar(record: Record) -> None:
    read = record_parser().parse(write_record(record), "record", lambda rule, parts, _end: (rule, parts))
    assert not isinstance(read, Unexpected)


@settings(max_examples=300)
@given(st.lists(st.builds(str.__add__, HEADS, TURNS), max_size=4))
def test_both_ways_agree_on_text_that_is_nearly_canonical(lines: list[str]) -> None:
    agree(HEADERS + "\n".join(lines))


@pytest.mark.parametrize(
    "text",
    [
        "1. red: lilac F4, C9",
        "1. red: lilac F4,, salmon C9",
        "1. red: lilac F4, , salmon C9 ",
        "1. red:  lilac F4",
        "1. red: lilac F4,{x}",
        "1. red: lilac F4 {x} !",
        "1. red: lilac F4{x}{y}",
        "{above}\n1. red: lilac F4 {x}",
        '[Id "x"]\n[id "y"]\n1. red: pass',
        "1. red: , ",
        "1. end: normal\n2. end: normal {so}",
        "1. red: lilac F4 {\u202e}",
    ],
)
def test_both_ways_agree_on_what_was_once_doubtful(text: str) -> None:
    agree(HEADERS + text)
