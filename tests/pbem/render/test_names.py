"""Players' own words cannot break or scramble what stands around them."""

from typing import Any

import pytest

from pbem.render.players import LONGEST, SIGN, shorten, show_name, show_number


@pytest.mark.parametrize(
    "name", ["Anna Nowak", "Борис", "שרה לוי", "Zoë O'Neil", "عمر", "李", "\N{DROMEDARY CAMEL} Kamila"]
)
def test_an_honest_name_stays_as_it_is(name: str) -> None:
    assert show_name(name) == name


@pytest.mark.parametrize("turner", list("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"))
def test_a_character_that_turns_the_direction_is_shown_and_disarmed(turner: str) -> None:
    assert show_name(f"an{turner}na") == f"an{SIGN}na"


@pytest.mark.parametrize("control", ["\0", "\x1b", "\x7f", "\u200b", "\ufeff", "\ud800", "\uffff", "\ue000"])
def test_a_character_that_breaks_markup_or_hides_is_shown_and_disarmed(control: str) -> None:
    assert show_name(f"an{control}na") == f"an{SIGN}na"


def test_a_name_stays_on_one_line() -> None:
    assert show_name(" Anna\r\nBcc: all\u2028x\t") == "Anna Bcc: all x"


def test_accents_do_not_pile_up() -> None:
    assert show_name("q" + "\u0301" * 50) == "q\u0301\u0301"


def test_a_long_name_is_cut_visibly() -> None:
    assert show_name("x" * 5000) == "x" * (LONGEST - 1) + "…"
    assert shorten("camel", 5) == "camel"


@pytest.mark.parametrize(
    ("number", "shown"), [(-2, "\N{LEFT-TO-RIGHT MARK}-2"), ("+3", "\N{LEFT-TO-RIGHT MARK}+3"), (4, "4")]
)
def test_a_number_keeps_its_sign_at_its_left_in_a_sentence_that_runs_right_to_left(number: Any, shown: str) -> None:
    assert show_number(number, rtl=True) == shown
    assert show_number(number, rtl=False) == str(number)
