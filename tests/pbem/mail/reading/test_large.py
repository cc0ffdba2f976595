"""Large letters: with a good ticket they are taken, what is no text is dropped unread, and the text is read so far."""

import base64
from typing import Any

import pytest

from pbem.mail.reading import Letter, Unreadable, body, largest_size, limits, read_letter
from pbem.mail.reply_address import format_reply_address
from tests.letters.planted_letters import POST

TICKET = format_reply_address(POST.ticket_key, POST.address, game="sirocco-7", seat="red", turn=13, mark="aaaaaa")
FORGED = TICKET.replace(".13.", ".14.")
MOVE = "lilac F4"
PICTURE = base64.encodebytes(bytes(range(256)) * 4_000).decode()
FILLER = "somebody else's words, as long as a line\n"


def mail(
    text: str, *, to: str = TICKET, kind: str = "text/plain", attached: str = "", subject: str = "Re: it"
) -> bytes:
    """A letter with a text, and a picture beside it if there is one."""
    head = f"From: anna@example.net\nTo: {to}\nSubject: {subject}\n"
    part = f"Content-Type: {kind}; charset=utf-8\n\n{text}\n"
    if not attached:
        return (head + part).encode()
    picture = f"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n{attached}\n"
    return f"{head}Content-Type: multipart/related; boundary=b\n\n--b\n{part}\n--b\n{picture}\n--b--\n".encode()


def both(*parts: tuple[str, str]) -> bytes:
    """A letter with one text in several forms."""
    written = "".join(f"--b\nContent-Type: {kind}; charset=utf-8\n\n{text}\n" for kind, text in parts)
    head = f"From: anna@example.net\nTo: {TICKET}\nContent-Type: multipart/alternative; boundary=b\n\n"
    return f"{head}{written}--b--\n".encode()


def read(raw: bytes, **known: Any) -> Letter:
    letter = read_letter(raw, post=POST, **known)
    assert isinstance(letter, Letter), letter
    return letter


def reason(raw: bytes, **known: Any) -> str:
    found = read_letter(raw, post=POST, **known)
    assert isinstance(found, Unreadable)
    return found.reason


def test_a_letter_that_quotes_pictures_is_read_if_its_ticket_is_good() -> None:
    raw = mail(MOVE, attached=PICTURE)
    assert len(raw) > limits.MAIL
    assert (read(raw).words, read(raw).cut_short) == (MOVE, False)
    assert reason(mail(MOVE, attached=PICTURE, to=FORGED)) == "too-large"
    assert reason(mail(MOVE, attached=PICTURE, to=POST.address)) == "too-large"
    assert read(mail(MOVE, attached=PICTURE, to=POST.address), envelope_to=[TICKET]).words == MOVE
    assert reason(raw, envelope_to=[FORGED]) == "too-large"
    assert read(mail(MOVE, attached=PICTURE, to=POST.address), ticketed=True).words == MOVE


def test_the_usual_size_may_be_smaller_and_concerns_only_letters_without_a_ticket() -> None:
    raw = mail("x" * 20_000, to=POST.address)
    assert reason(raw, largest=16_384) == "too-large"
    assert isinstance(read_letter(mail("x" * 8_000, to=POST.address), post=POST, largest=16_384), Letter)
    assert read(mail(MOVE, attached=PICTURE), largest=16_384).words == MOVE


