"""What genuine players' mail programs and servers do to their letters costs no move, and no robot is taken for one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.through_the_desert import GAME
from notation import write_moves
from tests.post.towns import Town, found_town


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with found_town(tmp_path / "post", GAME, 2) as found:
        yield found


def due(town: Town) -> str:
    (seat,) = town.table.due
    return seat


def legal_move(town: Town) -> str:
    ply = next(iter(town.table.game.legal(town.table.position)))
    return write_moves(GAME, (ply.move,))


def changed(letter: bytes, pattern: str, new: str) -> bytes:
    """A letter with a header replaced."""
    text, count = re.subn(pattern.encode(), new.encode(), letter, count=1, flags=re.MULTILINE)
    assert count == 1
    return text


@pytest.mark.parametrize(
    "name", ["'{0}' <{0}>", '"{0}" <{0}>', '"anna@work.test" <{0}>', "=?utf-8?q?anna=40work.test?= <{0}>", "<{0}>"]
)
def test_a_name_that_is_an_address_costs_no_move(town: Town, name: str) -> None:
    seat = due(town)
    letter = town.friends[seat].answer(legal_move(town), town.hours.now())
    outcome = town.deliver(changed(letter, r"^From: .*$", f"From: {name.format(town.friends[seat].address)}\r"))
    assert (outcome.fate, outcome.seat) == ("applied", seat)


def test_a_name_is_never_the_sender(town: Town) -> None:
    seat = due(town)
    letter = town.friends[seat].answer(legal_move(town), town.hours.now())
    forged = changed(letter, r"^From: .*$", f'From: "{town.friends[seat].address}" <mallory@elsewhere.test>\r')
    assert town.deliver(forged).reason == "other-sender"


def test_a_letter_through_a_list_is_played_for_its_player_and_for_nobody_else(town: Town) -> None:
    seat = due(town)
    letter = town.friends[seat].answer(legal_move(town), town.hours.now())
    listed = changed(letter, r"^Subject:", "List-Id: <us.players.test>\r\nPrecedence: list\r\nSubject:")
    stranger = changed(listed, r"^From: .*$", "From: mallory@elsewhere.test\r")
    before = {whom: len(mails) for whom, mails in town.mails.items()}
    outcome = town.deliver(stranger)
    assert (outcome.fate, outcome.reason) == ("automatic", "list")
    assert {whom: len(mails) for whom, mails in town.mails.items()} == before
    assert town.deliver(listed).fate == "applied"


def test_an_answer_that_a_program_sends_by_itself_is_never_played(town: Town) -> None:
    seat = due(town)
    letter = town.friends[seat].answer(legal_move(town), town.hours.now())
    for robot in ("Auto-Submitted: auto-replied", "X-Autoreply: yes", "Precedence: bulk", "Return-Path: <>"):
        assert town.deliver(changed(letter, r"^Subject:", f"{robot}\r\nSubject:")).fate == "automatic"
    assert due(town) == seat


PICTURE = "A" * 76 + "\r\n"


def test_a_letter_that_quotes_our_pictures_is_played(town: Town) -> None:
    seat = due(town)
    head, _, text = town.friends[seat].answer(legal_move(town), town.hours.now()).partition(b"\r\n\r\n")
    kind = re.search(rb"^Content-Type: (?:[^\r]|\r\n[ \t])*", head, re.MULTILINE)
    assert kind is not None
    head = head.replace(kind[0], b"Content-Type: multipart/mixed; boundary=whole")
    picture = f"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n{PICTURE * 9_000}".encode()
    parts = (kind[0] + b"\r\n\r\n" + text, picture)
    letter = head + b"\r\n\r\n" + b"".join(b"--whole\r\n" + part + b"\r\n" for part in parts) + b"--whole--\r\n"
    assert len(letter) > 700_000
    assert town.deliver(letter).fate == "applied"
    assert "too long" not in town.last_text(seat)


def test_who_writes_too_much_is_told_and_what_was_read_is_played(town: Town) -> None:
    seat = due(town)
    quote = "> quoted by me, and with nothing to say\r\n" * 1_500
    ours, _, _ = town.friends[seat].answer("x", town.hours.now()).partition(b"\r\n\r\n")
    head = changed(ours, r"^Content-Type: (?:[^\r]|\r\n[ \t])*", "Content-Type: text/plain")
    words = f"{quote}\r\n{legal_move(town)}\r\n\r\n" + "many thanks to all of you and have a nice day\r\n" * 150
    assert town.deliver(head + b"\r\n\r\n" + words.encode()).fate == "applied"
    assert "too long, so we read only its beginning" in " ".join(town.last_text(seat).split())


def test_who_writes_far_too_much_is_asked_to_write_less(town: Town) -> None:
    seat = due(town)
    outcome = town.write(seat, f"{legal_move(town)}\n\n" + "thank you all, dear friends at the table\n" * 250)
    assert (outcome.fate, outcome.reason) == ("refused", "PO-L5")
    assert "send the move alone" in " ".join(town.last_text(seat).split())
