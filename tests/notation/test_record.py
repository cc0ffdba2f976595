"""What a record says of itself, and what the table says in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel, Leader, Pass
from notation import (
    VARIATION,
    WORDS,
    Ending,
    Entry,
    Paused,
    Record,
    Resumed,
    Seated,
    Standing,
    Undone,
    read_result,
    read_text,
    write_entry,
    write_record,
    write_result,
)
from notation.headers import sort_headers

HEADERS = (
    ("Format", "1"),
    ("Game", "through-the-desert"),
    ("Rules", "1"),
    ("Id", "sirocco-7"),
    ("Board", "standard"),
    ("Seat.blue", "Boris"),
    ("Seat.red", "Anna"),
    ("Oases", "B8 D3 H11 M7 Q3"),
    ("Water", "A6=2"),
    ("Herds", "30"),
    ("Result", "*"),
    ("Annotator", "Zoë"),
    ("Event", "none"),
)


def read_one(text: str) -> Record:
    [reading] = read_text(text)
    assert reading.record is not None, [fault.render() for fault in reading.faults]
    return reading.record


@given(st.permutations(HEADERS))
def test_headers_are_written_in_one_order_but_seats_keep_theirs(shuffled: list[tuple[str, str]]) -> None:
    seats = [header for header in shuffled if header[0].startswith("Seat.")]
    others = [header for header in HEADERS if not header[0].startswith("Seat.")]
    assert list(sort_headers(shuffled)) == others[:5] + seats + others[5:]


def test_a_record_knows_its_game_its_seats_and_its_options() -> None:
    record = Record(HEADERS)
    assert record.game is GAME
    assert record.setup.seats == ("blue", "red")
    assert record.setup.option("Herds") == "30"
    assert record.setup.option("Annotator") is None
    assert record.header("Id") == "sirocco-7"
    assert record.header("Nothing") is None


@pytest.mark.parametrize(("game", "rules"), [("senet", "1"), ("through-the-desert", "0")])
def test_a_game_or_an_edition_that_is_not_here_is_none(game: str, rules: str) -> None:
    record = Record((("Game", game), ("Rules", rules)))
    assert record.game is None
    assert record.setup.options == ()


def test_two_entries_that_say_the_same_are_equal_wherever_they_stand() -> None:
    entry = Entry(1, "red", (Ending("normal"),), (), line=7)
    assert entry == entry._replace(line=8)
    assert hash(entry) == hash(entry._replace(line=8))
    assert entry != entry._replace(number=2)
    assert entry != (1, "red", (Ending("normal"),), (), 7)


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        ("normal", Ending("normal")),
        ("Resigned RED", Ending("resigned", ("red",))),
        ("resigns red and blue", Ending("resigned", ("red", "blue"))),
        ("agreed", Ending("agreed")),
        ("time red", Ending("time", ("red",))),
        ("timeout: red", Ending("time", ("red",))),
        ("abandoned", Ending("abandoned")),
        ('adjudicated "red never \\"came\\" back"', Ending("adjudicated", (), 'red never "came" back')),
        ('normal "a fine game"', Ending("normal", (), "a fine game")),
        ('adjudicated red ""', Ending("adjudicated", ("red",), "")),
    ],
)
def test_an_ending_is_an_entry_like_any_other(said: str, ending: Ending) -> None:
    record = read_one(f'[Game "through-the-desert"]\n58. End: {said}')
    assert record.entries == (Entry(58, "end", (ending,)),)
    assert read_one(write_record(record)) == record


@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        ("end: resigned rood", "end: resigned red"),
        ("end: time R, синий", "end: time red blue"),
        ("resign: b", "resign: blue"),
        ('substitute: czerwony "Dana"', 'substitute: red "Dana"'),
        ("end: resigned purple", "end: resigned purple"),
    ],
)
def test_the_table_calls_seats_as_the_game_does(said: str, canonical: str) -> None:
    record = read_one(f'[Game "through-the-desert"]\n31. {said}')
    assert write_record(record) == f'[Game "through-the-desert"]\n\n31. {canonical}\n'
    assert read_one(write_record(record)) == record
    [nobody] = read_one('[Game "senet"]\n31. end: resigned rood').entries
    assert nobody.moves == (Ending("resigned", ("rood",)),)


@pytest.mark.parametrize(
    "said", ["resigned", "time", "adjudicated", "adjudicated red", "normal red", "lost", "normal normal"]
)
def test_an_ending_says_all_that_it_must(said: str) -> None:
    [reading] = read_text(f"58. end: {said}")
    [fault] = reading.faults
    assert fault.code in ("NT-M1", "NT-M2")
    assert fault.example == "58. end: normal"


@pytest.mark.parametrize(
    ("said", "canonical", "move"),
    [
        ("Undo: to turn 29", "undo: turn 29", Undone(29)),
        ("undo: 29", "undo: turn 29", Undone(29)),
        ('PAUSE: "a vote"', 'pause: "a vote"', Paused("a vote")),
        ('resume : "a vote"', 'resume: "a vote"', Resumed("a vote")),
        ('substitute: Red, "Dana"', 'substitute: red "Dana"', Seated("red", "Dana")),
    ],
)
def test_what_happens_at_the_table_is_an_entry_too(said: str, canonical: str, move: object) -> None:
    [entry] = read_one(f"31. {said}").entries
    assert entry.moves == (move,)
    assert write_entry(entry, None) == f"31. {canonical}"


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_table_that_is_not_understood_is_explained_by_its_own_example(word: str) -> None:
    [reading] = read_text(f"31. {word}: nonsense 1")
    [fault] = reading.faults
    assert fault.example == f"31. {word}: {WORDS[word]}"
    assert read_one(fault.example)


@pytest.mark.parametrize(
    ("text", "standings"),
    [
        ("*", ()),
        ("red 63 won, blue 51", (Standing("red", 63, True), Standing("blue", 51))),
        ("red won, blue won", (Standing("red", None, True), Standing("blue", None, True))),
        ("red -3, blue", (Standing("red", -3), Standing("blue"))),
    ],
)
def test_a_result_names_every_seat_with_its_points_and_the_winners(text: str, standings: tuple[Standing, ...]) -> None:
    assert read_result(text) == standings
    assert write_result(standings) == text


@pytest.mark.parametrize("above", ["{so}\n", "{so} (1. red: L e4)\n", "(1. red: L e4)\n\n{so}\n(1. red: pass)\n"])
@pytest.mark.parametrize("between", ["", '[Seat.red "Anna"]\n'])
def test_what_stands_above_the_headers_is_read_by_the_game_that_they_name(above: str, between: str) -> None:
    record = read_one(
        f'{between}{above}[Game "through-the-desert"]\n\n1. red: leader mint K9\n2. blue: leader lilac E4'
    )
    assert record.entries[0].moves == (Leader("mint", "K9"),)
    assert [remark.value for remark in record.entries[0].remarks if remark.kind == VARIATION] == [
        (Entry(1, "red", (move,)),) for move in [Camel("lilac", "E4"), Pass()][: above.count("(")]
    ]
    assert read_one(write_record(record)) == record


def test_a_slip_above_the_headers_is_told_at_its_place() -> None:
    [reading] = read_text('{so}\n(1. red: lilca E4)\n[Game "through-the-desert"]\n1. red: pass')
    assert [(fault.code, fault.line, fault.column) for fault in reading.faults] == [("NT-M1", 2, 10)]


def test_one_entry_can_be_written_alone() -> None:
    [first, second] = read_one('[Game "through-the-desert"]\n1. red: L e4 {x}\n{y}\n2. end: agreed').entries
    assert write_entry(first, GAME) == "1. red: lilac E4 {x}"
    assert write_entry(second, None) == "{y}\n2. end: agreed"
