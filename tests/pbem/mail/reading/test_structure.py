"""Parts of a mail: as the library reads them where the mail is sound, and within limits where it is not."""

import base64
from email.parser import BytesParser
from typing import TYPE_CHECKING, cast

import pytest

from pbem.mail.reading import Unreadable, limits
from pbem.mail.reading.encoding import decode_transfer
from pbem.mail.reading.header import Header, parse_header
from pbem.mail.reading.parts import Part, parse_structure
from tests.letters.planted_letters import Planted

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk


def leaves(part: Part) -> list[Part]:
    return [leaf for inner in part.inside for leaf in leaves(inner)] if part.inside else [part]


def multipart(*parts: str, kind: str = "mixed") -> tuple[str, dict[str, str]]:
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    return body, {"Content-Type": f"multipart/{kind}; boundary=b"}


def nested(depth: int) -> str:
    body = "Content-Type: text/plain\n\nlilac F4"
    for level in range(depth):
        body = f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n{body}\n--b{level}--"
    return body


def test_a_sound_mail_has_the_parts_that_the_library_finds(planted: Planted) -> None:
    raw = planted.raw.replace(b"\r\n", b"\n")
    opened = parse_header(raw)
    assert not isinstance(opened, Unreadable)
    ours = parse_structure(*opened)
    assert isinstance(ours, Part)
    theirs = [part for part in BytesParser().parsebytes(raw).walk() if not part.is_multipart()]
    assert [leaf.content.kind for leaf in leaves(ours)] == [part.get_content_type() for part in theirs]
    for leaf, part in zip(leaves(ours), theirs, strict=True):
        unpacked = decode_transfer(leaf.data, leaf.content.encoding)
        assert unpacked is not None
        assert unpacked.rstrip(b"\n") == cast("bytes", part.get_payload(decode=True)).rstrip(b"\n")
        assert leaf.content.parameter("charset") == str(part.get_param("charset", "")).lower()


def test_parts_may_be_nested_to_the_limit_and_no_deeper() -> None:
    for depth, expected in [(limits.NESTING, Part), (limits.NESTING + 1, Unreadable)]:
        opened = parse_header(nested(depth).encode())
        assert not isinstance(opened, Unreadable)
        assert isinstance(parse_structure(*opened), expected)


def test_a_thousand_levels_are_told_from_the_bytes() -> None:
    opened = parse_header(nested(1_000).encode())
    assert not isinstance(opened, Unreadable)
    read = parse_structure(*opened)
    assert isinstance(read, Unreadable)
    assert read.reason == "nested-too-deep"


def test_twenty_parts_are_read_and_one_more_is_not(session: "Desk") -> None:
    assert session.words(*multipart(*["\nhi"] * 20)) == "\n".join(["hi"] * 20)
    assert session.reason(*multipart(*["\nhi"] * 21)) == "too-many-parts"


def test_what_stands_around_the_parts_is_not_part_of_the_mail(session: "Desk") -> None:
    body, headers = multipart("\nlilac F4")
    assert session.words(f"lilac A1\n{body}lilac B2\n", headers) == "lilac F4"


def test_a_boundary_is_a_whole_line(session: "Desk") -> None:
    assert (
        session.words("--b\n\nlilac F4\n--bb\n --b\nx--b\n--b-- \n", {"Content-Type": "multipart/mixed; boundary=b"})
        == "lilac F4\n--bb\n--b\nx--b"
    )


def test_a_mail_cut_off_is_not_read(session: "Desk") -> None:
    body, headers = multipart("\nlilac F4")
    assert session.reason(body.replace("--b--", ""), headers) == "truncated"


def test_a_part_with_parts_inside_is_never_packed(session: "Desk") -> None:
    body, headers = multipart("\nlilac F4")
    assert session.words(body, headers | {"Content-Transfer-Encoding": "8bit"}) == "lilac F4"
    assert session.reason(body, headers | {"Content-Transfer-Encoding": "quoted-printable"}) == "odd-structure"


