"""What else a letter says: where it went, what it answers, and a digest that stays the same."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.mail.reading import Authenticity, Letter, read_letter
from pbem.mail.reply_address import PostIdentity
from tests.letters.planted_letters import PLANTED

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk


def test_the_recipients_are_those_of_the_envelope_where_it_is_known(session: "Desk") -> None:
    headers = {"To": "Caravan <caravan@example.org>, someone@else.example", "Cc": "caravan+x@example.org"}
    assert session.letter("hi", headers).recipients == ("caravan@example.org", "caravan+x@example.org")
    known = session.letter("hi", headers, envelope_to=["<caravan+y@example.org>"])
    assert known.recipients == ("caravan+y@example.org",)


def test_a_server_may_say_where_it_delivered(session: "Desk") -> None:
    headers = {"To": "undisclosed-recipients:;", "Delivered-To": "caravan+z@example.org"}
    assert session.letter("hi", headers).recipients == ("caravan+z@example.org",)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("<a.b@c>", "<a.b@c>"),
        ("x <a@b> y", "<a@b>"),
        ("a@b", None),
        ("<a b@c>", None),
        ("<\u00e9@b>", None),
        ("<>", None),
    ],
)
def test_ids_are_read_strictly_or_not_at_all(said: str, read: str | None, session: "Desk") -> None:
    letter = session.letter("hi", {"Message-ID": said, "In-Reply-To": said})
    assert (letter.message_id, letter.in_reply_to) == (read, read)


def test_the_digest_is_of_the_text_and_not_of_its_way(post: PostIdentity) -> None:
    raw = PLANTED[0].raw
    first = read_letter(raw, post=post)
    again = read_letter(b"Received: from elsewhere by here\r\nX-Spam: no\r\n" + raw, post=post)
    other = read_letter(raw.replace(b"F4", b"F5"), post=post)
    assert isinstance(first, Letter)
    assert isinstance(again, Letter)
    assert isinstance(other, Letter)
    assert first.body_sha256 == again.body_sha256 != other.body_sha256
    assert len(first.body_sha256) == 64


def test_without_a_server_to_trust_nothing_is_known(post: PostIdentity) -> None:
    letter = read_letter(PLANTED[0].raw, post=replace(post, authserv_id=None))
    assert isinstance(letter, Letter)
    assert letter.authentic is Authenticity.UNKNOWN


def test_a_second_domain_of_ours_is_ours(post: PostIdentity) -> None:
    assert not post.owns("caravan@example.com")
    assert replace(post, domains=("Example.COM",)).owns("Caravan+x@example.com")


def test_the_key_is_never_shown(post: PostIdentity) -> None:
    assert post.ticket_key.decode() not in repr(post)


def test_the_same_bytes_give_the_same_letter_for_ever(post: PostIdentity) -> None:
    for planted in PLANTED[:10]:
        assert read_letter(planted.raw, post=post) == read_letter(planted.raw, post=post)
