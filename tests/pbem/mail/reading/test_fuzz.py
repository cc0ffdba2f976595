"""Whatever comes in, one of two things comes out: a letter, or a named reason why not."""

import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.mail.reading import REASONS, Letter, Unreadable, read_letter
from tests.hostile.hostile_draft import Target, sound
from tests.hostile.hostile_mails import TRAPS
from tests.letters.planted_letters import PLANTED, POST

TARGET = Target(address=POST.address, key=POST.ticket_key)
LETTERS = [planted.raw for planted in PLANTED]

NAMES = st.sampled_from(
    [
        *("From", "To", "Cc", "Subject", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "X-Loop"),
        *("Auto-Submitted", "Precedence", "Return-Path", "Message-ID", "In-Reply-To", "Authentication-Results"),
    ]
)
PIECES = st.sampled_from(
    [
        *("text/plain", "text/html", "multipart/mixed", "multipart/alternative", "multipart/report", "; boundary=b"),
        *(
            "; charset=",
            "utf-8",
            "utf-7",
            "iso-8859-8-i",
            "; format=flowed",
            "; delsp=yes",
            "base64",
            "quoted-printable",
        ),
        *(
            "<",
            ">",
            "@",
            '"',
            "\\",
            "(",
            ")",
            ",",
            ":",
            "anna",
            "example.net",
            POST.address,
            "=?utf-8?q?=0A?=",
            "\u05d0",
        ),
        *("mail.example.org", "dmarc=pass header.from=", "\n ", "\t", " ", "=", "?=", "--b", "--b--", "\ufffd", "\x7f"),
    ]
)
VALUES = st.lists(PIECES, max_size=12).map("".join)
LINES = st.sampled_from(
    [
        *("lilac F4, salmon C9", "> lilac E5", "-- ", "On Mon, 16 Nov 2026, X wrote:", "--- orders ---", "--- end ---"),
        *("_" * 32, "##- caravan-post -##", f"From: X <{POST.address}>", "Sent from my iPhone", "--b", "--b--", ""),
        *(
            "Content-Type: text/html",
            "<blockquote>",
            "</blockquote>",
            "<p style='display:none'>",
            "\u202b\u05d0:",
            "=20=",
        ),
    ]
)


def well_read(raw: bytes) -> Letter | Unreadable:
    read = read_letter(raw, post=POST)
    if isinstance(read, Unreadable):
        assert read.reason in REASONS
        assert len(read.detail) <= 250
    else:
        read.words.encode()  # no half characters
        assert "\0" not in read.words
        assert "\n" not in read.subject
        assert (read.automatic is None) or not read.words
    return read


@given(st.binary(max_size=2_000))
@example(b"")
@example(b"\n")
@example(b"From: a@b\n\n")
def test_any_bytes_are_read_or_named(raw: bytes) -> None:
    well_read(raw)


@settings(max_examples=300)
@given(st.lists(st.tuples(NAMES, VALUES), max_size=8), st.lists(LINES, max_size=12), st.booleans())
def test_any_mail_put_together_from_the_words_of_mails_is_read_or_named(
    headers: list[tuple[str, str]], lines: list[str], network: bool
) -> None:
    head = "".join(f"{name}: {value}\n" for name, value in headers)
    raw = (head + "\n" + "\n".join(lines) + "\n").encode()
    well_read(raw.replace(b"\n", b"\r\n") if network else raw)


@settings(max_examples=300)
@given(st.sampled_from(LETTERS), st.data())
def test_a_letter_with_a_stretch_changed_is_read_or_named(letter: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(letter)))
    end = data.draw(st.integers(at, min(len(letter), at + 200)))
    well_read(letter[:at] + data.draw(st.binary(max_size=20)) + letter[end:])


@settings(max_examples=200)
@given(st.sampled_from(LETTERS), st.data())
def test_a_letter_cut_short_never_yields_another_move(letter: bytes, data: st.DataObject) -> None:
    read = well_read(letter[: data.draw(st.integers(0, len(letter)))])
    if isinstance(read, Letter):
        assert "E5" not in read.words
        assert "K9" not in read.words


@settings(max_examples=200)
@given(st.sampled_from(sorted(TRAPS)), st.integers(0, 2**32), st.data())
def test_a_trap_with_some_bytes_changed_is_read_or_named(trap: str, seed: int, data: st.DataObject) -> None:
    raw = TRAPS[trap](random.Random(seed), TARGET)
    at = data.draw(st.integers(0, len(raw)))
    well_read(raw[:at] + data.draw(st.binary(max_size=5)) + raw[at:])


@given(st.text(max_size=500))
def test_any_text_at_all_may_be_the_body(text: str) -> None:
    draft = sound(random.Random(1), TARGET).put("Content-Type", "text/plain; charset=utf-8; format=flowed")
    well_read(draft.text(text.encode("utf-8", "replace")).raw())


@given(st.text(alphabet=st.sampled_from("<>/!-=\"' abpt&;#x1\n"), max_size=300))
def test_any_markup_at_all_may_be_the_body(source: str) -> None:
    well_read(sound(random.Random(1), TARGET).put("Content-Type", "text/html").text(source).raw())
