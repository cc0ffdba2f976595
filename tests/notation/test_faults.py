"""Every fault has a code, a place, the words of a player, and an example that can be read."""

import io
import json
from difflib import get_close_matches

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.through_the_desert import GAME
from notation import (
    RULES,
    Fault,
    bounded_lines,
    chunks,
    read_games,
    read_moves,
    read_result,
    read_text,
)
from notation.explain import closest_word
from notation.format_rules import BY_CODE

HEADERS = '[Format "1"]\n[Game "through-the-desert"]\n'

BROKEN = {
    "NT-F1": ('[Seat.red "Andr\udce9"]', 3, 16),
    "NT-F2": ("13. red: lilac F4 {\a}", 3, 20),
    "NT-F3": ("13. red: lilac F4 {" + "so " * 88_000 + "}", 3, chunks.LINE + 1),
    "NT-F4": ("{" + "so" * 16_000 + "}\n" + "13. red: lilac F4\n" * 121_500, 121_481, 1),
    "NT-F5": ("lilac F4\n" * chunks.FAULTS + "13. red: lilac F4", chunks.FAULTS + 2, 1),
    "NT-H1": ("[Id sirocco-7]", 3, 5),
    "NT-H2": ('[Id "a"]\n [id "b"]', 4, 3),
    "NT-H3": ('[Id "a"]\n\n[Format "2"]', 5, 10),
    "NT-T1": ("13 red lilac F4", 3, 1),
    "NT-T2": ("13. red:  {hm}", 3, 9),
    "NT-T3": ("13. red: lilac F4 ]", 3, 19),
    "NT-R1": ("13. red: lilac F4 {a good camel\n14. blue: pass", 3, 19),
    "NT-R2": ("13. red: lilac F4 (13. red: lilac F5\n14. blue: pass", 3, 19),
    "NT-R3": ("13. red: lilac F4 " + "(13. red: lilac F5 " * 65 + ")" * 65, 3, 19 + 19 * 64),
    "NT-R4": ("13. red: lilac F4 ({nothing})", 3, 19),
    "NT-R5": ("13. red: lilac F4 [%clock 1:05:23", 3, 19),
    "NT-M1": ("13. red: lilca F4", 3, 10),
    "NT-M2": ("13. red: lilac F4, salmon", 3, 26),
}
"""Code -> lines that break the rule after two headers, and the line and column that are blamed."""


def faults_of(text: str) -> list[Fault]:
    return [fault for reading in read_text(text) for fault in reading.faults]


def test_there_is_a_broken_text_for_every_rule_of_the_notation() -> None:
    assert [*BROKEN, "NT-M3"] == [rule.code for rule in RULES]


@pytest.mark.parametrize("code", BROKEN)
def test_a_fault_is_found_with_its_code_at_its_place(code: str) -> None:
    text, line, column = BROKEN[code]
    found = {fault.code: (fault.line, fault.column) for fault in faults_of(HEADERS + text)}
    assert found[code] == (line, column)


@pytest.mark.parametrize("code", BROKEN)
def test_the_example_of_a_fault_can_be_read(code: str) -> None:
    text, *_ = BROKEN[code]
    for fault in faults_of(HEADERS + text):
        headers = "" if "[Format" in fault.example else HEADERS
        assert faults_of(headers + fault.example) == []


@pytest.mark.parametrize("code", BROKEN)
def test_a_rule_of_the_notation_shows_what_breaks_it_and_what_obeys_it(code: str) -> None:
    rule = BY_CODE[code]
    headers = "" if "[Format" in rule.obeys else HEADERS
    assert faults_of(headers + rule.obeys) == []
    if rule.breaks[0] in "[1":
        headers = "" if "[Format" in rule.breaks else HEADERS
        assert code in {fault.code for fault in faults_of(headers + rule.breaks)}