def test_the_second_of_two_descriptions_is_never_guessed(session: "Desk") -> None:
    assert session.reason("hi", {"Content-Type": "text/plain\nContent-Type: text/html"}) == "twice-said"
    assert session.reason("hi", {"Content-Type": "text/plain; charset=utf-8; charset=koi8-r"}) == "odd-structure"
    assert session.reason("hi", {"Content-Type": "multipart/mixed; boundary*0=a; boundary*1=b"}) == "odd-structure"


def test_parameters_are_read_with_and_without_quotation_marks(session: "Desk") -> None:
    hebrew = "\u05d0".encode("cp1255")
    for said in ("windows-1255", '"windows-1255"', '"windows\\-1255"'):
        assert session.words(hebrew, {"Content-Type": f"text/plain; x=y;  CharSet = {said}; z"}) == "\u05d0"


@pytest.mark.parametrize("kind", ["mixed", "related", "signed", "something-new"])
def test_texts_beside_each_other_are_read_one_after_the_other(kind: str, session: "Desk") -> None:
    assert (
        session.words(*multipart("\nlilac F4", "Content-Type: image/png\n\nxx", "\nsalmon C9", kind=kind))
        == "lilac F4\nsalmon C9"
    )


def test_of_alternatives_the_plain_one_is_read(session: "Desk") -> None:
    plain, markup = "\nlilac F4", "Content-Type: text/html\n\n<p>lilac A1</p>"
    assert session.words(*multipart(plain, markup, kind="alternative")) == "lilac F4"
    assert session.words(*multipart(markup, plain, kind="alternative")) == "lilac F4"


@pytest.mark.parametrize("stub", ["", "  \n \n", "This is an HTML mail.", "> ."])
def test_an_empty_plain_alternative_gives_way_to_html(stub: str, session: "Desk") -> None:
    markup = "Content-Type: text/html\n\n<p>lilac F4</p>"
    assert session.words(*multipart(f"\n{stub}", markup, kind="alternative")) == "lilac F4"


@pytest.mark.parametrize(
    "struck",
    [
        "<s>lilac A1</s>",
        '<S class="x">lilac A1</S>',
        "<strike>lilac A1</strike>",
        "<del\n>lilac A1</del>",
        '<span style="text-decoration: line-through">lilac A1</span>',
        "<span style='TEXT-DECORATION:Line-Through'>lilac A1</span>",
    ],
)
def test_plain_text_that_hides_what_was_struck_out_gives_way_to_html(struck: str, session: "Desk") -> None:
    plain, markup = "\nlilac A1\nlilac F4", f"Content-Type: text/html\n\n<div>{struck}<p>lilac F4</p></div>"
    assert session.words(*multipart(plain, markup, kind="alternative")) == "lilac F4"
    packed = base64.b64encode(f"{struck}<p>lilac F4</p>".encode()).decode()
    markup = f"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n{packed}"
    related = f"Content-Type: multipart/related; boundary=inner\n\n--inner\n{markup}\n--inner--"
    assert session.words(*multipart(plain, related, kind="alternative")) == "lilac F4"


def test_html_that_strikes_out_and_cannot_be_followed_is_not_read_as_plain_text(session: "Desk") -> None:
    markup = f"Content-Type: text/html\n\n<s>lilac A1</s>{'<div>' * 401}lilac F4"
    assert session.reason(*multipart("\nlilac A1\nlilac F4", markup, kind="alternative")) == "odd-markup"


@pytest.mark.parametrize("inside", ["<span>x</span>", "<strong>x</strong>", "<style>s</style>", "<div>" * 401, "a < s"])
def test_html_that_strikes_nothing_out_leaves_the_plain_text_as_it_is(inside: str, session: "Desk") -> None:
    for said in ("text/html", "text/html; charset=utf-7"):
        parts = "\nlilac F4", f"Content-Type: {said}\n\n{inside}"
        assert session.words(*multipart(*parts, kind="alternative")) == "lilac F4"


def test_an_attachment_is_never_opened(session: "Desk") -> None:
    for said in ("attachment", "attachment; filename=x.txt", 'inline; filename="x.txt"'):
        assert session.words(*multipart("\nhi", f"Content-Disposition: {said}\n\nlilac F4")) == "hi"


def test_a_part_without_any_header_is_plain_text() -> None:
    read = parse_structure(Header(), b"lilac F4")
    assert isinstance(read, Part)
    assert read.content.kind == "text/plain"
