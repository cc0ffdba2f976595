"""One mail to two tables is two letters: each is read for its own seat and has its own outcome and receipt."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from notation import Record
from pbem.mail.reply_address import format_reply_address
from pbem.mail.transport.maildir import MaildirIntake
from pbem.mail.transport.protocols import Accepted
from pbem.service.game_records import read_record
from pbem.service.invitations import terms_of
from pbem.service.post_folder import open_post
from pbem.settings.sections import MaildirIntakeSettings
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.open_game import Guest
from tests.post.post_games import TABLE, Hours, found_post, make_friends, make_script, moves_of

TURN = 19
TABLES = (TABLE, "sirocco-8")
FRIENDS = make_friends()
ANNA = FRIENDS["red"].address
MOVE = moves_of(make_script())[TURN - 1][1]


@dataclass
class TwoTables:
    """A post at which it is Anna's turn at two tables."""

    context: PostContext
    folder: Path

    def reply_to(self, table: str, turn: int = TURN) -> str:
        identity = self.context.identity
        key = identity.ticket_key
        return format_reply_address(key, identity.address, game=table, seat="red", turn=turn, epoch=0)

    @property
    def both(self) -> list[str]:
        return [self.reply_to(table) for table in TABLES]

    def write(self, *more: str, words: str = MOVE, number: int = 1) -> bytes:
        """One mail to both tables."""
        lines = [*more, f"From: Anna <{ANNA}>", f"To: {', '.join(self.both)}", f"Message-ID: <{number}@anna.test>"]
        return "\r\n".join((*lines, "", words, "")).encode()

    def receive(self, raw: bytes, *to: str) -> None:
        self.context.store.receive(raw, intake="lmtp", env_from=ANNA, env_to=to)

    def collect(self, *raws: bytes) -> None:
        """Letters that lie in a Maildir, without an envelope."""
        box = self.folder / "maildir"
        for name in ("new", "cur", "tmp"):
            (box / name).mkdir(parents=True, exist_ok=True)
        for number, raw in enumerate(raws, 1):
            (box / "new" / f"{number}.letter").write_bytes(raw)
        accepted = Accepted(self.context.settings.post.largest_letter, self.context.identity.owns)
        MaildirIntake(MaildirIntakeSettings(path=box), accepted).collect(self.context.store)

    def handle(self) -> list[LetterOutcome]:
        found = list(handle_arrived_letters(self.context))
        assert self.context.store.counters().difference == 0
        return found

    def played(self, table: str) -> bool:
        record = read_record(self.context, table)
        assert record is not None
        return moves_of(record)[TURN - 1 :] == [("red", MOVE)]

    def kinds(self, table: str) -> list[str]:
        """The kinds of Anna's mails about a table."""
        with self.context.store.reading() as at_desk:
            mails = map(at_desk.find_mail, range(1, sum(at_desk.mails_by_state().values()) + 1))
            return [mail.kind for mail in mails if mail and (mail.recipient, mail.game) == (ANNA, table)]


@pytest.fixture
def post(tmp_path: Path) -> Iterator[TwoTables]:
    script, settings = make_script(), found_post(tmp_path / "post")
    headers = tuple((name, "*" if name == "Result" else value) for name, value in script.headers)
    guests = [Guest(friend.seat, friend.name, friend.address) for friend in FRIENDS.values()]
    with open_post(settings, Hours().now) as context:
        for table in TABLES:
            named = tuple((name, table if value == TABLE else value) for name, value in headers)
            half = Record(named, script.entries[: TURN - 1])
            import_game(context, table, half, guests, terms=terms_of(settings.time))
        yield TwoTables(context, tmp_path)


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
