"""No mail leaves that says something else than was composed."""

from email import message_from_bytes
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.writing.encoded_lines import (
    CheckedLines,
    EncodedLines,
    UnsendableError,
    check_lines,
    join_encoded_lines,
)
from pbem.mail.writing.mime import (
    MailCheckError,
    OutPart,
    Piece,
    ascii_field,
    check_mail,
    join_parts,
    mailbox_field,
    text_field,
    text_part,
    write_fields,
)


def part_of(kind: str, *texts: str) -> OutPart:
    return text_part(kind, [EncodedLines(text) for text in texts])


FIELDS = [
    ascii_field("From", "caravan@post.example"),
    mailbox_field("To", "Łucja Żółć", "lucja@example.org"),
    text_field("Subject", "[sirocco-7] Пустыня"),
]
BODY = join_parts("alternative", "abc", [part_of("plain", "hello\n"), part_of("html", "<p>hello</p>\n")])


def mail(head: bytes = b"", body: bytes = BODY.body) -> bytes:
    return write_fields([*FIELDS, *BODY.fields]) + head + b"\r\n" + body


def check(raw: bytes) -> None:
    check_mail([raw], [*FIELDS, *BODY.fields], BODY.limits)


def test_a_mail_that_says_what_was_meant_passes() -> None:
    check(mail())


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(mail(b"Bcc: mallory@evil.example\r\n"), id="a header more"),
        pytest.param(mail().replace(b"From: ", b"From : "), id="a blank before the colon"),
        pytest.param(mail().replace(b"caravan@post", b"mallory@evil"), id="another sender"),
        pytest.param(mail(b"\r\nBcc: x@evil.example\r\n").replace(b"To: ", b"Tp: "), id="a header gone"),
        pytest.param(
            mail().replace(b"Content-Type: multipart", b"Content-type: multipart"), id="a name spelt otherwise"
        ),
        pytest.param(mail().replace(b"\r\n\r\n", b"\n\r\n", 1), id="a line that ends otherwise"),
        pytest.param(mail().replace(b"hello", b"hel\0lo"), id="a zero"),
        pytest.param(mail(body=BODY.body + b"\r\n--=_x\r\n"), id="a boundary more"),
        pytest.param(mail(body=BODY.body.replace(b"hello", b"x" * 999)), id="a line too long"),
        pytest.param(mail().replace(b"=?utf-8?", b"=?utf-16?", 1), id="a name in another encoding"),
    ],
)
def test_one_that_does_not_is_held_back(raw: bytes) -> None:
    with pytest.raises((MailCheckError, LookupError, UnicodeError)):
        check(raw)


HEAD = write_fields([*FIELDS, *BODY.fields]) + b"\r\n"
PROVEN = CheckedLines(b"hello\r\n")


def test_lines_that_were_proven_are_not_looked_at_again_but_stand_alone() -> None:
    check_mail((HEAD, *BODY.pieces), [*FIELDS, *BODY.fields], BODY.limits)
    assert any(isinstance(piece, CheckedLines) for piece in BODY.pieces)


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param((HEAD, *BODY.pieces, PROVEN, b"more\r\n"), id="ours goes on behind them"),
        pytest.param((HEAD, *BODY.pieces, b"more ", PROVEN), id="ours goes on before them"),
        pytest.param((HEAD, *BODY.pieces, PROVEN, PROVEN), id="others go on behind them"),
        pytest.param((HEAD, *BODY.pieces[:-1], b"\r\n--=_x\r\n", BODY.pieces[-1]), id="a boundary more"),
        pytest.param((HEAD[:-2], *BODY.pieces), id="no end of the head"),
        pytest.param((HEAD + b"a\nb\r\n", *BODY.pieces), id="a line that ends otherwise"),
        pytest.param((HEAD + b"x" * 999 + b"\r\n", *BODY.pieces), id="a line too long"),
    ],
)
def test_what_stands_between_proven_lines_is_held_back_like_a_whole_mail(pieces: tuple[Piece, ...]) -> None:
    with pytest.raises(MailCheckError):
        check_mail(pieces, [*FIELDS, *BODY.fields], BODY.limits)


