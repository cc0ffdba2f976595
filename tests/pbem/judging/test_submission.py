"""What a player sends in is judged after the record, and nothing is changed by it."""

import pytest

from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel
from notation import Ending, Entry, Record, write_moves
from pbem.judging.record_replay import replay_record
from pbem.judging.submission import SubmissionResult, judge_submission


@pytest.fixture(scope="module")
def middle(duel: Record) -> tuple[Record, Entry]:
    """A game of two after turn 20, and what was played next."""
    headers = tuple((name, "*" if name == "Result" else value) for name, value in duel.headers)
    return Record(headers, duel.entries[:20]), duel.entries[20]


def rule(middle: tuple[Record, Entry], text: str, seat: str | None = None) -> SubmissionResult:
    record, following = middle
    return judge_submission(replay_record(record), seat or following.who, text)


def test_a_whole_turn_stands_and_leads_to_its_position(middle: tuple[Record, Entry], duel: Record) -> None:
    ruling = rule(middle, write_moves(GAME, middle[1].moves).upper())
    assert ruling.is_legal
    assert ruling.complete
    assert ruling.turn == 21
    assert ruling.phrase == write_moves(GAME, middle[1].moves)
    assert ruling.position == replay_record(duel, until=21).position


def test_half_a_turn_stands_and_says_what_is_missing(middle: tuple[Record, Entry]) -> None:
    ruling = rule(middle, write_moves(GAME, middle[1].moves[:1]))
    assert ruling.is_legal
    assert not ruling.complete
    assert ruling.still == 1


def test_the_second_camel_is_judged_on_the_board_as_the_first_left_it(middle: tuple[Record, Entry]) -> None:
    camel = middle[1].moves[0]
    ruling = rule(middle, f"{camel.colour} {camel.space} {camel.space}")
    assert not ruling.is_legal
    assert ruling.verdict is not None
    assert (ruling.verdict.rule.code, ruling.refused) == ("TD-C1", 1)
    assert ruling.moves == (camel, camel)
    assert all(isinstance(move, Camel) for move in ruling.verdict.instead)


def test_what_cannot_be_read_is_a_fault_with_its_place(middle: tuple[Record, Entry]) -> None:
    ruling = rule(middle, "lilca F4")
    assert not ruling.is_legal
    assert ruling.fault is not None
    assert (ruling.fault.code, ruling.fault.column, ruling.fault.meant) == ("NT-M1", 1, "lilac")


def test_somebody_whose_turn_it_is_not_is_told_so(middle: tuple[Record, Entry]) -> None:
    other = next(seat for seat in middle[0].seats if seat != middle[1].who)
    ruling = rule(middle, write_moves(GAME, middle[1].moves), other)
    assert ruling.verdict is not None
    assert ruling.verdict.rule.code == "TD-T1"


def test_somebody_who_does_not_sit_at_the_table_is_told_so(middle: tuple[Record, Entry]) -> None:
    ruling = rule(middle, "pass", "orange")
    assert ruling.verdict is not None
    assert ruling.verdict.rule.code == "RC-W1"


def test_nothing_can_be_sent_in_after_an_ending(middle: tuple[Record, Entry]) -> None:
    record, following = middle
    headers = tuple((name, "red, blue" if name == "Result" else value) for name, value in record.headers)
    closed = Record(headers, (*record.entries, Entry(21, "end", (Ending("abandoned"),))))
    ruling = judge_submission(replay_record(closed), following.who, "pass")
    assert ruling.verdict is not None
    assert ruling.verdict.rule.code == "RC-E1"


def test_a_refused_record_takes_no_submission(middle: tuple[Record, Entry]) -> None:
    record, following = middle
    spoiled = Record(record.headers, record.entries[1:])
    with pytest.raises(ValueError, match="legal record"):
        judge_submission(replay_record(spoiled), following.who, "pass")
