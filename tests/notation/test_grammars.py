"""The grammars: LALR(1) without conflicts, laid out as documents, and run by our machine as by Lark itself."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

import notation
from engine.registry import IN_HOUSE
from notation.lalr.grammar import make_parser, read_grammar
from notation.lalr.parser import LexToken, Unexpected
from notation.phrasebook import find_phrasebook
from notation.table_words import WORDS as WORDS_OF_THE_TABLE

BOOKS = {f"games/{home.folder}": find_phrasebook(home.key) for home in IN_HOUSE.values()}
STARTS = {
    "record": ("line", "headers", "record", "plain"),
    "table": ("moves", *WORDS_OF_THE_TABLE, "result"),
    **{name: book.starts for name, book in BOOKS.items() if book is not None},
}
KEYWORDS = """
start: item ("," item)*
?item: "take" WORD NUMBER? -> take
     | "Drop"i WORD        -> drop
     | pair
     | "(" start ")"
!pair: WORD "=" WORD
_odd: WORD
WORD: /[a-z]+/
NUMBER.2: /-?[0-9]+/
MINUS: "-"
%ignore " "
%ignore MINUS
"""
WORDS = {
    "record": ["1. red:", "blue:", "lilac", "F4", ",", "{a \\} b}", "!?", "$12", "[%x y]", *"()|\n[].", '"q"', "Id"],
    "table": ["resigned", "RED", "red", "and", ",", '"why"', "normal", "63", "won", "*", "adjudicated", "time", "turn"],
    "games/through_the_desert": [
        "lilac",
        "L",
        "f4",
        "K13",
        ",",
        "and",
        "leader",
        "remove",
        "pass",
        "green",
        "->",
        "зелёный",
        "q",
    ],
    "games/nomadi": [
        "place",
        "P19",
        "6",
        "F12-I15",
        "offer",
        "take",
        "dice",
        "card",
        "+2",
        "hidden",
        "give",
        "red",
        ",",
        '"a"',
    ],
    "games/brotherhood": [
        *("trade", "3", "wool", ":", "ore", ",", ";", "and", "offer", "for", "to", "any", "blue", "road", "17-18"),
        *("R17-18", "S18", "K", "ranger", "tormund", "H", "winter", "draw", "hidden", "benjen", "ice-river", "дорога"),
        *("swap", "tarly", "end", "q"),
    ],
}


def grammar_of(name: str) -> str:
    """The text of a grammar, with the words of all languages in it."""
    book = BOOKS.get(name)
    return read_grammar(name) if book is None else book.grammar


@pytest.mark.parametrize("name", STARTS)
def test_a_grammar_is_lalr_without_conflicts_and_its_words_do_not_collide(name: str) -> None:
    Lark(grammar_of(name), parser="lalr", start=list(STARTS[name]), strict=True, maybe_placeholders=False)


@pytest.mark.parametrize("name", STARTS)
def test_a_grammar_opens_with_what_it_is_about(name: str) -> None:
    opening, blank, *_ = read_grammar(name).split("\n\n")
    assert all(line.startswith("//") for line in opening.splitlines())
    assert len(opening) > 100
    assert blank


def test_every_grammar_in_the_folder_is_tested_here() -> None:
    folder = Path(notation.__file__).parent
    found = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.lark")}
    assert found == STARTS.keys()


def ours(grammar: str, starts: tuple[str, ...], start: str, text: str) -> Any:
    parser = make_parser(grammar, *starts)
    return parser.parse(text, start, lambda rule, parts, _end: (rule, [_plain(part) for part in parts]))


def larks(parser: Lark, start: str, text: str) -> Any:
    try:
        return _plain(parser.parse(text, start=start))
    except UnexpectedInput:
        return None


def _plain(part: Any) -> Any:
    if isinstance(part, Tree):
        return str(part.data), [_plain(child) for child in part.children]
    if isinstance(part, Token):
        return part.type, str(part)
    return (part.kind, part.text) if isinstance(part, LexToken) else part


@cache
def lark(grammar: str, starts: tuple[str, ...]) -> Lark:
    return Lark(grammar, parser="lalr", start=list(starts), maybe_placeholders=False)


def compare(grammar: str, starts: tuple[str, ...], texts: Sequence[str]) -> None:
    parser = lark(grammar, starts)
    for text in texts:
        for start in starts:
            read = ours(grammar, starts, start, text)
            expected = larks(parser, start, text)
            assert (None if isinstance(read, Unexpected) else _plain(read)) == expected, (start, text)


def example(name: str) -> str:
    book = BOOKS[name]
    assert book is not None
    return book.example


@pytest.mark.parametrize("name", STARTS)
@settings(max_examples=40)
@given(data=st.data())
def test_our_machine_reads_like_lark(name: str, data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(WORDS.get(name) or [*example(name).split(), ",", "q"]), max_size=9)
    texts = data.draw(st.lists(words.map(" ".join) | words.map("".join), min_size=5, max_size=5))
    compare(grammar_of(name), STARTS[name], texts)


@settings(max_examples=40)
@given(st.lists(st.text(alphabet="takedrop =,()-19 ", max_size=14), min_size=5, max_size=5))
def test_our_machine_treats_keywords_and_ignored_words_like_lark(texts: list[str]) -> None:
    known = ["take a", "drop x, DROP y", "take take 3", "a=b", "(take a, drop b)", "- take - a -3", "tak = e"]
    compare(KEYWORDS, ("start",), [*texts, *known])