@pytest.mark.parametrize("encoded", [b"a\nb", b"a\rb", b"a\0b", b"x" * 999, b"a\r\n--=_alternative_abc\r\n"])
def test_encoded_lines_are_proven_once_and_refused_at_once(encoded: bytes) -> None:
    with pytest.raises(UnsendableError):
        check_lines(encoded)


def test_a_line_does_not_go_on_in_the_next_part() -> None:
    assert join_encoded_lines([EncodedLines("a\n"), EncodedLines(""), EncodedLines("b")]).raw == b"a\r\nb"
    with pytest.raises(UnsendableError):
        join_encoded_lines([EncodedLines("a"), EncodedLines("b\n")])


HOSTILE = st.text(max_size=60) | st.sampled_from(
    [
        "=?UTF-8?Q?=0A?=Bcc: x@evil.example é",
        "a\r\nBcc: x@evil.example",
        "a\nb",
        "=?utf-8?b?Qm9iCg==?=",
        '"quoted" <other@evil.example>',
        "a, b@evil.example",
        "\N{RIGHT-TO-LEFT OVERRIDE}gro.elpmaxe@anna",
        "(comment" * 20,
        "x" * 300,
        "Ж" * 60,
        "=",
        " ",
    ]
)


@given(HOSTILE)
def test_a_name_never_becomes_a_header_nor_another_address(name: str) -> None:
    from pbem.render.players import show_name

    fields = [mailbox_field("To", show_name(name), "anna@example.org"), ascii_field("X-Loop", "caravan@post.example")]
    raw = write_fields(fields) + b"\r\n"
    check_mail([raw], fields, 0)
    read = message_from_bytes(raw)
    assert [key for key, _ in read.items()] == ["To", "X-Loop"]
    assert read["To"].endswith("anna@example.org>" if show_name(name) else "anna@example.org")
    assert raw.count(b"@") == 2


@given(st.text(max_size=60))
def test_text_of_ours_arrives_as_it_is_in_a_header(text: str) -> None:
    if not text.isprintable() or not text.strip() or text != text.strip():
        return
    fields = [text_field("Subject", text)]
    check_mail([write_fields(fields) + b"\r\n"], fields, 0)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "anna",
        "anna@",
        "@example.org",
        "an na@example.org",
        "anna@example.org\r\nBcc: x",
        "a@b,c@d",
        "<a@b>",
        '"a"@b',
    ],
)
def test_what_is_no_address_is_not_written_to(address: str) -> None:
    with pytest.raises(UnsendableError):
        mailbox_field("To", "Anna", address)


@pytest.mark.parametrize("value", ["a\r\nb", "é", "", "=?utf-8?q?x?=", "a\tb"])
def test_a_header_of_ours_is_plain(value: str) -> None:
    with pytest.raises(UnsendableError):
        ascii_field("X-Loop", value)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=300))
def test_any_text_arrives_as_it_was_and_holds_no_boundary(text: str) -> None:
    part = part_of("plain", text)
    read = message_from_bytes(part.raw)
    assert cast("bytes", read.get_payload(decode=True)).decode() == text.replace("\n", "\r\n")
    assert b"--=_" not in part.body
    assert max(map(len, part.body.split(b"\r\n"))) <= 78


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=200)))
def test_lines_set_one_by_one_are_the_same_bytes_as_their_text_in_one_piece(lines: list[str]) -> None:
    assert part_of("plain", *(f"{line}\n" for line in lines)) == part_of(
        "plain", "".join(f"{line}\n" for line in lines)
    )


@pytest.mark.parametrize(("text", "way"), [("hello\n" * 9, "quoted-printable"), ("שלום\n" * 9, "base64")])
def test_text_stays_readable_on_its_way_where_it_can(text: str, way: str) -> None:
    assert message_from_bytes(part_of("plain", text).raw)["Content-Transfer-Encoding"] == way
