"""A worker that froze with a letter in hand, and wakes up when another one has handled it, changes nothing."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.service.post_folder import open_post
from pbem.store.errors import StoreOvertakenError
from pbem.workflow import handle_letter
from pbem.workflow.genuine_letters import look_at_new_letters
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import TABLE
from tests.post.running.two_tables import ANNA, MOVE, TABLES, TwoTables, open_two_tables

OTHER = TABLES[1]


@pytest.fixture
def post(tmp_path: Path) -> Iterator[TwoTables]:
    with open_two_tables(tmp_path) as found:
        yield found


def letter(post: TwoTables, *, sender: str = ANNA, table: str = TABLE, number: int = 1) -> bytes:
    lines = [f"From: {sender}", f"To: {post.reply_to(table)}", f"Message-ID: <{number}@anna.test>", "", MOVE, ""]
    return "\r\n".join(lines).encode()


def count(post: TwoTables) -> tuple[int, int]:
    """How many events and mails there are."""
    with post.context.store.reading() as at_desk:
        return len(at_desk.load_events(TABLE)), at_desk.extent().mails


def test_what_a_late_worker_did_with_a_letter_is_undone(
    post: TwoTables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = count(post)
    post.context.store.receive(letter(post), intake="test")
    frozen = post.context.store.take_next()
    assert frozen is not None
    with open_post(post.context.settings, post.hours.now) as other:
        assert [outcome.fate for outcome in handle_arrived_letters(other)] == ["applied"]
    after = count(post)
    assert after[0] == before[0] + 1
    with pytest.raises(StoreOvertakenError), post.context.store.transaction() as transaction:
        handle_letter.handle_letter(post.context, transaction, frozen.letter)
    assert count(post) == after, "neither an event nor a mail came twice"

    rows = iter([frozen])
    monkeypatch.setattr(post.context.store, "take_next", lambda _: next(rows, None))
    with caplog.at_level(logging.WARNING):
        assert list(handle_arrived_letters(post.context)) == []
    assert "was taken up by somebody else meanwhile" in caplog.text
    assert count(post) == after


def test_letters_of_players_get_the_lane_of_their_game_and_a_stranger_one_of_his_own(post: TwoTables) -> None:
    senders = [(ANNA, TABLE), (ANNA, OTHER), ("mallory@elsewhere.test", TABLE), ("Mallory@Elsewhere.test", OTHER)]
    letters = [
        post.context.store.receive(letter(post, sender=sender, table=table, number=number), intake="test").id
        for number, (sender, table) in enumerate(senders)
    ]
    look_at_new_letters(post.context)
    with post.context.store.reading() as at_desk:
        lanes = [found.lane for each in letters if (found := at_desk.find_letter(each)) is not None]
    assert lanes[:2] == [f"game {TABLE}", f"game {OTHER}"]
    assert lanes[2] == lanes[3], "capital letters make nobody another sender"
    assert str(lanes[2]).startswith("from "), "even with a reply address of the game nobody stands in its lane"
    assert "mallory" not in str(lanes[2])
