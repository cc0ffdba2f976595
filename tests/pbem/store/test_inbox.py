"""Letters are kept once, tried a few times, and have exactly one fate each."""

import pytest

from pbem.store.errors import StoreConflictError
from pbem.store.rows import FATES, KILLS, TRIES, Fate, SeenLetter, Taken
from pbem.store.store import Store


def test_a_letter_is_kept_to_the_byte_with_its_envelope(store: Store) -> None:
    raw = bytes(range(256)) * 9
    kept = store.receive(raw, intake="lmtp", env_from="anna@example.org", env_to=["caravan+x@example.org", "b@c.org"])
    letter = store.next_received()
    assert letter is not None
    assert (letter.id, letter.raw, letter.intake) == (kept.id, raw, "lmtp")
    assert (letter.env_from, letter.env_to) == ("anna@example.org", ("caravan+x@example.org", "b@c.org"))
    assert (letter.state, letter.attempts, letter.reason) == ("received", 0, "")
    assert letter.received_at.isoformat() == "2026-11-16T09:30:00+00:00"
    assert "\\x00" not in repr(letter), "bytes of a letter do not go to the log"


def test_an_exact_copy_is_counted_and_not_kept(store: Store) -> None:
    first = store.receive(b"move", intake="pipe")
    again = store.receive(b"move", intake="imap")
    other = store.receive(b"move ", intake="pipe")
    assert (again.id, again.duplicate, first.duplicate, other.duplicate) == (first.id, True, False, False)
    counters = store.counters()
    assert (counters.received, counters.unread, counters.duplicate, counters.difference) == (3, 2, 1, 0)


def test_a_batch_is_kept_with_one_flush_and_knows_its_own_copies(store: Store) -> None:
    kept = store.receive_all([b"a", b"b", b"a"], intake="maildir")
    assert [one.duplicate for one in kept] == [False, False, True]
    assert store.receive_all([], intake="maildir") == []
    assert store.counters().received == 3


def test_letters_are_worked_on_in_the_order_in_which_they_came(store: Store) -> None:
    for raw in (b"1", b"2", b"3"):
        store.receive(raw, intake="pipe")
    seen = []
    taken = store.take_next()
    while taken is not None:
        seen.append(taken.letter.raw)
        with store.transaction() as at_desk:
            at_desk.set_fate(taken.letter.id, "applied", "move")
            taken = at_desk.take_next()
    assert seen == [b"1", b"2", b"3"]


def test_fates_add_up_to_what_came(store: Store) -> None:
    letters = [store.receive(str(number).encode(), intake="pipe").id for number in range(12)]
    store.receive(b"3", intake="pipe")
    with store.transaction() as at_desk:
        for letter, fate in zip(letters, FATES * 2, strict=True):
            if letter != letters[-1]:
                at_desk.set_fate(letter, fate, f"reason of {fate}", game="sirocco-7", seat="red")
    counters = store.counters()
    assert (counters.received, counters.unread, counters.applied, counters.duplicate) == (13, 1, 2, 3)
    assert counters.difference == 0
    with store.reading() as at_desk:
        settled = at_desk.find_letter(letters[0])
    assert settled is not None
    assert (settled.state, settled.reason, settled.game, settled.seat) == (
        *("applied", "reason of applied"),
        *("sirocco-7", "red"),
    )


def test_a_letter_that_vanished_shows_as_a_difference(store: Store) -> None:
    store.receive(b"lost", intake="pipe")
    with store.transaction():
        store._connection.execute("DELETE FROM inbox_bytes")
        store._connection.execute("DELETE FROM inbox")
    assert store.counters().difference == 1


@pytest.mark.parametrize("first", [fate for fate in FATES if fate != "waiting"])
def test_a_fate_is_given_once(store: Store, first: Fate) -> None:
    letter = store.receive(b"x", intake="pipe").id
    with store.transaction() as at_desk:
        at_desk.set_fate(letter, first, "so it is")
    with pytest.raises(StoreConflictError, match="has an outcome already"), store.transaction() as at_desk:
        at_desk.set_fate(letter, "applied", "or is it?")
    with pytest.raises(StoreConflictError, match="never received"), store.transaction() as at_desk:
        at_desk.set_fate(letter + 1, "applied", "out of nowhere")


