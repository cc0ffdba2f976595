"""A letter is taken up by a number. Who took it up before somebody else did can write nothing any more."""

import pytest

from pbem.store.errors import StoreOvertakenError
from pbem.store.rows import LetterRow
from pbem.store.store import Store


def take(store: Store) -> LetterRow:
    taken = store.take_next()
    assert taken is not None
    return taken.letter


def test_each_claim_has_a_number_that_never_comes_again(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    claims = []
    for _ in range(3):
        claims.append(take(store).claims)
        store.put_down(letter, claims[-1])
    with store.transaction() as at_desk:
        at_desk.set_fate(letter, "quarantined", "odd")
    assert store.redrive(letter)
    claims.append(take(store).claims)
    assert claims == [1, 2, 3, 4]


def test_a_worker_that_was_thought_dead_gives_no_outcome(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    late, present = take(store), take(store)

    def finish_too_late() -> None:
        with store.transaction() as at_desk:
            at_desk.save_setting("written by", "the late one")
            at_desk.set_fate(letter, "refused", "too late", claim=late.claims)

    with pytest.raises(StoreOvertakenError, match="letter 1 was taken up"):
        finish_too_late()
    with store.transaction() as at_desk:
        assert at_desk.load_setting("written by") is None, "nothing of its work stays"
        at_desk.set_fate(letter, "applied", "move", claim=present.claims)
    with pytest.raises(StoreOvertakenError), store.transaction() as at_desk:
        at_desk.set_fate(letter, "refused", "even later", claim=late.claims)
    assert store.counters().applied == 1


def test_a_worker_that_was_thought_dead_neither_counts_a_failure_nor_takes_one_back(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    late, present = take(store), take(store)
    store.count_failure(letter, late.claims)
    store.put_down(letter, late.claims)
    found = store.next_received()
    assert found is not None
    assert (found.begun, found.attempts) == (2, 0)
    store.count_failure(letter, present.claims)
    found = store.next_received()
    assert found is not None
    assert (found.begun, found.attempts) == (2, 1)


def test_a_letter_is_in_its_lane_until_it_has_an_outcome(store: Store) -> None:
    letter = store.receive(b"From: anna@players.test\n\nx", intake="pipe").id
    with store.transaction() as at_desk:
        at_desk.note_writer(letter, "red of sirocco-7", "game sirocco-7")
        found = at_desk.find_letter(letter)
        assert found is not None
        assert found.lane == "game sirocco-7"
        at_desk.set_fate(letter, "applied", "move")
        found = at_desk.find_letter(letter)
    assert found is not None
    assert found.lane is None, "what is kept for years says no more than it must"
