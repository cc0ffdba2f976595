"""A record is played from its first entry to its last, and nothing in it is taken on trust."""

from typing import Any, cast

import pytest

from engine.digest import digest
from engine.through_the_desert import GAME
from notation import Ending, Entry, Record, read_text, write_record
from pbem.cli.sample import make
from pbem.judging.record_replay import replay_record


def cut(record: Record, turns: int, *more: Entry, result: str = "*") -> Record:
    """The record after so many turns, with other entries and another result."""
    headers = tuple((name, result if name == "Result" else value) for name, value in record.headers)
    return Record(headers, (*record.entries[:turns], *more))


def test_a_complete_game_stands_with_its_ending_and_its_points(games: dict[int, list[Record]]) -> None:
    for record in (record for some in games.values() for record in some):
        replayed = replay_record(record)
        assert replayed.refusal is None
        assert replayed.finished
        assert replayed.over
        assert replayed.ending == Ending("normal")
        assert replayed.turns == len(record.entries) - 1
        assert replayed.plies == sum(len(entry.moves) for entry in record.entries[:-1])


def test_a_game_in_progress_stands_at_every_turn(duel: Record) -> None:
    for turns in range(len(duel.entries) - 1):
        replayed = replay_record(cut(duel, turns))
        assert replayed.refusal is None
        assert replayed.turns == turns
        assert not replayed.finished


def test_a_record_may_stop_in_the_middle_of_a_turn(duel: Record) -> None:
    number, whole = next((index, entry) for index, entry in enumerate(duel.entries) if len(entry.moves) == 2)
    replayed = replay_record(cut(duel, number, whole._replace(moves=whole.moves[:1])))
    assert replayed.refusal is None
    assert replayed.turns == number
    assert replayed.due == (whole.who,)


def test_a_turn_may_be_written_in_two_entries(duel: Record) -> None:
    number, whole = next((index, entry) for index, entry in enumerate(duel.entries) if len(entry.moves) == 2)
    halves = [whole._replace(moves=whole.moves[:1]), whole._replace(moves=whole.moves[1:])]
    replayed = replay_record(cut(duel, number, *halves))
    assert replayed.refusal is None
    assert replayed.position == replay_record(duel, until=number + 1).position


def test_hearing_until_a_turn_leaves_the_rest_unheard(duel: Record) -> None:
    for turn in (0, 1, 10, 11, 20):
        replayed = replay_record(duel, until=turn)
        assert replayed.refusal is None
        assert replayed.turns == turn
        assert replayed.last == (duel.entries[turn - 1] if turn else None)
    assert replay_record(duel, until=10_000).ending == Ending("normal")


def test_hearing_until_a_turn_does_not_mind_what_is_wrong_later(duel: Record) -> None:
    spoiled = cut(duel, 12, duel.entries[13])
    assert replay_record(spoiled, until=12).refusal is None
    assert replay_record(spoiled).refusal is not None


def test_entries_without_numbers_are_taken_as_they_come(duel: Record) -> None:
    bare = Record(duel.headers, tuple(entry._replace(number=None) for entry in duel.entries))
    assert replay_record(bare).refusal is None
    assert replay_record(bare).ending == Ending("normal")


def test_a_watcher_sees_every_entry_and_the_position_after_it(duel: Record) -> None:
    seen = []
    replayed = replay_record(duel, watch=lambda *told: seen.append(told))
    assert [entry for entry, _, _ in seen] == list(duel.entries)
    assert [turn for _, turn, _ in seen] == [entry.number for entry in duel.entries]
    assert seen[-1][2] == replayed.position


def test_the_first_illegal_ply_stops_the_hearing_and_says_where(duel: Record) -> None:
    number, entry = next((index, entry) for index, entry in enumerate(duel.entries) if len(entry.moves) == 2)
    spoiled = entry._replace(moves=(entry.moves[0], entry.moves[0]), line=77)
    replayed = replay_record(cut(duel, number, spoiled, *duel.entries[number + 1 :]))
    refusal = replayed.refusal
    assert refusal is not None
    assert (refusal.code, refusal.move, refusal.line, refusal.seat) == ("TD-C1", 1, 77, entry.who)
    assert refusal.turn == number + 1
    assert refusal.digest == digest(GAME, cast("Any", replayed.position))
    assert replayed.plies == replay_record(duel, until=number).plies + 1


@pytest.mark.parametrize(
    ("ending", "result"),
    [
        (Ending("resigned", ("red",)), "red, blue won"),
        (Ending("time", ("blue",)), "red won, blue"),
        (Ending("agreed"), "red won, blue won"),
        (Ending("abandoned"), "red, blue"),
        (Ending("adjudicated", (), "a spilled board"), "red 99 won, blue 12"),
    ],
)
def test_every_ending_before_the_end_stands_with_a_fitting_result(duel: Record, ending: Ending, result: str) -> None:
    replayed = replay_record(cut(duel, 12, Entry(13, "end", (ending,)), result=result))
    assert replayed.refusal is None
    assert replayed.ending == ending
    assert replayed.finished
    assert not replayed.over


