"""Characters and packings: every charset that players' programs write, none that hides what it holds."""

import base64
import quopri
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.encoding import decode_text, decode_transfer, decode_words
from pbem.mail.reading.text_lines import join_flowed

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("utf-8", "utf_8", "сирень F4"),
        ("UTF8", "utf_8", "לילך F4"),
        ("windows-1255", "cp1255", "לילך F4"),
        ("iso-8859-8", "iso8859_8", "לילך F4"),
        ("ISO-8859-8-I", "iso8859_8", "לילך F4"),
        ("windows-1251", "cp1251", "сирень F4"),
        ("koi8-r", "koi8_r", "сирень F4"),
        ("iso-8859-5", "iso8859_5", "сирень F4"),
        ("windows-1250", "cp1250", "łosoś F4"),
        ("iso-8859-2", "iso8859_2", "łosoś F4"),
        ("ISO_8859-15", "iso8859_15", "één €"),
        ("iso-8859-1", "cp1252", "één “F4” €"),
        ("windows-1252", "cp1252", "één “F4” €"),
        ("utf-16", "utf_16", "lilac F4"),
        ("", "utf_8", "łosoś F4"),
        ("us-ascii", "utf_8", "łosoś F4"),
        ("unknown-8bit", "utf_8", "łosoś F4"),
        ("gb2312", "gb18030", "驼 F4"),
        ("iso-2022-jp", "iso2022_jp", "らくだ F4"),
    ],
)
def test_a_charset_is_read(charset: str, codec: str, text: str, session: "Desk") -> None:
    packed = base64.b64encode(text.encode(codec)).decode()
    headers = {"Content-Type": f'text/plain; charset="{charset}"', "Content-Transfer-Encoding": "base64"}
    assert session.letter(packed, headers).words == text.replace("“", '"').replace("”", '"')


@pytest.mark.parametrize(
    "charset", ["utf-7", "UTF_7", "unicode-1-1-utf-7", "rot13", "hex", "zlib", "idna", "punycode", "mbcs", "x"]
)
def test_a_charset_that_hides_or_is_none_is_not_read(charset: str) -> None:
    assert decode_text(b"lilac F4", charset) is None


def test_a_byte_that_fits_no_character_is_seen_and_not_dropped() -> None:
    assert decode_text(b"lil\xffac", "utf-8") == "lil\ufffdac"


@given(st.binary(max_size=300))
def test_packing_and_unpacking_give_the_same_bytes(data: bytes) -> None:
    assert decode_transfer(base64.encodebytes(data), "base64") == data
    assert decode_transfer(base64.b64encode(data).rstrip(b"="), "base64") == data
    plain = data.replace(b"\r", b"")
    assert decode_transfer(quopri.encodestring(plain), "quoted-printable") == plain
    assert decode_transfer(data, "8bit") == data


@pytest.mark.parametrize("packed", [b"!", b"YWI=YWI=", b"A", b"YW=I", b"lilac F4,"])
def test_bad_base64_is_not_guessed(packed: bytes) -> None:
    assert decode_transfer(packed, "base64") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"Re: turn", "Re: turn"),
        (b"=?utf-8?q?l=C3=A9_jeu?=", "lé jeu"),
        (b"=?UTF-8?B?15DXkQ==?= =?UTF-8?B?15I=?=", "אבג"),
        (b"=?utf-8*he?B?15DXkQ==?= 7", "אב 7"),
        (b"=?koi8-r?B?8sXXwQ==?=", "Рева"),
        (b"caf\xc3\xa9", "café"),
        (b"=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        (b"=?utf-7?q?+AGE-?=", "=?utf-7?q?+AGE-?="),
        (b"=?utf-8?b?!!!?=", "=?utf-8?b?!!!?="),
        (b"a\x00b\x1b[2J", "a b [2J"),
    ],
)
def test_the_words_of_a_header_are_decoded_onto_one_line(value: bytes, text: str) -> None:
    assert decode_words(value) == text


@pytest.mark.parametrize(
    ("flowed", "text"),
    [
        ("lilac F4, \nsalmon C9", "lilac F4, salmon C9"),
        ("lilac F4\nsalmon C9", "lilac F4\nsalmon C9"),
        (" From here\n  stuffed", "From here\n stuffed"),
        ("> quoted \n> text\nmine", "> quoted text\nmine"),
        (">> deep \n> less deep", "> deep \n> less deep"),
        ("words\n-- \nAnna", "words\n-- \nAnna"),
        ("words \n-- \nAnna", "words \n-- \nAnna"),
    ],
)
def test_flowed_lines_are_joined(flowed: str, text: str) -> None:
    assert join_flowed(flowed, keep_blank=True) == text


def test_with_delsp_the_blank_at_a_break_is_no_part_of_the_text() -> None:
    assert join_flowed("lilac F4, sal \nmon C9", keep_blank=False) == "lilac F4, salmon C9"


def test_only_what_says_that_it_flows_is_joined(session: "Desk") -> None:
    body = "lilac F4, \nsalmon C9"
    assert session.words(body) == "lilac F4,\nsalmon C9"
    assert session.words(body, {"Content-Type": "text/plain; format=flowed"}) == "lilac F4, salmon C9"
    assert session.words(body, {"Content-Type": "text/plain; format=Flowed; DelSp=Yes"}) == "lilac F4,salmon C9"


def test_invisible_signs_go_and_pretty_ones_become_plain(session: "Desk") -> None:
    assert session.words("\u202b\u200flilac\u00a0F4\u200b,\u2009salmon\u3000C9\u202c\ufeff") == "lilac F4, salmon C9"
    assert (
        session.words("F12\u2013I15 \u201cwell\u201d, it\u2019s \u2014 done\u2026") == 'F12-I15 "well", it\'s - done...'
    )


def test_control_signs_are_shown_and_not_swallowed(session: "Desk") -> None:
    assert session.words("li\x07lac F4") == "li\ufffdlac F4"


def test_text_to_the_limit_is_read_and_more_is_not(session: "Desk") -> None:
    quoted = "> " + "x" * 62 + "\n"
    assert session.words("lilac F4\n" + quoted * 1_000) == "lilac F4"
    assert session.reason("lilac F4\n" + quoted * 1_050) == "text-too-long"
    assert session.reason("lilac F4\n" + ">\n" * 2_001) == "text-too-long"


def test_own_words_to_the_limit_are_read_and_more_are_not(session: "Desk") -> None:
    assert session.words("x\n" * 200) == "\n".join("x" * 200)
    assert session.reason("x\n" * 201) == "too-many-words"
    assert session.reason("x" * 8_193) == "too-many-words"
