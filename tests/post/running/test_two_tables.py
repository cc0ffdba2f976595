"""One mail to two tables is two letters: each is read for its own seat and has its own outcome and receipt."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.post.post_games import TABLE
from tests.post.running.two_tables import TABLES, TURN, TwoTables, open_two_tables


@pytest.fixture
def post(tmp_path: Path) -> Iterator[TwoTables]:
    with open_two_tables(tmp_path) as found:
        yield found


def one_at_a_time(post: TwoTables) -> None:
    for address in post.both:
        post.receive(post.write(), address)


def once_with_both(post: TwoTables) -> None:
    post.receive(post.write(), *post.both)


def once_with_both_and_the_plain_address(post: TwoTables) -> None:
    post.receive(post.write(), post.context.identity.address, *(f"<{each.upper()}>" for each in post.both))


def once_in_a_mailbox(post: TwoTables) -> None:
    post.collect(post.write())


def once_with_the_plain_address_written_on_it(post: TwoTables) -> None:
    post.collect(post.write(f"Delivered-To: {post.context.identity.address}"))


def a_copy_for_each_recipient(post: TwoTables) -> None:
    post.collect(*(post.write(f"Delivered-To: {address}") for address in post.both))


WAYS = [
    one_at_a_time,
    once_with_both,
    once_with_both_and_the_plain_address,
    once_in_a_mailbox,
    once_with_the_plain_address_written_on_it,
    a_copy_for_each_recipient,
]


@pytest.mark.parametrize("way", WAYS)
def test_a_mail_to_two_tables_is_played_at_both(post: TwoTables, way: Callable[[TwoTables], None]) -> None:
    way(post)
    outcomes = post.handle()
    assert sorted((each.game, each.fate) for each in outcomes) == [(table, "applied") for table in TABLES]
    assert all(post.played(table) for table in TABLES)
    assert [post.kinds(table)[-1] for table in TABLES] == ["receipt", "receipt"]
    with post.context.store.reading() as at_desk:
        receipts = [at_desk.find_receipt(each.letter) for each in outcomes]
    for outcome, receipt in zip(outcomes, receipts, strict=True):
        assert receipt is not None
        assert f" {outcome.game} " in receipt.text.replace("\n", " ")


@pytest.mark.parametrize("way", WAYS)
def test_the_same_again_is_a_duplicate_at_both(post: TwoTables, way: Callable[[TwoTables], None]) -> None:
    way(post)
    post.handle()
    mails = [post.kinds(table) for table in TABLES]
    way(post)
    assert post.handle() == []
    counters = post.context.store.counters()
    assert (counters.received, counters.applied, counters.duplicate) == (4, 2, 2)
    assert [post.kinds(table) for table in TABLES] == mails


def test_a_program_that_sends_again_under_the_same_name_is_told_so_at_each_table(post: TwoTables) -> None:
    post.receive(post.write(), *post.both)
    post.receive(post.write("X-Try: 2"), *post.both)
    outcomes = post.handle()
    assert [each.reason for each in outcomes] == ["carried-out", "carried-out", "same-letter", "same-letter"]
    assert {each.game for each in outcomes[2:]} == {*TABLES}


def test_the_bytes_are_on_the_disk_once(post: TwoTables) -> None:
    post.receive(post.write(), *post.both)
    (found,) = post.context.store._connection.execute("SELECT count(*) FROM inbox_bytes").fetchone()
    assert found == 1
    with post.context.store.reading() as at_desk:
        first, second = (at_desk.find_letter(number) for number in (1, 2))
        assert first is not None
        assert second is not None
        assert first.raw == second.raw == post.write()
        assert at_desk.altered_letters() == []


def test_two_tickets_of_one_seat_still_contradict_each_other(post: TwoTables) -> None:
    post.receive(post.write(), post.reply_to(TABLE), post.reply_to(TABLE, TURN - 3))
    (outcome,) = post.handle()
    assert (outcome.fate, outcome.reason) == ("refused", "bad-ticket")


def test_a_mail_to_more_seats_than_anybody_has_is_one_letter(post: TwoTables) -> None:
    made_up = [f"caravan+wadi-{number}.red.1.0.aaaaaaaaaaaaaaaa@post.test" for number in range(99)]
    post.receive(post.write(), *made_up)
    assert [each.fate for each in post.handle()] == ["refused"]


def test_a_letter_for_one_table_leaves_the_other_alone(post: TwoTables) -> None:
    post.receive(post.write(), post.reply_to(TABLES[1]))
    (outcome,) = post.handle()
    assert (outcome.game, outcome.fate) == (TABLES[1], "applied")
    assert not post.played(TABLE)