@pytest.mark.parametrize("code", BROKEN)
def test_a_fault_is_printed_with_its_line_and_a_caret_below_the_place(code: str) -> None:
    for fault in faults_of(HEADERS + BROKEN[code][0]):
        head, line, caret, message, *example = fault.render().split("\n")
        assert head == f"{fault.code} {fault.rule.name}, line {fault.line}, column {fault.column}"
        assert set(caret) == {" ", "^"}
        at = caret.index("^")
        assert at <= len(line)
        if fault.read and not fault.read.startswith(("byte", "character")):
            assert line[at:].startswith(fault.read)
        assert message.endswith((".", "?"))
        assert example[0].startswith("  For example: ")
        assert fault.render().isprintable() or "\n" in fault.render()
        json.dumps(fault)
        fault.render().encode()


def test_all_faults_of_a_game_are_told_not_the_first_only() -> None:
    text = (
        HEADERS + "1. red: leader lilca E4\n2. blue: leader mint K9\n[%x\n3. red:\n4. blue: mint {open\n5. red: lemon"
    )
    assert [(fault.line, fault.code) for fault in faults_of(text)] == [
        (3, "NT-M1"),
        (5, "NT-R5"),
        (6, "NT-T2"),
        (7, "NT-R1"),
        (8, "NT-M2"),
    ]


def test_a_game_with_faults_has_no_record_and_does_not_spoil_its_neighbours() -> None:
    good = HEADERS + "1. red: leader lilac E4\n"
    first, second, third = read_text(good + HEADERS + "1. red: (leader\n" + good)
    assert first.record is not None
    assert first.record == (third.record)
    assert (second.record, len(second.faults), second.line) == (None, 1, 4)
    assert third.line == 7


def test_an_unclosed_comment_hides_no_later_fault_and_no_later_game() -> None:
    first, second = read_text(HEADERS + "1. red: pass {oh\n2. blue: lilca\n\n" + HEADERS + "1. red: pass\n")
    assert [fault.code for fault in first.faults] == ["NT-R1", "NT-M1"]
    assert second.record is not None


@pytest.mark.parametrize("end", ["}", "} {and } {more}", "}\n(13. red: lilac F5)"])
def test_a_comment_that_is_too_long_is_told_once_and_passed_over(end: str) -> None:
    text = HEADERS + "1. red: pass {" + "so it goes\n" * 30_000 + f"{end}\n2. blue: pass\n"
    assert [fault.code for fault in faults_of(text)] == ["NT-F3"]


def test_a_variation_that_is_too_long_is_told_once_and_passed_over() -> None:
    text = HEADERS + "1. red: pass (" + "1. red: lilac F5\n" * 20_000 + "2. blue: pass)\n2. blue: pass\n"
    assert [fault.code for fault in faults_of(text)] == ["NT-F3"]


def test_a_line_that_was_cut_because_of_its_length_is_not_said_to_be_open() -> None:
    lines = f"{HEADERS}1. red: pass {{{'so' * chunks.LINE}}}\n2. blue: pass\n3. red: pass\n".encode()
    [reading] = read_games(bounded_lines(io.BytesIO(lines)))
    assert [(fault.code, fault.line) for fault in reading.faults] == [("NT-F3", 3)]


def test_an_open_comment_before_many_games_hides_none_of_them() -> None:
    game = f"{HEADERS}1. red: pass\n" + "2. blue: lilac F4, salmon C9\n" * 20_000
    first, second, third = read_text(f"{HEADERS}1. red: pass {{oh\n{game}\n{game}{{fine}}")
    assert [fault.code for fault in first.faults] == ["NT-R1"]
    assert second.record is not None
    assert third.record is not None


def test_a_comment_may_hold_lines_that_look_like_headers() -> None:
    [reading] = read_text(HEADERS + '1. red: pass {as in\n[Format "1"]\n\n2. blue: pass\n}\n')
    assert reading.record is not None
    assert len(reading.record.entries) == 1


