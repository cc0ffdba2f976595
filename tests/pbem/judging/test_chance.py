"""A game with dice, a hidden card and several seats due at once is heard like any other."""

import re

import pytest

from engine import registry
from engine.game import CHANCE
from notation import Entry, Record, read_text, write_record
from pbem.cli.sample import make
from pbem.judging.record_replay import replay_record


@pytest.fixture(scope="module")
def record() -> Record:
    guest = registry.find_game("shy-well")
    assert guest is not None, "the guest of examples/ is not installed"
    return make(guest, 3, "chance", digests=1)


def spoiled(record: Record, index: int, *entries: Entry) -> Record:
    return Record(record.headers, (*record.entries[:index], *entries, *record.entries[index + 1 :]))


def test_what_chance_did_stands_in_the_record_and_is_judged(record: Record) -> None:
    assert CHANCE in {entry.who for entry in record.entries}
    (reading,) = read_text(write_record(record))
    assert reading.record == record
    assert replay_record(record).refusal is None
    assert replay_record(record).over


def test_chance_cannot_play_where_nothing_is_to_be_drawn(record: Record) -> None:
    index = next(index for index, entry in enumerate(record.entries) if entry.who != CHANCE)
    refusal = replay_record(spoiled(record, index, record.entries[index]._replace(who=CHANCE))).refusal
    assert refusal is not None
    assert refusal.code == "RC-W2"


def test_nobody_plays_for_chance(record: Record) -> None:
    first = record.entries[0]
    assert first.who == CHANCE
    refusal = replay_record(spoiled(record, 0, first._replace(who=record.seats[0]))).refusal
    assert refusal is not None
    assert refusal.code.startswith("SW-")


def test_seats_that_are_due_together_may_answer_in_any_order(record: Record) -> None:
    index = next(
        index
        for index, (entry, following) in enumerate(zip(record.entries, record.entries[1:], strict=False))
        if entry.number == following.number and CHANCE not in (entry.who, following.who)
    )
    first, second = (entry._replace(remarks=()) for entry in record.entries[index : index + 2])
    swapped = spoiled(spoiled(record, index, second), index + 1, first)
    assert replay_record(swapped, until=first.number).refusal is None


def test_a_result_that_rests_on_hidden_values_is_refused() -> None:
    nomadi = registry.find_game("nomadi")
    assert nomadi is not None
    text = write_record(make(nomadi, 3, "hidden"))
    (reading,) = read_text(re.sub(r"(card \w+) [+-]\d", r"\1 hidden", text))
    assert reading.record is not None
    assert reading.record != make(nomadi, 3, "hidden")
    refusal = replay_record(reading.record).refusal
    assert refusal is not None
    assert refusal.code == "RC-R3"
    assert "rest on what this copy of the record hides" in str(refusal.verdict)
