"""A record as JSON and back: nothing is lost, nothing is dropped in silence, and no data break out of their place."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from notation import read_text, write_record
from pbem.cli.schema import schema_of
from pbem.exchange.record_json import FORM, record_from_json, record_to_json
from pbem.judging.entries import fill_in_numbers, tidy_headers

ANNOTATED = """[Game "through-the-desert"]
[Seat.red "Anna \\"the fox\\""]
[Seat.blue "Борис"]
[Mood "sunny \\\\ dry"]

{above
two lines}
1. red: {before} leader lilac E4! {far \\} off} [%state 0f] \
({first} 1. red: leader mint E4 $140 | 2. blue: (2. blue: leader lemon D4) leader mint F4)
2. blue: leader mint K9?! {done}
{after all}
[%head 3]
"""


def as_fmt_writes(text: str) -> list[Any]:
    return [fill_in_numbers(tidy_headers(each.record)) for each in read_text(text) if each.record is not None]


def test_every_record_comes_back_to_the_byte_and_keeps_the_schema(root: Path) -> None:
    holds = Draft202012Validator(schema_of("record-json"))
    files = [*(root / "tests/records").rglob("*.turns"), *(root / "examples").glob("*.turns")]
    assert len(files) > 300
    for file in files:
        for record in as_fmt_writes(file.read_text("utf-8")):
            told = json.dumps(record_to_json(record), ensure_ascii=False)
            assert not list(holds.iter_errors(json.loads(told))), file
            back = record_from_json(json.loads(told))
            assert (back.problems, back.unmapped) == ((), ()), file
            assert back.record is not None
            assert write_record(back.record) == write_record(record), file


def test_remarks_come_back_in_their_places() -> None:
    [record] = as_fmt_writes(ANNOTATED)
    back = record_from_json(json.loads(json.dumps(record_to_json(record))))
    assert back.record == record
    assert write_record(record).count("{") == 6


def test_a_game_that_is_not_known_here_comes_back_too() -> None:
    text = '[Game "chess"]\n[Seat.white "A"]\n\n1. white: e4 {best} c5, x=1\n2. black: Nf3+\n'
    [record] = as_fmt_writes(text)
    back = record_from_json(json.loads(json.dumps(record_to_json(record))))
    assert back.record is not None
    assert write_record(back.record) == write_record(record)


def game(**changed: object) -> dict[str, object]:
    entry = {"turn": 1, "who": "red", "moves": ["leader lilac E4"]}
    headers = [["Game", "through-the-desert"], ["Seat.red", "Anna"], ["Seat.blue", "Boris"]]
    return {"form": FORM, "headers": headers, "entries": [entry], **changed}


def test_what_is_written_by_hand_is_read_as_leniently_as_a_letter() -> None:
    read = record_from_json(game(entries=[{"turn": None, "who": "RED", "moves": ["Leader  l e4"]}]))
    assert read.record is not None
    assert "red: leader lilac E4" in write_record(read.record)


def test_what_has_no_place_is_listed_with_its_place() -> None:
    entry = {
        "turn": 1,
        "who": "red",
        "moves": ["leader lilac E4"],
        "rating": 1820,
        "remarks": [{"at": 0, "comment": "x", "by": "Ewa"}],
    }
    read = record_from_json(game(entries=[entry], site="club"))
    assert read.record is not None
    assert {(each.place, each.what) for each in read.unmapped} == {
        ("the game", "site: 'club'"),
        ("entry 1", "rating: 1820"),
        ("entry 1, remark 1", "by: 'Ewa'"),
    }


WRONG: list[tuple[object, str]] = [
    (None, "the game: is no object"),
    ({}, "its form is None"),
    (game(form="caravan-post-record/9"), "caravan-post-record/9"),
    (game(headers=[["Game"]]), "header 1"),
    (game(headers=[["Ga me", "x"]]), "header 1: name"),
    (game(entries={}), "entries: is no list"),
    (game(entries=[{"turn": True, "who": "red", "moves": []}]), "entry 1: turn"),
    (game(entries=[{"turn": 1, "who": "red:", "moves": []}]), "entry 1: who"),
    (game(entries=[{"turn": 1, "who": "red", "moves": ["leader lilac E4\n2. blue: pass"]}]), "entry 1, move 1"),
    (game(entries=[{"turn": 1, "who": "red", "moves": ["lilac E4 {x}"]}]), "entry 1, move 1"),
    (game(entries=[{"turn": 1, "who": "red", "moves": ["lalala"]}]), "entry 1: NT-"),
    (game(entries=[{"turn": 1, "who": "red", "moves": [], "remarks": [{"at": 1, "comment": "x"}]}]), "stands at 1"),
    (game(entries=[{"turn": 1, "who": "red", "moves": [], "remarks": [{"at": 0}]}]), "entry 1, remark 1"),
    (game(afterword=[{"at": -1, "annotation": "x] [%y"}]), "annotation"),
    (game(afterword=[{"at": -1, "glyph": "{"}]), "glyph"),
    (game(afterword=[{"at": -1, "variation": []}]), "afterword: NT-"),
]


@pytest.mark.parametrize(("given", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_is_no_game_says_where_and_why(given: object, said: str) -> None:
    read = record_from_json(given)
    assert read.record is None
    assert said in read.problems[0]


@pytest.mark.parametrize("text", ["} 9. red: pass {", '"] [Mood "x', "\n\n[Format", "\\}", "\u2028\x07"])
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    remark = {"at": 0, "comment": text}
    entry = {"turn": 1, "who": "red", "moves": ["leader lilac E4"], "remarks": [remark]}
    read = record_from_json(game(entries=[entry], headers=[["Game", "through-the-desert"], ["Note", text]]))
    assert read.record is not None
    assert read.record.header("Note") == text
    assert read.record.entries[0].remarks[0].value == text
    again = read_text(write_record(read.record))[0].record
    assert again == read.record