@pytest.mark.parametrize(
    ("said", "meant", "example"),
    [
        ("lilca F4", "lilac", "lilac F4"),
        ("salmn C9", "salmon", "salmon C9"),
        ("laeder mint K9", "leader", "leader mint K9"),
        ("lilac F4, samlon C9", "salmon", "lilac F4, salmon C9"),
        ("Leader minnt K9", "mint", "leader mint K9"),
        ("xyz", "", "lilac F4, salmon C9"),
        ("lilac F44x", "", "lilac F4, salmon C9"),
    ],
)
def test_a_typing_error_is_answered_with_the_nearest_word(said: str, meant: str, example: str) -> None:
    fault = read_moves(GAME, said)
    assert isinstance(fault, Fault)
    assert (fault.meant, fault.example) == (meant, example)
    assert not isinstance(read_moves(GAME, fault.example), Fault)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("13. red: lilac В2", "“В” is the character CYRILLIC CAPITAL LETTER VE; write B or V."),
        ("13. red: lilac н7", "“н” is the character CYRILLIC SMALL LETTER EN; write h or n."),
        ("13. red: lilaс F4", "“с” is the character CYRILLIC SMALL LETTER ES; write c or s."),
        ("13. red: lilac Β2", "“Β” is the character GREEK CAPITAL LETTER BETA; write B."),
        ("[Id “sirocco-7”]", '““” is the character LEFT DOUBLE QUOTATION MARK; write ".'),
        ("[Id «sirocco-7»]", '“«” is the character LEFT-POINTING DOUBLE ANGLE QUOTATION MARK; write ".'),
        ("13. red: lilac F4 ］", "“］” is the character FULLWIDTH RIGHT SQUARE BRACKET; write ]."),
    ],
)
def test_a_sign_that_only_looks_like_another_is_named_with_what_to_write(text: str, says: str) -> None:
    [fault] = faults_of(HEADERS + text)
    assert says in fault.message


def test_a_word_of_another_alphabet_is_nothing_strange() -> None:
    [fault] = faults_of(HEADERS + "13. red: лиловвый F4, карета")
    assert "is the character" not in fault.message


def test_what_was_expected_is_said_in_the_words_of_a_player() -> None:
    fault = read_moves(GAME, "lilac leader")
    assert isinstance(fault, Fault)
    assert fault.expected == ("a space such as K7",)
    fault = read_moves(GAME, "F4")
    assert isinstance(fault, Fault)
    assert "a camel's colour (lilac, mint, lemon, green, salmon)" in fault.expected
    assert all(word == word.strip("_") and not word.isupper() for word in fault.expected)


@pytest.mark.parametrize("said", ["", "  ", "\n\n"])
def test_an_answer_without_words_is_a_turn_without_a_move(said: str) -> None:
    fault = read_moves(GAME, said)
    assert isinstance(fault, Fault)
    assert fault.code == "NT-T2"


def test_a_wide_letter_moves_the_caret_by_two() -> None:
    fault = read_moves(GAME, "lilac F4 駱駝 x")
    assert isinstance(fault, Fault)
    _, line, caret, *_ = fault.render().split("\n")
    assert (line, caret) == ("  lilac F4 駱駝 x", "           ^^^^")


def test_a_long_line_is_shown_around_its_fault() -> None:
    fault = read_moves(GAME, "lilac F4 " * 500 + "oops" + " lilac F4" * 500)
    assert isinstance(fault, Fault)
    _, line, caret, *_ = fault.render().split("\n")
    assert len(line) < 110
    assert line[caret.index("^") :].startswith("oops")


@pytest.mark.parametrize("text", ["", "63 for red", "red, 63 won 5", "red ?"])
def test_a_result_that_is_none_is_a_fault(text: str) -> None:
    fault = read_result(text)
    assert isinstance(fault, Fault)
    assert fault.code == "NT-M3"
    assert not isinstance(read_result(fault.example), Fault)
    fault.render()


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(["lilac", "lilca", "F4", "leader", "remove", "W", "and", "pass", "駱", "\ud800"]), max_size=6
    )
)
def test_the_example_for_any_muddled_phrase_can_be_read(words: list[str]) -> None:
    fault = read_moves(GAME, " ".join(words))
    if isinstance(fault, Fault):
        assert not isinstance(read_moves(GAME, fault.example), Fault)
        fault.render().encode()


@settings(max_examples=200)
@given(st.text("abcdefgilnorst", max_size=9), st.lists(st.text("abcdefgilnorst", min_size=1, max_size=9), max_size=12))
def test_the_closest_word_is_the_one_that_the_library_finds(word: str, words: list[str]) -> None:
    for cutoff in (0.6, 0.8):
        assert closest_word(word, words, cutoff=cutoff) == next(iter(get_close_matches(word, words, 1, cutoff)), "")
