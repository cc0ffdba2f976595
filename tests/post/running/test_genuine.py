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
    ply = next(iter(GAME.legal(town.table.position)))
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
