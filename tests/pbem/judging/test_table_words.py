"""What the table says between turns: taken back, paused, resumed, another player."""

import pytest

from notation import Entry, Left, Paused, Record, Resumed, Seated, Undone, read_text, write_record
from pbem.judging.entries import fill_in_numbers
from pbem.judging.record_replay import replay_record


def going_on(record: Record, *entries: Entry) -> Record:
    """A record of the same table with these entries, unfinished."""
    return Record(tuple((name, "*" if name == "Result" else value) for name, value in record.headers), entries)


@pytest.fixture(scope="module")
def undone(duel: Record) -> Record:
    """Twenty turns; the last two taken back and the first of them played again, otherwise."""
    again = duel.entries[18]._replace(moves=duel.entries[18].moves[::-1])
    return going_on(duel, *duel.entries[:20], Entry(21, "undo", (Undone(19),)), again)


def test_turns_that_were_taken_back_are_played_again(duel: Record, undone: Record) -> None:
    replayed = replay_record(undone)
    assert replayed.refusal is None
    assert replayed.turns == 19
    assert replayed.position == replay_record(going_on(duel, *duel.entries[:18], undone.entries[-1])).position
    assert replayed.last == undone.entries[-1]


def test_right_after_an_undo_the_table_is_as_it_was(duel: Record, undone: Record) -> None:
    replayed = replay_record(going_on(duel, *undone.entries[:-1]))
    assert replayed.position == replay_record(duel, until=18).position
    assert replayed.last is None


def test_after_turn_means_the_turn_that_stands(duel: Record, undone: Record) -> None:
    assert replay_record(undone, until=19).position == replay_record(undone).position
    assert replay_record(undone, until=18).position == replay_record(duel, until=18).position


def test_the_table_can_go_back_again_and_again(duel: Record) -> None:
    back = [Entry(21, "undo", (Undone(19),)), *duel.entries[18:20]]
    replayed = replay_record(
        going_on(duel, *duel.entries[:20], *back * 3, Entry(21, "undo", (Undone(1),)), *duel.entries[:5])
    )
    assert replayed.refusal is None
    assert replayed.position == replay_record(duel, until=5).position


def test_half_a_turn_can_be_taken_back(duel: Record) -> None:
    index, whole = next((index, entry) for index, entry in enumerate(duel.entries) if len(entry.moves) == 2)
    half = whole._replace(moves=whole.moves[:1])
    replayed = replay_record(
        going_on(duel, *duel.entries[:index], half, Entry(index + 1, "undo", (Undone(index + 1),)), whole)
    )
    assert replayed.refusal is None
    assert replayed.position == replay_record(duel, until=index + 1).position


def test_the_turn_at_hand_can_be_taken_back_though_nothing_of_it_was_played_as_after_a_restore(duel: Record) -> None:
    replayed = replay_record(going_on(duel, *duel.entries[:20], Entry(21, "undo", (Undone(21),))))
    assert replayed.refusal is None
    assert replayed.position == replay_record(duel, until=20).position


@pytest.mark.parametrize("turn", [0, 22, 400])
def test_the_table_cannot_go_where_it_never_was(duel: Record, turn: int) -> None:
    refusal = replay_record(going_on(duel, *duel.entries[:20], Entry(21, "undo", (Undone(turn),)))).refusal
    assert refusal is not None
    assert (refusal.code, refusal.move) == ("RC-U1", 0)


def test_a_turn_that_was_taken_back_cannot_be_gone_back_to(duel: Record, undone: Record) -> None:
    refusal = replay_record(going_on(duel, *undone.entries[:-1], Entry(19, "undo", (Undone(20),)))).refusal
    assert refusal is not None
    assert refusal.code == "RC-U1"


def test_pauses_and_new_players_leave_the_table_as_it_is(games: dict[int, list[Record]]) -> None:
    whole = games[3][0]
    said = [
        Entry(13, "pause", (Paused("vote"),)),
        Entry(13, "pause", (Paused("storm"),)),
        Entry(13, "resume", (Resumed("vote"),)),
        Entry(13, "substitute", (Seated("blue", "Dana"),)),
        Entry(13, "resign", (Left("blue"),)),
        Entry(13, "substitute", (Seated("blue", "Ewa"),)),
        Entry(13, "resign", (Left("blue"),)),
    ]
    record = Record(whole.headers, (*whole.entries[:12], *said, *whole.entries[12:]))
    assert replay_record(record).refusal is None
    assert replay_record(record).position == replay_record(whole).position
    (reading,) = read_text(write_record(record))
    assert reading.record == record


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ([Entry(13, "resume", (Resumed("vote"),))], "RC-Q1"),
        ([Entry(13, "pause", (Paused("vote"),))] * 2, "RC-Q1"),
        ([Entry(13, "pause", (Paused("vote"),)), Entry(13, "resume", (Resumed("storm"),))], "RC-Q1"),
        ([Entry(13, "substitute", (Seated("orange", "Dana"),))], "RC-W1"),
        ([Entry(13, "resign", (Left("orange"),))], "RC-W1"),
        ([Entry(14, "pause", (Paused("vote"),))], "RC-T1"),
    ],
)
def test_words_out_of_place_are_refused(duel: Record, said: list[Entry], code: str) -> None:
    refusal = replay_record(going_on(duel, *duel.entries[:12], *said)).refusal
    assert refusal is not None
    assert refusal.code == code
    assert refusal.entry == said[-1]


@pytest.mark.parametrize(
    ("players", "seats", "code"),
    [
        (3, ("red", "red"), "RC-L1"),
        (5, ("red", "blue", "green", "red"), "RC-L1"),
        (2, ("red",), "RC-L2"),
        (3, ("red", "blue"), "RC-L2"),
        (5, ("red", "blue", "green", "orange"), "RC-L2"),
    ],
)
def test_a_seat_is_left_once_and_two_stay(
    games: dict[int, list[Record]], players: int, seats: tuple[str, ...], code: str
) -> None:
    record = games[players][0]
    said = [Entry(13, "resign", (Left(seat),)) for seat in seats]
    assert replay_record(going_on(record, *record.entries[:12], *said[:-1])).refusal is None
    refusal = replay_record(going_on(record, *record.entries[:12], *said)).refusal
    assert refusal is not None
    assert (refusal.code, refusal.entry) == (code, said[-1])


def test_numbers_count_on_from_the_turn_gone_back_to(duel: Record, undone: Record) -> None:
    bare = going_on(duel, *(entry._replace(number=None) for entry in undone.entries))
    assert fill_in_numbers(bare) == undone
