"""The notation of both games of the Brotherhood: lenient in, canonical out, by a table beside this file."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PUBLIC, KeyedDealer, Setup, Verdict
from engine.brotherhood import moves as m
from engine.brotherhood.base_game import GAME
from notation import Fault, read_moves, write_moves
from notation.games import brotherhood
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases

DOCUMENT = (Path(__file__).parents[2] / "docs/notation.md").read_text("utf-8")

PHRASES = [
    tuple(part.strip(" ") for part in line.split("  =>"))
    for line in Path(__file__).with_name("phrases-of-brotherhood.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
READ = [(said, written) for said, written in PHRASES if written != "!"]


@pytest.mark.parametrize(("said", "written"), READ)
def test_a_phrase_is_understood_and_written_in_canonical_form(said: str, written: str) -> None:
    moves = read_moves(GAME, said)
    assert not isinstance(moves, Fault), moves.render()
    assert write_moves(GAME, moves) == written
    assert read_moves(GAME, written) == moves


@pytest.mark.parametrize("said", [said for said, written in PHRASES if written == "!"])
def test_a_phrase_that_says_nothing_clear_is_not_guessed(said: str) -> None:
    assert isinstance(read_moves(GAME, said), Fault)


def test_every_kind_of_move_stands_in_the_table() -> None:
    moves = [move for _, written in READ for move in read_moves(GAME, written)]
    assert {type(move) for move in moves} == {*m.WATCH}


def test_amounts_are_counts_in_the_order_of_the_resources() -> None:
    assert read_moves(GAME, "trade 3 ore: lumber") == (m.Trade((0, 0, 0, 0, 3), (1, 0, 0, 0, 0)),)
    assert read_moves(GAME, "offer 2 brick for grain to red") == (m.Offer((0, 2, 0, 0, 0), (0, 0, 0, 1, 0), "red"),)


def test_whoever_is_not_understood_is_told_what_was_expected() -> None:
    fault = read_moves(GAME, "trade 3 wool ore")
    assert isinstance(fault, Fault)
    assert "for" in fault.expected
    fault = read_moves(GAME, "setlement 17")
    assert isinstance(fault, Fault)
    assert fault.meant == "settlement"


pieces = st.sampled_from(
    [
        *("road", "17-18", "17", "R17-18", "S18", "K", "offer", "2 wool", "ore", "for", ":", "to", "blue", "any"),
        *("accept", "no", "trade", "discard", "nothing", "ranger", "tormund H", "winter", "roads", "draw", "hidden"),
        *("melisandre", "mormont ore", "from", "swap", "tarly", "benjen", "ice-river", "dice", "3 4", "end", ";"),
    ]
)


@settings(max_examples=500)
@given(st.lists(pieces, min_size=1, max_size=6), st.sampled_from([" ", ", "]), st.integers(0, 5))
def test_a_phrase_in_pieces_means_what_it_means_as_a_whole(several: list[str], between: str, at: int) -> None:
    phrase = between.join([" ".join(several[:at]), " ".join(several[at:])]).strip(", ")
    reader = Phrases(brotherhood.NOTATION)
    whole = reader.parse(phrase)
    assert reader.read(phrase) == (whole if isinstance(whole, Unexpected) else whole.moves)


def test_the_words_of_other_languages_in_the_document_are_understood() -> None:
    moves = DOCUMENT[DOCUMENT.index("### Moves of the Brotherhood") : DOCUMENT.index("## Endings and results")]
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", moves, re.MULTILINE)
    rows = [(word, cells) for word, cells in rows if cells.count("|") == 3]
    assert len(rows) == 22
    patterns = {
        **dict.fromkeys(m.RESOURCES, "take {}"),
        "trade": "{} 4 wool: ore",
        "offer": "{} wool for ore",
        "discard": "{} ore",
        "road": "{} 17-18",
        "tormund": "{} H",
        "ranger": "{} H",
        "swap": "{} tarly",
        "settlement": "{} 17",
        "keep": "{} 17",
        "guard": "{} 2",
    }
    for word, cells in rows:
        for other in re.split(r"[,|]", cells):
            pattern = patterns.get(word, "{}")
            assert read_moves(GAME, pattern.format(other.strip())) == read_moves(GAME, pattern.format(word)), other


def test_every_member_of_a_view_stands_in_the_document() -> None:
    start = GAME.start(GAME.lay_out(Setup(GAME.seats), KeyedDealer(b"1")))
    assert not isinstance(start, Verdict)
    told = re.findall(
        r"`(\w+)`", DOCUMENT[DOCUMENT.index("public view of the two games") : DOCUMENT.index("## Faults")]
    )
    assert set(GAME.view(start, PUBLIC)) <= set(told)
