"""Nothing is lost: reading what was written gives the same record, and canonical text is stable to the byte."""

from hypothesis import given, settings
from hypothesis import strategies as st

from notation import Record, read_text, write_games, write_record
from notation.headers import brace, quote, unbrace, unquote
from tests.notation.desert_records import records, texts


def read_one(text: str) -> Record:
    [reading] = read_text(text)
    assert [fault.render() for fault in reading.faults] == []
    assert reading.record is not None
    return reading.record


@settings(max_examples=60)
@given(records())
def test_reading_what_was_written_gives_the_same_record(record: Record) -> None:
    assert read_one(write_record(record)) == record


@settings(max_examples=50)
@given(records())
def test_canonical_text_is_stable_to_the_byte(record: Record) -> None:
    text = write_record(record)
    assert write_record(read_one(text)) == text


@settings(max_examples=20)
@given(st.lists(records().filter(lambda record: record.entries), min_size=1, max_size=3))
def test_several_games_in_a_file_stay_apart(several: list[Record]) -> None:
    readings = read_text("".join(write_games(several)))
    assert [reading.record for reading in readings] == several


@settings(max_examples=30)
@given(records())
def test_dropping_all_remarks_leaves_the_game_as_it_was(record: Record) -> None:
    bare = Record(record.headers, tuple(entry._replace(remarks=()) for entry in record.entries))
    spoken = [(entry.number, entry.who, entry.moves) for entry in read_one(write_record(record)).entries]
    assert spoken == [(entry.number, entry.who, entry.moves) for entry in read_one(write_record(bare)).entries]


@settings(max_examples=30)
@given(records())
def test_line_ends_of_other_systems_change_nothing(record: Record) -> None:
    text = write_record(record)
    assert read_one("\ufeff" + text.replace("\n", "\r\n")) == record


@given(texts)
def test_any_text_comes_back_from_quotation_marks_and_braces(text: str) -> None:
    assert unquote(quote(text)) == text
    assert unbrace(brace(text)) == text


@given(st.text(alphabet='\\nu"}{0d8\x00\x85\u2028', max_size=12))
def test_texts_full_of_escapes_come_back_too(text: str) -> None:
    assert unquote(quote(text)) == text
    assert unbrace(brace(text)) == text
    assert "\n" not in quote(text)