def test_nothing_is_larger_than_ten_megabytes() -> None:
    most = mail(MOVE, attached="A" * 76 + "\n")
    raw = most.replace(b"A" * 76 + b"\n", (b"A" * 76 + b"\n") * ((limits.TICKETED - len(most)) // 77))
    assert limits.TICKETED - 100 < len(raw) <= limits.TICKETED
    assert read(raw).words == MOVE
    assert reason(raw + b"\n" * 200) == "too-large"


def test_the_door_knows_the_size_from_the_beginning_of_a_letter_or_from_its_envelope() -> None:
    for to, size in ((TICKET, limits.TICKETED), (FORGED, 9), (POST.address, 9)):
        start = mail(MOVE, to=to, attached=PICTURE)
        for raw in (start, start.replace(b"\n", b"\r\n")):
            assert largest_size(raw[: limits.MAIL], post=POST, usual=9) == size
        assert largest_size(b"x" * limits.MAIL, post=POST, envelope_to=[to], usual=9) == size


def test_pictures_and_attachments_are_dropped_undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []

    def watch(data: bytes, encoding: str) -> bytes:
        decoded.append(data)
        return data

    monkeypatch.setattr(body, "decode_transfer", watch)
    read(mail(MOVE, attached=PICTURE))
    assert max(map(len, decoded)) < 100


def test_a_long_quotation_is_cut_silently_and_the_words_above_it_are_whole() -> None:
    letter = read(mail(f"{MOVE}\n\n" + "".join(f"> {FILLER}" for _ in range(4_000))))
    assert (letter.words, letter.cut_short) == (MOVE, False)
    assert len(letter.cut) == 1


def test_words_that_go_on_beyond_the_limit_are_read_up_to_it_and_that_is_known() -> None:
    quote = "".join(f"> {FILLER}" for _ in range(1_450))
    letter = read(mail(f"{quote}\n{MOVE}\n\n" + "thank you all\n" * 900))
    assert letter.cut_short
    assert letter.words.startswith(MOVE)
    assert set(letter.words.splitlines()[2:]) == {"thank you all"}, "no line is cut in its middle"
    letter = read(mail("".join(f"> {FILLER}" for _ in range(1_900)) + f"\n{MOVE}\n"))
    assert (letter.words, letter.cut_short) == ("", True), "what stands below was not seen at all"


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_a_line_at_the_limit_is_left_out_whole(kind: str) -> None:
    lines = ["<div>road 3-45</div>\n"] * 20_000 if kind == "text/html" else ["road 3-45\n"] * 20_000
    letter = read(mail("".join(lines), kind=kind))
    assert letter.cut_short
    assert set(letter.words.splitlines()) == {"road 3-45"}
    letter = read(mail("road 3-4" * 20_000, kind=kind))
    assert (letter.words, letter.cut_short) == ("", True)


def test_pictures_inside_html_do_not_count() -> None:
    page = f'<p>thanks</p><blockquote><img src="data:image/png;base64,{PICTURE}"></blockquote><p>{MOVE}</p>'
    letter = read(mail(page, kind="text/html"))
    assert len(page) > limits.MARKUP
    assert not letter.cut_short
    assert letter.cut == ()
    assert letter.words == f"thanks\n\n{MOVE}"


def test_without_a_good_ticket_a_long_text_is_not_read() -> None:
    assert reason(mail(FILLER * 1_700, to=FORGED)) == "text-too-long"
    assert reason(mail("hello\n" * 300, to=FORGED)) == "too-many-words"
    assert read(mail("hello\n" * 300)).words.count("hello") == 300, "the writer is asked to write less"


def test_the_html_beside_a_text_is_compared_without_its_pictures() -> None:
    picture = f'<img src="data:image/png;base64,{PICTURE}">'
    letter = read(both(("text/plain", MOVE), ("text/html", f"<p>lilac G5</p>{picture}")))
    assert (letter.words, letter.shown) == (MOVE, "lilac G5")


def test_html_that_is_too_long_is_not_compared() -> None:
    letter = read(both(("text/plain", MOVE), ("text/html", f"<p>lilac G5</p>{'<p>more</p>' * 30_000}")))
    assert (letter.words, letter.shown, letter.cut_short) == (MOVE, "", False)


def test_html_is_read_up_to_a_number_of_tags() -> None:
    page = f"<p>{MOVE}</p><blockquote>{'<b>x</b>' * limits.TAGS}</blockquote><p>lilac G5</p>"
    letter = read(mail(page, kind="text/html"))
    assert len(page) < limits.MARKUP
    assert letter.words == MOVE
    assert reason(mail(page, kind="text/html", to=FORGED)) == "text-too-long"
    page = f"<p>{MOVE}</p><blockquote>{'<b>x</b>' * (limits.TAGS // 2 - 9)}</blockquote>"
    assert not read(mail(page, kind="text/html")).cut_short
    assert read(mail(page, kind="text/html")).words == MOVE


def test_rules_that_hide_something_are_counted() -> None:
    rules = "".join(f".a{number}{{display:none}}" for number in range(limits.HIDING_RULES))
    page = f"<style>{rules}</style><p>{MOVE}</p>"
    assert read(mail(page, kind="text/html")).words == MOVE
    assert reason(mail(page.replace("</style>", ".b{display:none}</style>"), kind="text/html")) == "odd-markup"
