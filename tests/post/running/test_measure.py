"""How many answers one sender gets in an hour: questions beyond that wait, moves do not, and none is lost."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.service.post_folder import open_post
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.tick import tick
from tests.post.post_games import Friend, Hours, found_post, invite_friends, make_friends, make_script

MOST = 3


@dataclass
class Counter:
    """A post with a measure, its players, and the hour."""

    context: PostContext
    friends: dict[str, Friend]
    hours: Hours

    def write(self, seat: str, letters: int) -> list[str]:
        """What becomes of several letters of one player."""
        for _ in range(letters):
            letter = self.friends[seat].answer("status", self.hours.now())
            self.context.store.receive(letter, intake="test")
        return self.look()

    def look(self) -> list[str]:
        """What becomes of the letters that lie there now."""
        return [outcome.fate for outcome in handle_arrived_letters(self.context)]


@pytest.fixture
def counter(tmp_path: Path) -> Iterator[Counter]:
    friends, hours = make_friends(), Hours()
    settings = found_post(tmp_path / "post", answers_per_hour=MOST)
    with open_post(settings, hours.now) as context:
        tick(context)
        invite_friends(context, friends.values(), make_script())
        with context.store.reading() as at_desk:
            mails = [at_desk.find_mail(number) for number in (1, 2, 3)]
        for mail in mails:
            assert mail is not None
            next(friend for friend in friends.values() if friend.address == mail.recipient).get(mail.raw)
        yield Counter(context, friends, hours)


def test_as_many_letters_are_answered_as_the_settings_say_and_the_rest_wait(counter: Counter) -> None:
    assert counter.write("red", MOST + 2) == ["applied"] * MOST + ["waiting"] * 2
    assert counter.write("blue", 1) == ["applied"], "everybody has a measure of his own"


def test_letters_that_wait_are_answered_once_the_hour_is_over(counter: Counter) -> None:
    counter.write("red", MOST + 2)
    counter.hours.forward(minutes=30)
    tick(counter.context)
    assert "applied" not in counter.look(), "the hour is not over"
    counter.hours.forward(minutes=31)
    tick(counter.context)
    assert counter.look() == ["applied"] * 2
    assert counter.context.store.counters().waiting == 0
