"""Names are printed in mails to strangers: letters and little else, and no two that look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.people.names import LONGEST, fold_name, free_name, name_from, read_name


@pytest.mark.parametrize("name", ["Anna", "O'Neil", "Jean-Luc", "Mr. Smith", "Анна", "דנה", "Chloé Dupont", "Łukasz 2"])
def test_people_may_be_called_so(name: str) -> None:
    assert read_name(f"  {name} ") == name


@pytest.mark.parametrize(
    "name", ["", "...", "1234", "a@b.example", "cheap.pills", "see www now", "https shop", "a<b", "x" * 41, "a\nb_c"]
)
def test_people_may_not_be_called_so(name: str) -> None:
    assert read_name(name) is None


@given(st.text(max_size=80))
def test_a_name_made_of_anything_is_a_name(text: str) -> None:
    name = name_from(text)
    assert read_name(name) == name
    assert len(name) <= LONGEST


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "anna"), ("Anna B", "AnnaB"), ("Chloé", "Chloe"), ("Вова", "Boba"), ("Bob", "B0b"), ("Lil", "1i1")],
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


def test_names_that_do_not_look_alike_are_not() -> None:
    names = ["Anna", "Hanna", "Анна", "Boris", "דנה", "דן"]
    assert len({fold_name(name) for name in names}) == len(names)


def test_a_name_that_is_taken_gets_a_number() -> None:
    taken = {fold_name(name) for name in ("Anna", "anna 2", "x" * 40)}
    assert free_name("Dov", taken.__contains__) == "Dov"
    assert free_name("Anna", taken.__contains__) == "Anna 3"
    assert free_name("x" * 40, taken.__contains__) == "x" * 38 + " 2"