@pytest.mark.parametrize(
    ("ending", "result", "says"),
    [
        (Ending("resigned", ("red",)), "red won, blue", "red cannot have won"),
        (Ending("agreed"), "blue, red", "in their order"),
        (Ending("agreed"), "red", "in their order"),
        (Ending("agreed"), "red 99, blue", "not 99"),
    ],
)
def test_a_result_that_cannot_be_is_refused(duel: Record, ending: Ending, result: str, says: str) -> None:
    refusal = replay_record(cut(duel, 12, Entry(13, "end", (ending,)), result=result)).refusal
    assert refusal is not None
    assert refusal.code == "RC-R3"
    assert says in refusal.verdict.detail


def test_a_result_that_cannot_be_read_is_refused_by_the_rule_of_the_notation(duel: Record) -> None:
    refusal = replay_record(cut(duel, 12, Entry(13, "end", (Ending("agreed"),)), result="63 for red")).refusal
    assert refusal is not None
    assert (refusal.code, refusal.header) == ("NT-M3", "Result")


def test_a_result_without_points_stands_after_a_normal_ending(duel: Record) -> None:
    winners = replay_record(duel).score.winners
    result = ", ".join(f"{seat} won" if seat in winners else seat for seat in duel.seats)
    assert replay_record(cut(duel, len(duel.entries), result=result)).refusal is None


def test_a_finished_game_without_its_ending_may_say_its_result_or_not_yet(duel: Record) -> None:
    result = duel.header("Result") or ""
    assert replay_record(cut(duel, len(duel.entries) - 1, result=result)).refusal is None
    assert replay_record(cut(duel, len(duel.entries) - 1, result="*")).refusal is None


def test_digests_are_checked_after_the_very_move_they_follow() -> None:
    sealed = make(GAME, 3, "sealed", digests=1)
    text = write_record(sealed)
    assert text.count("[%state ") == len(sealed.entries) - 1
    (reading,) = read_text(text)
    assert reading.record == sealed
    assert replay_record(sealed).refusal is None
    position = replay_record(sealed, until=20).position
    assert f"[%state {digest(GAME, cast('Any', position))}]" in text.split("\n20. ")[1].split("\n")[0]


def test_a_digest_may_be_written_in_capitals() -> None:
    sealed = make(GAME, 2, "sealed", digests=7)
    shouted = tuple(
        entry._replace(remarks=tuple(mark._replace(value=f"state {mark.value[6:].upper()}") for mark in entry.remarks))
        for entry in sealed.entries
    )
    assert shouted != sealed.entries
    assert replay_record(Record(sealed.headers, shouted)).refusal is None


def test_remarks_never_change_a_hearing(duel: Record) -> None:
    text = write_record(duel).replace("\n12. ", "\n{so far so good}\n12. ").replace(": leader", ": {now} leader")
    talkative = text.replace("\n15. ", " ! (14. blue: pass | 15. red: lilac A1) [%clock 1:00]\n15. ")
    assert talkative.count("{") == 11
    (reading,) = read_text(talkative)
    assert reading.record is not None
    assert replay_record(reading.record).position == replay_record(duel).position


WRONG = "[%state 00000000000000000000000000000000]"


@pytest.mark.parametrize("place", ["twice", "before", "apart", "pause", "end", "after"])
def test_a_wrong_digest_is_found_wherever_it_stands(duel: Record, place: str) -> None:
    lines = write_record(duel).rstrip("\n").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("20. "))
    right = f"[%state {digest(GAME, cast('Any', replay_record(duel, until=20).position))}]"
    spoiled = {
        "twice": [*lines[:at], f"{lines[at]} {WRONG} {right}", *lines[at + 1 :]],
        "before": [*lines[:at], lines[at].replace(": ", f": {WRONG} ", 1), *lines[at + 1 :]],
        "apart": [*lines[:at], WRONG, *lines[at:]],
        "pause": [*lines[: at + 1], f'21. pause: "lunch" {WRONG}', *lines[at + 1 :]],
        "end": [*lines[:-1], f"{lines[-1]} {WRONG}"],
        "after": [*lines, WRONG],
    }[place]
    (reading,) = read_text("\n".join(spoiled) + "\n")
    assert reading.record is not None, reading.faults
    replayed = replay_record(reading.record)
    assert replayed.refusal is not None
    assert replayed.refusal.code == "RC-S1"


def test_digests_that_are_right_may_stand_anywhere(duel: Record) -> None:
    lines = write_record(duel).rstrip("\n").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("20. "))
    before, after, last = (
        f"[%state {digest(GAME, cast('Any', replay_record(duel, until=until).position))}]" for until in (19, 20, None)
    )
    lines[at] = f"{lines[at].replace(': ', f': {before} ', 1)} {after} {after}"
    lines[at + 1 : at + 1] = [f'21. pause: "lunch" {after}', f'21. resume: "lunch" {after}']
    (reading,) = read_text("\n".join([*lines, last]) + "\n")
    assert reading.record is not None, reading.faults
    assert replay_record(reading.record).refusal is None
