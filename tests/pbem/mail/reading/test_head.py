"""Limits on the bytes, and headers of one form only."""

from typing import TYPE_CHECKING

import pytest

from pbem.mail.reading import Letter, Unreadable, limits, read_letter
from pbem.mail.reading.header import parse_header
from pbem.mail.reply_address import PostIdentity

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk

SOUND = b"From: anna@example.net\r\nTo: caravan@example.org\r\n\r\nlilac F4\r\n"


def reason(raw: bytes, post: PostIdentity) -> str | None:
    read = read_letter(raw, post=post)
    return read.reason if isinstance(read, Unreadable) else None


def test_a_mail_of_exactly_the_largest_size_is_read_and_one_byte_more_is_not(post: PostIdentity) -> None:
    attachment = b"From: anna@example.net\nContent-Type: image/png\n\n"
    full = attachment + b"x" * (limits.MAIL - len(attachment))
    assert reason(full, post) is None
    assert reason(full + b"x", post) == "too-large"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (SOUND, None),
        (SOUND.replace(b"\r\n", b"\n"), None),
        (SOUND.replace(b"\r\n", b"\r"), "odd-line-ends"),
        (SOUND + b"more\n", "odd-line-ends"),
        (SOUND + b"more\r", "odd-line-ends"),
        (SOUND + b"\0", "odd-bytes"),
        (b"  \r\n", "empty"),
    ],
)
def test_lines_end_in_one_way_throughout(raw: bytes, expected: str | None, post: PostIdentity) -> None:
    assert reason(raw, post) == expected


def test_a_hundred_headers_are_read_and_one_more_is_not(session: "Desk") -> None:
    filler = {f"X-{number}": "y" for number in range(98)}
    assert isinstance(session.read("hi", filler), Letter)
    assert session.reason("hi", filler | {"X-one-more": "y"}) == "too-many-headers"


def test_a_header_that_we_read_may_be_as_long_as_a_line_of_mail(session: "Desk") -> None:
    assert session.letter("hi", {"Subject": "s" * 998}).subject == "s" * 998
    assert session.reason("hi", {"Subject": "s" * 999}) == "header-too-long"


def test_a_header_that_we_do_not_read_may_be_long(session: "Desk") -> None:
    assert session.words("hi", {"References": "<a@b> " * 500, "DKIM-Signature": "b" * 2000}) == "hi"


def test_folded_headers_are_joined() -> None:
    opened = parse_header(b"Subject: one\n two\n\tthree\n\nbody\n")
    assert not isinstance(opened, Unreadable)
    assert opened[0].every("subject") == [b"one two\tthree"]
    assert opened[1] == b"body\n"


def test_a_mail_may_end_with_its_header(session: "Desk", post: PostIdentity) -> None:
    read = read_letter(b"From: anna@example.net\nSubject: lilac F4", post=post)
    assert isinstance(read, Letter)
    assert (read.subject, read.words) == ("lilac F4", "")


@pytest.mark.parametrize("line", ["From : x", "From\t: x", "nothing", ": x", "\u00e9: x", "a b: x", " \t"])
def test_a_line_of_no_form_is_not_read(line: str, post: PostIdentity) -> None:
    assert reason(b"X-First: 1\r\n" + line.encode() + b"\r\n" + SOUND, post) == "odd-header"


def test_a_line_of_a_mailbox_file_is_passed_over_but_nothing_that_only_resembles_it(post: PostIdentity) -> None:
    assert reason(b"From anna@example.net Mon Nov 16 10:40:02 2026\r\n" + SOUND, post) is None
    assert reason(b"From : mallory@evil.example\r\n" + SOUND, post) == "odd-header"
    assert reason(b"From anna\r\n" + SOUND, post) == "odd-header"


def test_a_mail_that_went_through_too_many_servers_is_not_read(session: "Desk") -> None:
    hops = "from a by b\n" + "Received: from a by b\n" * 49
    assert isinstance(session.read("hi", {"Received": hops.rstrip("\n")}), Letter)
    assert session.reason("hi", {"Received": hops + "Received: from a by b"}) == "too-many-hops"


def test_every_reason_is_one_that_is_explained() -> None:
    with pytest.raises(ValueError, match="no such reason"):
        Unreadable("because", "")
