"""Letters of the demonstration's players are read as what they wrote, whichever mail program wrote them."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from pbem.demo.mail_programs import PROGRAMS, Program
from pbem.mail.reading import Letter, read_letter
from pbem.service.post_folder import open_post
from pbem.workflow.context import PostContext
from tests.post.post_games import Hours, found_post, invite_friends, make_friends, make_script

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostContext]:
    folder = tmp_path_factory.mktemp("post")
    with open_post(found_post(folder), Hours().now) as opened:
        invite_friends(opened, make_friends().values(), make_script())
        yield opened


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("words", ["accept", "lilac E5, mint K9", "lilac E5\n\npress to all: the caravan moves on"])
def test_what_was_written_is_what_is_read(context: PostContext, program: Program, words: str) -> None:
    friend = make_friends()["red"]
    friend.program = program
    with context.store.reading() as at_desk:
        mail = at_desk.find_mail(1)
    assert mail is not None
    friend.get(mail.raw)
    letter = read_letter(friend.answer(words, NOW), post=context.identity)
    assert isinstance(letter, Letter)
    assert letter.words == words
    assert letter.sender == friend.address
    assert letter.ticket is not None
    assert (letter.ticket.good, letter.ticket.seat) == (True, "red")
    assert letter.automatic is None
