"""A guest game needs a grammar, its moves and an example; the phrasebook's own docstring shows how."""

import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from engine import registry
from notation import Fault, Phrasebook, Words, phrasebook, read_moves, read_text, write_moves, write_record
from notation.headers import proper_names
from notation.phrases import phrases

GAME: Any = SimpleNamespace(key="ace-and-king")


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The game of the docstring, as if a package of that name were installed."""
    module = ModuleType("ace_and_king")
    text = inspect.getdoc(phrasebook) or ""
    example = text[text.index("    from dataclasses") : text.index("That reads")]
    exec(compile(textwrap.dedent(example), "docstring", "exec"), module.__dict__)  # noqa: S102 - our own words
    find_package = registry.find_package
    monkeypatch.setattr(registry, "find_package", lambda key: module if key == "ace-and-king" else find_package(key))
    phrases.cache_clear()
    yield module
    phrases.cache_clear()
    proper_names.cache_clear()


def test_the_example_in_the_docstring_does_what_it_says(guest: ModuleType) -> None:
    assert read_moves(GAME, "Take KING 2") == (guest.Take("king", 2),)
    assert write_moves(GAME, [guest.Take("king", 2)]) == "take king 2"
    assert write_moves(GAME, [guest.Dice((6, 3)), guest.Take("ace", 1)]) == "dice 6 3, take ace 1"


def test_a_guest_is_told_about_its_own_notation(guest: ModuleType) -> None:
    fault = read_moves(GAME, "take quene 2")
    assert isinstance(fault, Fault)
    assert (fault.read, fault.expected, fault.example) == ("quene", ("a card: ace or king",), "take ace 3")
    fault = read_moves(GAME, "tkae ace 2")
    assert isinstance(fault, Fault)
    assert (fault.meant, fault.example) == ("take", "take ace 2")
    assert fault.expected == ("dice", "take")


def test_a_record_of_a_guest_is_read_and_written_with_remarks_in_their_places(guest: ModuleType) -> None:
    text = '[Game "ace-and-king"]\n\n1. *: dice 6 3\n1. north: take ace 3! {first}, take king 1\n2. end: normal\n'
    [reading] = read_text(text)
    assert reading.record is not None
    assert reading.record.entries[1].moves == (guest.Take("ace", 3), guest.Take("king", 1))
    assert [remark.at for remark in reading.record.entries[1].remarks] == [1, 1]
    assert write_record(reading.record) == text


@pytest.mark.parametrize(
    "line", ["1. north", "1. north:", "1. north: take ace 3 {", "1. north: take ace 3 ()", "1. north: dice"]
)
def test_the_examples_for_a_guest_are_of_its_own_game(guest: ModuleType, line: str) -> None:
    [reading] = read_text(f'[Game "ace-and-king"]\n{line}\n')
    [fault] = reading.faults
    [again] = read_text(f'[Game "ace-and-king"]\n{fault.example}\n')
    assert again.faults == ()
    assert "ace" in fault.example


def test_a_word_with_blanks_or_signs_is_quoted_when_written() -> None:
    @dataclass(frozen=True)
    class Say:
        words: str

    book = Phrasebook(
        grammar=r"""
            moves: say ("," say)*
            say: "say"i (WORD | STRING)
            WORD: /\w+/
            STRING: /"(?:[^"\\]|\\.)*"/
            %ignore " "
        """,
        moves={"say": Say},
        example="say hello",
    )
    assert book.phrase((Say("hello"), Say('a "b", c'))) == 'say hello, say "a \\"b\\", c"'


def test_a_game_that_nobody_knows_is_kept_word_for_word() -> None:
    text = '[Game "senet"]\n\n1. left: throw 4, "a {b} c" {hm}, rest (1. left: stay)\n2. end: agreed\n'
    [reading] = read_text(text)
    assert reading.record is not None
    assert reading.record.game is None
    assert reading.record.entries[0].moves == (Words('throw 4, "a {b} c"'), Words("rest"))
    assert write_record(reading.record) == text


def test_a_record_without_a_game_is_kept_too() -> None:
    [reading] = read_text("1. red: lilac  F4\n")
    assert reading.record is not None
    assert write_record(reading.record) == "1. red: lilac F4\n"
