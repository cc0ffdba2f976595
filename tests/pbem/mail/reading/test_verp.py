"""Envelope senders that name the mail they carry."""

import pytest

from pbem.mail.reply_address import PostIdentity, format_verp, parse_verp

POST = PostIdentity("Caravan@Example.org", None, b"key", ("games.example.net",))
NAME = "0123456789abcdef" * 2
HEAD = f"To: anna@x.org\r\nMessage-ID: <{NAME}@Example.org>\r\nSubject: hello".encode()
SENDER = f"Caravan+bounce-{NAME}@Example.org"


def test_an_envelope_sender_names_the_mail() -> None:
    assert format_verp(POST.address, HEAD) == SENDER
    assert list(parse_verp(POST, ["boris@x.org", SENDER])) == [f"<{NAME}@Example.org>"]


@pytest.mark.parametrize("form", [SENDER.upper(), f"<{SENDER}>", SENDER.replace("+", "="), SENDER.replace("+", "%2b")])
def test_it_is_read_whatever_servers_have_made_of_it(form: str) -> None:
    assert list(parse_verp(POST, [form])) == [f"<{NAME}@Example.org>"]


@pytest.mark.parametrize(
    ("address", "head"),
    [
        (POST.address, b"To: anna@x.org\r\nSubject: no name"),
        (POST.address, b"Message-ID: <another.program@x.org>"),
        (POST.address, b"X-Message-ID: <" + NAME.encode() + b"@x.org>"),
        ("a" * 25 + "@example.org", HEAD),
    ],
)
def test_our_address_stays_plain_where_no_name_fits_into_it(address: str, head: bytes) -> None:
    assert format_verp(address, head) == address


@pytest.mark.parametrize(
    "address",
    [
        POST.address,
        "caravan+sirocco-7.red.12.0.abcdefghijklmnop@example.org",
        f"caravan+bounce-{NAME}0@example.org",
        f"caravan+bounce-{NAME[:-1]}g@example.org",
        f"other+bounce-{NAME}@example.org",
    ],
)
def test_other_addresses_name_no_mail(address: str) -> None:
    assert list(parse_verp(POST, [address])) == []