def test_a_letter_that_waits_can_be_settled_or_tried_anew(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    with store.transaction() as at_desk:
        at_desk.set_fate(letter, "waiting", "not yet", game="g")
        assert [waiting.id for waiting in at_desk.letters_in("waiting")] == [letter]
        assert at_desk.take_next() is None
        assert at_desk.retry_waiting(letter)
        assert not at_desk.retry_waiting(letter)
        at_desk.set_fate(letter, "waiting", "still not", game="g")
        at_desk.set_fate(letter, "applied", "at last", game="g")
    assert store.counters().applied == 1


def take(store: Store) -> Taken:
    taken = store.take_next()
    assert taken is not None
    return taken


def test_a_letter_that_fails_three_times_is_put_aside(store: Store) -> None:
    poison = store.receive(b"stumbles", intake="pipe").id
    store.receive(b"harmless", intake="pipe")
    for tries in range(TRIES):
        taken = take(store)
        assert (taken.letter.id, taken.letter.attempts, taken.exhausted) == (poison, tries, False)
        store.count_failure(poison)
    taken = take(store)
    assert (taken.letter.id, taken.exhausted) == (poison, True)
    with store.transaction() as at_desk:
        at_desk.put_aside(taken.letter, game="sirocco-7", seat="red")
        (aside,) = at_desk.letters_in("quarantined")
        assert at_desk.letters_to_report() == [poison]
    assert (aside.id, aside.reason, aside.seat) == (poison, "tried 3 times without an end", "red")
    following = take(store)
    assert (following.letter.raw, following.exhausted) == (b"harmless", False)


def test_being_killed_is_not_failing_and_counts_for_the_letter_in_hand_only(store: Store) -> None:
    in_hand = store.receive(b"in hand", intake="pipe").id
    store.receive(b"the next one", intake="pipe")
    for _ in range(KILLS):  # each time the process is killed before anything else is written
        taken = take(store)
        assert (taken.letter.id, taken.letter.attempts, taken.exhausted) == (in_hand, 0, False)
    taken = take(store)
    assert (taken.letter.id, taken.exhausted) == (in_hand, True)
    with store.transaction() as at_desk:
        at_desk.put_aside(taken.letter)
        (aside,) = at_desk.letters_in("quarantined")
        assert at_desk.letters_to_report() == [in_hand]
    assert aside.reason == "the post was killed 5 times while it handled this letter"
    following = take(store).letter
    assert (following.raw, following.begun, following.attempts) == (b"the next one", 0, 0)


def test_work_that_was_stopped_for_another_reason_does_not_count(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    for _ in range(KILLS + TRIES):
        assert not take(store).exhausted
        store.put_down(letter)
    assert take(store).letter.begun == 0


def test_that_work_begins_is_kept_even_if_what_follows_is_undone(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    take(store)

    def work_with_a_bug_in_the_middle() -> None:
        with store.transaction() as at_desk:
            at_desk.set_fate(letter, "applied", "almost")
            at_desk.save_setting("half", "done")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work_with_a_bug_in_the_middle()
    found = store.next_received()
    assert found is not None
    assert (found.state, found.begun, found.attempts) == ("received", 1, 0)
    with store.reading() as at_desk:
        assert at_desk.load_setting("half") is None


def test_only_the_note_that_work_begins_is_not_flushed(file_store: Store) -> None:
    store = file_store
    store.receive(b"x", intake="pipe")
    seen = []
    with store._begin("claim") as connection:
        seen += connection.execute("PRAGMA synchronous").fetchone()
    with store.transaction():
        seen += store._connection.execute("PRAGMA synchronous").fetchone()
    assert seen == [1, 2]


def test_a_letter_in_quarantine_can_be_driven_anew(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    while not (taken := take(store)).exhausted:
        store.count_failure(letter)
    with store.transaction() as at_desk:
        at_desk.put_aside(taken.letter)
    assert store.next_received() is None
    assert store.redrive(letter)
    assert not store.redrive(letter)
    assert not store.redrive(letter + 1)
    found = store.next_received()
    assert found is not None
    assert (found.id, found.attempts, found.begun) == (letter, 0, 0)


def test_the_same_words_under_the_same_message_id_for_the_same_seat_were_seen(store: Store) -> None:
    letter = store.receive(b"x", intake="pipe").id
    seen = SeenLetter("anna@example.org", "<1@a>", "digest", "sirocco-7", "red")
    with store.transaction() as at_desk:
        at_desk.remember_seen(seen._replace(player="Anna@Example.org"), inbox_id=letter)
        assert at_desk.was_seen(seen) == letter
        for other in (
            {"body_sha256": "other words"},
            {"player": "mallory@example.org"},
            {"message_id": "<2@a>"},
            {"game": "sirocco-8"},
            {"seat": "blue"},
        ):
            assert at_desk.was_seen(seen._replace(**other)) is None
    with pytest.raises(StoreConflictError), store.transaction() as at_desk:
        at_desk.remember_seen(seen, inbox_id=letter)


def test_a_letter_has_one_receipt_that_is_repeated_to_the_letter(store: Store) -> None:
    letters = [store.receive(raw, intake="pipe").id for raw in (b"x", b"y")]
    with store.transaction() as at_desk:
        for letter in letters:
            at_desk.add_receipt(letter, at_desk.next_receipt_number(), f"Read: lilac E5 \N{DROMEDARY CAMEL} ({letter})")
        receipt = at_desk.find_receipt(letters[1])
        assert receipt is not None
        assert (receipt.number, receipt.text) == (2, f"Read: lilac E5 \N{DROMEDARY CAMEL} ({letters[1]})")
        assert at_desk.find_receipt(99) is None
    with pytest.raises(StoreConflictError), store.transaction() as at_desk:
        at_desk.add_receipt(letters[0], 3, "twice")
    with pytest.raises(StoreConflictError), store.transaction() as at_desk:
        at_desk.add_receipt(99, 3, "for no letter")
