"""Remarks of people: any of them can be added anywhere, comes back as it was, and can be taken away without a trace."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation import ANNOTATION, COMMENT, GLYPH, VARIATION, Record, Remark, read_text, write_record
from pbem.books.remarks import (
    Place,
    add_remark,
    diagram_mark,
    make_remark,
    own_remarks,
    parse_place,
    place_words,
    remove_remark,
    without_own,
    wrong_variations,
)
from pbem.cli.sample import make
from tests.known_games import known_game

KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
GAMES = [make(known_game(key), 3, "remarks") for key in KEYS]

texts = st.one_of(
    st.tuples(st.just(COMMENT), st.text(max_size=40)),
    st.tuples(st.just(GLYPH), st.sampled_from(["!", "?", "!!", "??", "!?", "?!", "$7", "$139"])),
    st.tuples(st.just(ANNOTATION), st.sampled_from(["diagram", "diagram no", "clock 1:05 ] \\"])),
    st.tuples(st.just(VARIATION), st.just("1. end: abandoned {a pity}")),
)


def test_whatever_is_added_anywhere_comes_back_and_can_be_taken_away() -> None:
    @given(data=st.data())
    @settings(max_examples=150, deadline=None)
    def holds(data: Any) -> None:
        record = start = Record(GAMES[0].headers, GAMES[0].entries[:12])
        for kind, text in data.draw(st.lists(texts, max_size=8)):
            order = data.draw(st.integers(0, len(record.entries)))
            moves = len(record.entries[order].moves) if order < len(record.entries) else -1
            place = Place(order, data.draw(st.integers(-1, moves)))
            remark = make_remark(kind, text, record)
            assert isinstance(remark, Remark), remark
            added = add_remark(record, place, remark)
            if not isinstance(added, str):
                record = added
                assert remark._replace(at=place.at) in [each.remark for each in own_remarks(record)]
            else:
                assert added == "it stands there already"
        assert read_text(write_record(record))[0].record == record
        assert without_own(record) == start
        while placed := list(own_remarks(record)):
            number = data.draw(st.integers(1, len(placed)))
            taken = remove_remark(record, number)
            assert isinstance(taken, Record)
            left = [(each.place, each.remark) for each in placed if each.number != number]
            assert [(each.place, each.remark) for each in own_remarks(taken)] == left
            record = taken
        assert record == start

    holds()


@pytest.mark.parametrize("record", GAMES, ids=KEYS)
def test_every_place_has_words_that_lead_back_to_it(record: Record) -> None:
    for order, entry in enumerate(record.entries):
        for at in range(-1, len(entry.moves) + 1):
            assert parse_place(place_words(Place(order, at), record), record) == Place(order, at)
    assert parse_place("end", record) == Place(len(record.entries), -1)
    assert parse_place("start", record) == Place(0, -1)


def test_a_turn_means_what_a_player_did_in_it_and_not_the_dice() -> None:
    record = GAMES[2]
    order = next(order for order, entry in enumerate(record.entries) if entry.who == "*")
    number = record.entries[order].number
    found = parse_place(str(number), record)
    assert isinstance(found, Place)
    assert record.entries[found.entry].who != "*"
    assert parse_place(f"{number}.*", record) == Place(order, len(record.entries[order].moves))


@pytest.mark.parametrize("words", ["", "20.nobody", "#0", "#99999", "1/99", "9999", "20 red", "1.red/-1", "½", "#1;x"])
def test_what_is_no_place_is_said_in_a_sentence(words: str) -> None:
    assert isinstance(parse_place(words, GAMES[0]), str)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (GLYPH, "!!!"),
        (GLYPH, "! {two}"),
        (VARIATION, "1. red: lilca E4"),
        (VARIATION, "1. red: pass) {out} (1. red: pass"),
        (VARIATION, ""),
        (ANNOTATION, "diagram\n1. red: pass"),
        (ANNOTATION, "state 100d209d6d21a0d3e3f4a69e6c337d0b"),
        (ANNOTATION, "head 3 00"),
    ],
)
def test_what_is_not_one_remark_of_people_is_refused(kind: str, text: str) -> None:
    assert isinstance(make_remark(kind, text, GAMES[0]), str)


def test_a_mark_for_a_board_takes_the_place_of_the_other_one() -> None:
    record = GAMES[0]
    for text in ("diagram", "diagram no"):
        remark = make_remark(ANNOTATION, text, record)
        assert isinstance(remark, Remark)
        added = add_remark(record, Place(3, 1), remark)
        assert isinstance(added, Record)
        record = added
    assert [diagram_mark(each.remark) for each in own_remarks(record)] == [False]


def test_only_variations_that_are_new_are_called_wrong() -> None:
    record = GAMES[0]
    for number, wrong in ((5, 1), (6, 1)):
        remark = make_remark(VARIATION, f"{number}. red: pass", record)
        assert isinstance(remark, Remark)
        added = add_remark(record, Place(number - 1, 1), remark)
        assert isinstance(added, Record)
        assert len(wrong_variations(record, added)) == wrong
        record = added
