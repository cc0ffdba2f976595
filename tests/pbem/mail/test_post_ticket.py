"""Reply addresses that are about no seat: only we can write them, and none can be taken for another."""

from dataclasses import replace

import pytest

from pbem.mail.post_ticket import PARTS, PostTicket, TicketKind, format_post_address, format_post_tag, parse_post_ticket
from pbem.mail.reply_address import PostIdentity, format_reply_address, parse_ticket

POST = PostIdentity("caravan@post.example", None, b"a key for tests")
ABOUT: dict[TicketKind, tuple[str, ...]] = {
    "me": ("k7q2m4xwzt3d", "0"),
    "hi": ("20410",),
    "in": ("17",),
    "yes": ("4",),
    "court": ("sirocco-7", "2"),
}
ANNA = "anna@example.org"


@pytest.mark.parametrize("kind", PARTS)
def test_a_ticket_comes_back_from_address_and_subject(kind: TicketKind) -> None:
    address = format_post_address(POST, kind, *ABOUT[kind], sender=ANNA if kind == "hi" else "")
    tag = format_post_tag(POST, kind, *ABOUT[kind], sender=ANNA if kind == "hi" else "")
    expected = PostTicket(kind, ABOUT[kind], good=True)
    assert parse_post_ticket(POST, [address.upper()], "Re: hello", ANNA.upper()) == expected
    assert parse_post_ticket(POST, ["caravan@post.example"], f"Re: hello {tag}", ANNA) == expected
    assert parse_ticket(POST.ticket_key, POST.address, [address], "") is None


def test_a_welcome_is_good_for_its_reader_alone() -> None:
    address = format_post_address(POST, "hi", "20410", sender=ANNA)
    found = parse_post_ticket(POST, [address], "", "mallory@example.org")
    assert found == PostTicket("hi", ("20410",), good=False)


def test_a_ticket_of_a_seat_is_none_of_ours() -> None:
    key = POST.ticket_key
    address = format_reply_address(key, POST.address, game="sirocco-7", seat="red", turn=3, mark="abcdef")
    assert parse_post_ticket(POST, [address], "", ANNA) is None


@pytest.mark.parametrize("kind", PARTS)
def test_a_code_is_good_for_nothing_else(kind: TicketKind) -> None:
    address = format_post_address(POST, kind, *ABOUT[kind])
    code = address.partition("@")[0].rpartition(".")[2]
    for other, about in ABOUT.items():
        if other != kind:
            forged = f"caravan+{other}.{'.'.join(about)}.{code}@post.example"
            found = parse_post_ticket(POST, [forged], "", "")
            assert found is not None
            assert not found.good


def test_older_keys_count_and_strange_ones_do_not() -> None:
    address = format_post_address(POST, "in", "17")
    rotated = replace(POST, ticket_key=b"a new key", older_keys=(POST.ticket_key,))
    stranger = replace(POST, ticket_key=b"another post")
    assert parse_post_ticket(rotated, [address], "", ANNA) == PostTicket("in", ("17",), good=True)
    assert parse_post_ticket(stranger, [address], "", ANNA) == PostTicket("in", ("17",), good=False)


def test_two_different_tickets_contradict_each_other() -> None:
    both = [format_post_address(POST, "in", number) for number in ("17", "18")]
    found = parse_post_ticket(POST, both, "", ANNA)
    assert found is not None
    assert not found.good
