"""A whole game of three by mail files: letters through a Maildir, mails into a folder, nobody else in between."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notation import read_text, write_record
from pbem.events.chain import first_broken
from pbem.judging.record_replay import replay_record
from pbem.mail.transport.factory import open_mailer
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.service.send_queue import send_due
from pbem.service.single_run import WorkDone, fetch_all, work_once
from pbem.workflow.context import PostContext, events_from_rows
from tests.post.post_games import (
    TABLE,
    Friend,
    Hours,
    found_post,
    invite_friends,
    make_friends,
    make_script,
    moves_of,
)


class ByFiles:
    """A post whose letters lie in a Maildir and whose mails are written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.hours = Hours()
        self.incoming, self.outgoing = folder / "incoming", folder / "outgoing"
        for name in ("new", "cur", "tmp"):
            (self.incoming / name).mkdir(parents=True)
        chosen: dict[str, object] = {"in.maildir.path": self.incoming, "out.path": self.outgoing}
        self.settings = found_post(folder, chosen)
        self.friends = make_friends()
        self.letters = 0
        self._seen: set[str] = set()

    def drop(self, letter: bytes) -> None:
        """A letter comes, under another name than any before."""
        self.letters += 1
        (self.incoming / "new" / f"{self.letters:06}.mail").write_bytes(letter)

    def go_round(self, context: PostContext) -> WorkDone:
        """Fetch, work, send, and let everybody read."""
        self.hours.forward(hours=5)
        assert not [fetched.trouble for fetched in fetch_all(self.settings) if fetched.trouble]
        done = work_once(context)
        self.send(context)
        return done

    def send(self, context: PostContext) -> None:
        send_due(context, open_mailer(self.settings))
        self.read_mails()

    def read_mails(self) -> None:
        for path in sorted(self.outgoing.glob("*.eml")):
            if path.name not in self._seen:
                self._seen.add(path.name)
                friend = next(one for one in self.friends.values() if f"-{one.address}-" in path.name)
                friend.get(path.read_bytes())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ByFiles, PostContext, list[str]]]:
    """The whole game, and the fates of its letters."""
    post = ByFiles(tmp_path_factory.mktemp("post"))
    script = make_script()
    fates: list[str] = []
    with open_post(post.settings, post.hours.now) as context:
        invite_friends(context, post.friends.values(), script)
        post.send(context)
        for friend in post.friends.values():
            post.drop(friend.answer("accept", post.hours.now()))
        fates += [outcome.fate for outcome in post.go_round(context).letters]
        for seat, phrase in moves_of(script):
            post.drop(post.friends[seat].answer(phrase, post.hours.now()))
            fates += [outcome.fate for outcome in post.go_round(context).letters]
        yield post, context, fates


def test_every_letter_is_applied(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    post, context, fates = played
    assert fates == ["applied"] * post.letters
    counters = context.store.counters()
    assert (counters.received, counters.applied, counters.difference) == (post.letters, post.letters, 0)


def test_the_record_is_the_moves_that_were_sent(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    _, context, _ = played
    record, script = read_record(context, TABLE), make_script()
    assert record is not None
    assert moves_of(record) == moves_of(script)
    assert record.entries == script.entries
    assert record.header("Result") == script.header("Result")
    assert [record.header(f"Seat.{seat}") for seat in record.seats] == ["Anna", "Boris", "Chloe"]


def test_the_record_stands_before_the_referee_and_is_canonical(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    _, context, _ = played
    record = read_record(context, TABLE)
    assert record is not None
    replayed = replay_record(record)
    assert replayed.refusal is None
    assert replayed.finished
    (reading,) = read_text(write_record(record))
    assert reading.record == record


def test_the_chain_holds(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    _, context, _ = played
    with context.store.reading() as at_desk:
        assert first_broken(events_from_rows(at_desk.load_events(TABLE))) is None
        assert at_desk.integrity_problems() == []
        assert {game.stage for game in at_desk.games()} == {"over"}


def test_everybody_was_invited_first_and_told_the_end_last(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    post, context, _ = played
    with context.store.reading() as at_desk:
        for friend in post.friends.values():
            found = [at_desk.find_message(str(mail["Message-ID"])) for mail in friend.mails]
            kinds = [row.kind if row is not None else "" for row in found]
            assert kinds[0] == "invitation"
            assert kinds[-1] == "game-over"
            assert kinds.count("receipt") in (friend.written, friend.written - 1), "the end answers whoever brought it"
            turns = sum(seat == friend.seat for seat, _ in moves_of(make_script()))
            assert kinds.count("turn") == turns


def test_no_mail_went_to_anybody_else_and_none_twice(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    post, context, _ = played
    names = [str(mail["Message-ID"]) for friend in post.friends.values() for mail in friend.mails]
    assert len({*names}) == len(names)
    with context.store.reading() as at_desk:
        assert at_desk.mails_by_state() == {"sent": len(names)}


def test_all_mails_to_a_friend_are_one_thread(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    post, _, _ = played
    roots = set()
    for friend in post.friends.values():
        (root,) = {str(mail["References"]) for mail in friend.mails}
        roots.add(root)
        assert all(TABLE in str(mail["Subject"]) for mail in friend.mails)
    assert len(roots) == len(post.friends)


def test_an_old_answer_sent_again_at_the_end_changes_nothing(played: tuple[ByFiles, PostContext, list[str]]) -> None:
    post, context, _ = played
    friend: Friend = post.friends["red"]
    before = read_record(context, TABLE)
    old = friend.mails[5]
    friend.mails.append(old)
    post.drop(friend.answer("lilac E5", post.hours.now()))
    (outcome,) = post.go_round(context).letters
    assert outcome.fate == "refused"
    assert read_record(context, TABLE) == before
