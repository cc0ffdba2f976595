"""A sender is read only where nobody can read him otherwise."""

import email.policy
from email.parser import BytesParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.reading import Unreadable, parse_address
from pbem.mail.reading.addresses import addresses_in, parse_sender

PLAIN = ["anna@example.net", "a@b", "a.b+c=d@x-y.example", "o'brien@example.ie", "x_1@127.example", "ANNA@example.net"]
ODD = [
    *(
        "",
        "anna",
        "@",
        "anna@",
        "@example.net",
        "a b@c",
        "a@b c",
        "a@b@c",
        ".a@b",
        "a.@b",
        "a..b@c",
        '"a"@b',
        "a@[1.2.3.4]",
    ),
    *(
        "a@-b",
        "a@b-",
        "a@b..c",
        "a@b.",
        "a@.b",
        "<a@b>",
        "a@b>",
        "a,b@c",
        "a:b@c",
        "a;b@c",
        "a(b)@c",
        "a\\b@c",
        "a@b,c",
    ),
    *("a\n@b", "a@b\n", "a\0@b", "a@b_c", "=?utf-8?q?a?=@b", "x" * 65 + "@b", "a@" + "b" * 64, "a@" + "b." * 130 + "c"),
]


@pytest.mark.parametrize("address", PLAIN)
def test_a_plain_address_is_read(address: str) -> None:
    assert parse_address(address) == address


@pytest.mark.parametrize("address", ODD)
def test_an_odd_address_is_not_read(address: str) -> None:
    assert parse_address(address) is None


def test_a_domain_is_written_in_small_letters_and_a_mailbox_as_it_is() -> None:
    assert parse_address("Anna.K@Example.NET") == "Anna.K@example.net"


def test_letters_of_other_scripts_are_read_and_their_domains_have_one_form() -> None:
    assert parse_address("пётр@пример.рф") == "пётр@xn--e1afmkfd.xn--p1ai"
    assert parse_address("пётр@xn--e1afmkfd.xn--p1ai") == "пётр@xn--e1afmkfd.xn--p1ai"


@pytest.mark.parametrize(
    "address",
    ["anna@\uff45xample.net", "ann\u0430\u0301\u200b@example.net", "a@fa\u00df.de", "\u212banna@b", "e\u0301@b"],
)
def test_a_letter_that_would_turn_into_another_is_not_read(address: str) -> None:
    assert parse_address(address) is None


@pytest.mark.parametrize(
    "line",
    [
        *("anna@example.net", "<anna@example.net>", "Anna <anna@example.net>", '"Anna, the Queen" <anna@example.net>'),
        *(
            "Anna K. <anna@EXAMPLE.net>",
            '"anna@example.net" <anna@example.net>',
            "\"'anna@example.net'\" <anna@example.net>",
        ),
        *("'anna@example.net' <anna@example.net>", "ANNA@example.net <anna@example.net>"),
        *('"anna@work.example" <anna@example.net>', "=?utf-8?q?anna=40work.example?= <anna@example.net>"),
        *("=?utf-8?q?Ann=C3=A1?= <anna@example.net>", '"A \\"x\\" <3" <anna@example.net>', "Ánna <anna@example.net>"),
    ],
)
def test_a_from_line_with_one_plain_address_names_the_sender(line: str) -> None:
    assert parse_sender([line.encode()]) == "anna@example.net"


@pytest.mark.parametrize(
    "line",
    [
        *("anna@work.example <anna@example.net>", "'anna@work.example' <anna@example.net>"),
        *(
            "anna@example.net x@y <anna@example.net>",
            "anna@example.net@evil <anna@example.net>",
            "@ <anna@example.net>",
        ),
    ],
)
def test_another_address_outside_quotation_marks_makes_the_sender_doubtful(line: str) -> None:
    read = parse_sender([line.encode()])
    assert isinstance(read, Unreadable)
    assert read.reason == "doubtful-sender"


def test_a_from_line_must_stand_exactly_once() -> None:
    twice = parse_sender([b"anna@example.net", b"anna@example.net"])
    assert isinstance(twice, Unreadable)
    assert twice.reason == "two-senders"
    missing = parse_sender([])
    assert isinstance(missing, Unreadable)
    assert missing.reason == "no-sender"


PIECES = st.sampled_from(
    [
        *(
            "anna@example.net",
            "mallory@evil.example",
            "Anna",
            "<",
            ">",
            " ",
            ",",
            ";",
            ":",
            '"',
            "\\",
            "(",
            ")",
            "@",
            ".",
        ),
        *("=?utf-8?q?anna=40example=2Enet?=", "=?utf-8?b?YQ==?=", "<anna@example.net>", '"Anna"', "\t", "x"),
    ]
)


@settings(max_examples=500)
@given(st.lists(PIECES, min_size=1, max_size=7).map("".join))
def test_where_we_read_a_sender_the_library_reads_the_same_one(line: str) -> None:
    ours = parse_sender([line.strip().encode()])
    if isinstance(ours, Unreadable) or f"{ours} <{ours}>" in line.replace("'", ""):
        return  # the same address twice: there is no other one to read
    mail = BytesParser(policy=email.policy.default).parsebytes(f"From: {line.strip()}\n\n".encode())
    try:
        named = mail["From"].addresses
    except AttributeError:
        return  # the library's own parser stumbles over some display names that end in a dot
    assert [(address.addr_spec.partition("@")[0], address.domain.lower()) for address in named] == [
        tuple(ours.split("@"))
    ]


def test_addresses_are_found_in_a_line_of_recipients() -> None:
    line = "Caravan <caravan+a.b@example.org>, 'x@y.example'; [mailto:z@y.example]"
    assert addresses_in(line) == ["caravan+a.b@example.org", "x@y.example", "z@y.example"]
