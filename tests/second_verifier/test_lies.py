"""Honest records of the second form are believed, and each kind of lie about them is found out."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.second_verifier.second_author import Author
from tests.second_verifier.second_forgeries import (
    change_secret,
    cut,
    double,
    drop,
    flip,
    redraw,
    remark,
    splice,
    swap,
)
from tests.second_verifier.second_history_lies import ABOUT_HISTORIES
from tests.second_verifier.second_lies import ABOUT_PEOPLE
from tests.second_verifier.second_scribe import Tale
from tests.second_verifier.second_table_lies import ABOUT_TABLES
from tests.second_verifier.second_verifier import check, notes, verify

LIES = {**ABOUT_PEOPLE, **ABOUT_TABLES, **ABOUT_HISTORIES}
LIVES = 40


@pytest.fixture(scope="module")
def records() -> Any:
    """Honest records, each with the scribe who wrote it."""
    return [(author.scribe, text) for author in map(Author, range(LIVES)) for text in author.records()]


def test_honest_records_are_believed(records: Any) -> None:
    kinds = Counter(event.kind for _, text in records for event in check(text)[0])
    assert len(records) > 2 * LIVES
    wanted = {"invited", "declined", "called-off", "restored", "rekeyed", "note.pencilled", "press", "ended"}
    assert wanted <= set(kinds)


@pytest.mark.parametrize("tell", LIES, ids=lambda tell: tell.__name__)
def test_a_lie_is_found_out_for_what_it_is(records: Any, tell: Any) -> None:
    found, chance = Counter[str](), Random(tell.__name__)
    for scribe, text in records:
        forged = tell(Tale(scribe, text, chance))
        if forged is None or forged == text:
            continue
        error = verify(forged)
        assert error is not None
        found[error.check] += 1
        if found.total() == 12:
            break
    assert found
    assert set(found) <= set(LIES[tell])


def test_slips_of_single_bits_and_lines_are_found_out(records: Any) -> None:
    chance, done = Random("slips"), Counter[str]()
    for place, (_, text) in enumerate(records[::3]):
        for slip in (flip, flip, drop, swap, double, cut, splice, redraw, change_secret, remark):
            forged = slip(text, chance, records[3 * place - 3][1])
            if forged is not None and forged != text:
                assert verify(forged) is not None, slip.__name__
                done[slip.__name__] += 1
    assert len(done) == 9


def test_nothing_of_a_text_need_be_told() -> None:
    """Whoever is forgotten: the record verifies, and says how much is withheld."""
    author = Author(4)
    *_, text = author.records()
    events, _ = check(text)
    told = [(event.seq, told) for event in events for told in event.told]
    tale = Tale(author.scribe, text, author.chance)
    forgotten = tale.write([event._replace(told=()) for event in events])
    after, _ = check(forgotten)
    assert [event.hash for event in after] == [event.hash for event in events]
    names = sum(told.field.startswith("name") for _, told in told if told.field != "words")
    notes_only = sum(
        events[seq - 1].kind.startswith("note.") and events[seq - 1].kind not in ("note.excused", "note.changed")
        for seq, _ in told
    )
    before, now = notes(events), notes(after)
    assert names
    assert now.names - before.names == names
    assert now.words - before.words == len(told) - names - notes_only
    assert all(each.text not in re.sub(r"\[%event .*", "", forgotten) for _, each in told if len(each.text) > 9)


def test_notes_tell_what_was_passed_over_and_who_vouches_for_no_key() -> None:
    author = Author(1, kinds=["note"])
    author.fill(calls_off=False)
    author.something()
    author.rekey(vouched=True)
    author.rekey(vouched=False)
    author.something()
    author.something()
    events, _ = check(author.text())
    told = notes(events)
    assert sorted(told.passed_over) == sorted(
        {event.kind for event in events if event.kind in ("note.pen", "note.weather-report")}
    )
    assert told.unvouched == [event.seq for event in events if event.kind == "rekeyed"][1:]
    assert notes(events, author.scribe.public(2)).unvouched == []
    assert verify(author.text(), author.scribe.public(2)) is None
    assert verify(author.text(), author.scribe.public(0)).check == "signature"
