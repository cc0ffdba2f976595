"""Answers as mail programs really write them: exactly the planted words, whatever surrounds them."""

from pathlib import Path

import pytest

from pbem.mail.format import is_reply_mark
from pbem.mail.reading import Authenticity, Letter, Unreadable, read_letter
from pbem.mail.reading.body import read_body
from pbem.mail.reading.header import parse_header
from pbem.mail.reading.parts import parse_structure
from pbem.mail.reading.quotes import find_own_words
from pbem.mail.reply_address import PostIdentity
from tests.letters.planted_letters import PLANTED, Planted

PROGRAMS = (
    *("gmail-web", "gmail-android", "gmail-ios", "outlook-classic", "outlook-new", "outlook-web", "outlook-ios"),
    *("apple-mac", "apple-iphone", "thunderbird", "mutt", "k9", "yahoo", "samsung", "proton"),
)

DECOYS = ("E5", "K9", "K8", "K7", "A1", "B2")
"""Places that occur only in quoted mails, signatures and attachments of the letters."""


def test_a_letter_says_exactly_what_its_writer_wrote(planted: Planted, post: PostIdentity) -> None:
    letter = read_letter(planted.raw, post=post)
    assert isinstance(letter, Letter)
    assert letter.words == planted.words


def test_a_letter_comes_from_a_person_with_a_good_ticket(planted: Planted, post: PostIdentity) -> None:
    letter = read_letter(planted.raw, post=post)
    assert isinstance(letter, Letter)
    assert letter.automatic is None
    assert letter.authentic is Authenticity.PASS
    assert letter.ticket is not None
    assert (letter.ticket.game, letter.ticket.seat, letter.ticket.turn, letter.ticket.good) == (
        "sirocco-7",
        "red",
        13,
        True,
    )


def test_no_quoted_move_is_ever_among_the_words(planted: Planted, post: PostIdentity) -> None:
    letter = read_letter(planted.raw, post=post)
    assert isinstance(letter, Letter)
    assert not [decoy for decoy in DECOYS if decoy in letter.words and decoy not in planted.words]


def test_the_words_are_found_even_if_our_mark_is_lost(planted: Planted, post: PostIdentity) -> None:
    opened = parse_header(planted.raw.replace(b"\r\n", b"\n"))
    assert not isinstance(opened, Unreadable)
    mail = parse_structure(*opened)
    assert not isinstance(mail, Unreadable)
    body = read_body(mail)
    assert not isinstance(body, Unreadable)
    unmarked = [line for line in body.lines if not is_reply_mark(line.text)]
    assert find_own_words(unmarked, post).words == planted.words


def test_the_same_letter_from_a_pipe_says_the_same(planted: Planted, post: PostIdentity) -> None:
    piped = b"From anna@example.net Mon Nov 16 10:40:02 2026\n" + planted.raw.replace(b"\r\n", b"\n")
    assert read_letter(piped, post=post) == read_letter(planted.raw, post=post)


def test_what_was_left_out_is_echoed_by_its_first_line(planted: Planted, post: PostIdentity) -> None:
    letter = read_letter(planted.raw, post=post)
    assert isinstance(letter, Letter)
    assert all(0 < len(line) <= 120 and "\n" not in line for line in letter.cut)
    if "quote" not in planted.name and b"Caravan Post wrote" in planted.raw:
        assert letter.cut


def test_every_letter_file_has_its_expectation(root: Path) -> None:
    files = {path.stem for path in (root / "tests/letters").glob("*.eml")}
    assert files == {planted.name for planted in PLANTED}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_letters_cover_the_programs_of_players(program: str) -> None:
    assert len(PLANTED) >= 60
    assert any(planted.name.startswith(program) for planted in PLANTED)


@pytest.mark.parametrize("language", ["en", "he", "ru", "pl", "nl"])
def test_the_letters_cover_the_languages_of_players(language: str) -> None:
    assert sum(language in planted.name.split("-") for planted in PLANTED) >= 10
