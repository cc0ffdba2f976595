"""A player's own words, shape by shape: what is his, what is quoted, what is a signature, what is a fence."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.format import FENCES, REPLY_MARK
from pbem.mail.reading.quotes import find_own_words
from pbem.mail.reading.text_lines import plain_lines
from tests.letters.planted_letters import POST

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk

MOVE = "lilac F4, salmon C9"
OPEN, CLOSE = FENCES["en"]


@pytest.mark.parametrize(
    "below",
    [
        "> lilac E5",
        ">lilac E5\n>> mint K9",
        f"{REPLY_MARK} Write above this line.\nlilac E5",
        "##\u2014 Caravan-Post \u2014## x\nlilac E5",
        "On Mon, 16 Nov 2026 at 10:12, Someone wrote:\n> lilac E5",
        "On Mon, 16 Nov 2026 at\n10:12, Someone <a@b>\nwrote:\n\n> lilac E5",
        "\u202bבתאריך 16.11.26 מאת פלוני:\u202c\n> lilac E5",
        f"Someone <{POST.address}> writes:\n\n> lilac E5",
        f"On 16/11/26, <{POST.address}> wrote:\n\nlilac E5",
        f"On 16/11/26, X <\n{POST.address}> wrote:\n\nlilac E5",
        "On 16/11/26, X <caravan+sirocco-7.red.12.0.aaaaaaaaaaaaaaaa@example.org>\nwrote:\n\nlilac E5",
        f"From: X <{POST.address}>\nlilac E5",
        f"*Van:* X [mailto:{POST.address}]\nlilac E5",
        "From: X\nSent: Monday\nTo: Anna\nSubject: y\nlilac E5",
        "От: X\nДата: сегодня\nТема: y\nlilac E5",
        "Od: X\nWysłano: dziś\nDo: Anna\nlilac E5",
        "Van: X\nVerzonden: vandaag\nAan: Anna\nlilac E5",
        "מאת: X\nנשלח: היום\nאל: אנה\nlilac E5",
        "-----Original Message-----\nlilac E5",
        "-------- Oryginalna wiadomość --------\nlilac E5",
        "---- On Mon, 16 Nov 2026 X <a@b> wrote ----\nlilac E5",
        "_____\nlilac E5",
        "Begin forwarded message:\nlilac E5",
        "Начало переадресованного сообщения:\nlilac E5",
        "-- \nlilac E5",
        "--\nlilac E5",
        "\u2014\nlilac E5",
        "Sent from my iPhone",
        "Отправлено с iPhone",
        "Wysłane z iPhone'a",
        "Verzonden vanaf mijn iPhone",
        "נשלח מה-iPhone שלי",
        "Get Outlook for Android<https://aka.example/x>",
        "signoff\nlilac E5",
    ],
)
def test_what_stands_below_the_words_is_cut(below: str, session: "Desk") -> None:
    letter = session.letter(f"{MOVE}\n\n{below}\n")
    assert letter.words == MOVE
    assert letter.cut
    assert session.words(f"{MOVE}\n{below}\n") == MOVE, "the blank line between is not needed"


@pytest.mark.parametrize(
    "own",
    [
        "From: lilac F4",
        "From: E4\nTo: F4",
        "On F4: lilac",
        "On 16 November I am away:\nvacation 2026-11-16 2026-11-20",
        "press to blue: and then:\n1. hello",
        "Original message: lilac F4",
        "--- lilac F4 ---",
        "- lilac F4\n- salmon C9",
        "lilac F4 -- salmon C9",
        "a_____b",
        "note: ask referee@example.org",
        "press: I sent from my iPhone yesterday",
        "Sent: 3 camels",
        "data: 12",
        "lilac F4 > salmon C9",
    ],
)
def test_own_words_that_look_like_something_else_survive(own: str, session: "Desk") -> None:
    assert session.words(f"{own}\n\nOn 16/11/2026 10:12, X wrote:\n> lilac E5\n") == own


def test_words_above_the_quote_win_over_words_below(session: "Desk") -> None:
    letter = session.letter(f"{MOVE}\n\n> lilac E5\n\nmint A1\n")
    assert letter.words == MOVE
    assert letter.cut == ("> lilac E5", "mint A1")


def test_words_between_and_below_quotes_count_where_none_stand_above(session: "Desk") -> None:
    assert (
        session.words("X wrote on 1.1.2026:\n> one\n\nlilac F4\n\n> two\n\nsalmon C9\n\n-- \nAnna\n")
        == "lilac F4\n\nsalmon C9"
    )


def test_the_rest_of_a_broken_quoted_line_is_no_answer(session: "Desk") -> None:
    assert session.words("> " + "quoted " * 10 + "\nlilac E5\n> end\n") == ""
    assert session.words("> short\nlilac F4\n> end\n") == "lilac F4"
    flowed = {"Content-Type": "text/plain; format=flowed"}
    assert session.words("> " + "quoted " * 10 + "\n> on\nlilac F4\n> end\n", flowed) == "lilac F4"


def test_orders_inside_a_fence_are_all_that_counts(session: "Desk") -> None:
    letter = session.letter(f"Hello, mint A1 was good.\n\n{OPEN}\n{MOVE}\n{CLOSE}\nBye, mint A2\n\n> lilac E5\n")
    assert letter.words == MOVE
    assert letter.cut == ("Hello, mint A1 was good.", CLOSE, "> lilac E5")


@pytest.mark.parametrize(
    "fence",
    [
        ("--- ORDERS ---", "--- End ---"),
        ("\u2014 orders \u2014", "\u2014 end \u2014"),
        ("----orders----", "signoff"),
    ],
)
def test_a_fence_survives_phones_and_shouting(fence: tuple[str, str], session: "Desk") -> None:
    assert session.words(f"hi\n{fence[0]}\n{MOVE}\n{fence[1]}\nbye") == MOVE


def test_a_fence_below_the_quote_counts_and_one_left_open_ends_with_the_text(session: "Desk") -> None:
    assert session.words(f"See below.\n> lilac E5\n\n{OPEN}\n{MOVE}\n{CLOSE}\n") == MOVE
    assert session.words(f"hi\n{OPEN}\n{MOVE}\n\n-- \nAnna\n> lilac E5\n") == MOVE
    assert session.words(f"{OPEN}\n{MOVE}\n> lilac E5\nmint A1\n") == MOVE


def test_a_quoted_fence_is_a_quotation(session: "Desk") -> None:
    quoted = f"> {OPEN}\n> lilac E5\n> {CLOSE}\n"
    assert session.words(quoted) == ""
    assert session.words(f"{MOVE}\n\n{quoted}") == MOVE
    assert session.words(f"{MOVE}\n\n{REPLY_MARK}\n{OPEN}\nlilac E5\n{CLOSE}\n") == MOVE


def test_an_empty_fence_does_not_hide_the_words(session: "Desk") -> None:
    assert MOVE in session.words(f"{MOVE}\n{OPEN}\n{CLOSE}\n")


def test_what_was_cut_is_echoed_shortly(session: "Desk") -> None:
    letter = session.letter(f"{MOVE}\n-- \nAnna\n\n> {'x' * 300}\n" + "".join(f"a{n}\n> b{n}\n" for n in range(20)))
    assert letter.cut[:2] == ("--", "> " + "x" * 118)
    assert len(letter.cut) == 8


LINES = st.sampled_from(
    [
        *("own", "", "> quoted", ">> deep", "-- ", OPEN, CLOSE, REPLY_MARK, "_" * 9),
        *("On 1.1.2026 X wrote:", "Sent from x", "From: x"),
    ]
)


@given(st.lists(LINES, max_size=14))
def test_no_quoted_line_is_ever_among_the_words(lines: list[str]) -> None:
    found = find_own_words(list(plain_lines("\n".join(lines))), POST)
    assert not [line for line in found.words.split("\n") if line.startswith(">")]
    if REPLY_MARK in lines:
        below = lines[lines.index(REPLY_MARK) :]
        assert found.words.count("own") <= lines.count("own") - below.count("own")


@pytest.mark.parametrize(
    "line",
    [
        *("Sent from the train, lilac F4", "Verzonden vanuit de trein: lila F4", "Wysłane z pociągu: liliowy F4"),
        *("Отправлено из поезда: лиловый F4", "נשלח מהרכבת: סגול F4"),
    ],
)
def test_a_line_of_the_players_own_is_no_signature_of_a_phone(line: str) -> None:
    assert find_own_words(plain_lines(line), POST).words == line
