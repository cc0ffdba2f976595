"""What our mails carry for programs is read as it was written, and nothing else is taken for it."""

import pytest

from pbem.mail.format import (
    FENCES,
    REPLY_MARK,
    OpenedValue,
    Promise,
    closes_fence,
    format_head,
    format_list_id,
    format_opened,
    format_promise,
    is_reply_mark,
    mail_lines,
    opens_fence,
    parse_head,
    parse_list_id,
    parse_opened,
    parse_promise,
)
from pbem.mail.reply_address import find_seat
from tests.old_tickets import format_old_address

HASH = "0123456789abcdef" * 4


def test_every_form_is_read_as_it_was_written() -> None:
    assert parse_head(format_head("sirocco-7", 12, HASH)) == ("sirocco-7", "12", HASH)
    assert parse_list_id(format_list_id("sirocco-7", "post.example")) == "sirocco-7"
    promise = Promise("sirocco-7", "seed", HASH)
    assert parse_promise(format_promise(promise)) == promise
    opened = OpenedValue("sirocco-7", 12, "cards", HASH, "a value with blanks")
    assert parse_opened(format_opened(opened)) == opened
    address = format_old_address(b"key", "caravan@example.org", game="sirocco-7", seat="red", turn=12, epoch=0)
    assert find_seat(f"Caravan Post <{address.upper()}>") == ("sirocco-7", "red")


def test_our_own_marks_are_known_again() -> None:
    assert is_reply_mark(f"> {REPLY_MARK} Write your answer above this line.")
    for opening, closing in FENCES.values():
        assert opens_fence(opening)
        assert closes_fence(closing)


@pytest.mark.parametrize("text", ["", "promised", "opened", f"sirocco-7 x {HASH}", f"promised sirocco-7 salt {HASH}"])
def test_anything_else_is_not_taken_for_one_of_them(text: str) -> None:
    for parse in (parse_head, parse_list_id, parse_promise, parse_opened, find_seat):
        assert parse(text) is None
    assert not is_reply_mark(text)


@pytest.mark.parametrize(("text", "lines"), [("", []), ("a\r\nb\rc\nd", ["a", "b", "c", "d"]), ("a\n\n", ["a", ""])])
def test_a_text_has_the_lines_that_the_line_ends_of_mail_make(text: str, lines: list[str]) -> None:
    assert mail_lines(text) == lines
    assert mail_lines("a\u2028b\x0bc\x85d") == ["a\u2028b\x0bc\x85d"]
