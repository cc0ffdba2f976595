"""Only the line ends of mail end a line: other signs that part lines do not bring quoted text out of its quotation."""

from typing import TYPE_CHECKING

import pytest

from engine.registry import find_game
from pbem.mail.commands.parse_letter import parse_commands

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk

PARTING = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"]
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
FLOWED = {"Content-Type": "text/plain; charset=utf-8; format=flowed"}
HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.mark.parametrize("sign", PARTING)
@pytest.mark.parametrize("headers", [PLAIN, FLOWED], ids=["plain", "flowed"])
def test_a_quoted_line_stays_quoted_behind_a_parting_sign(sign: str, headers: dict[str, str], session: "Desk") -> None:
    assert "lilac" not in session.words(f"> quoted{sign}lilac A3\n\nhelp\n", headers)


@pytest.mark.parametrize("sign", PARTING)
def test_a_quoted_line_of_html_stays_quoted_behind_a_parting_sign(sign: str, session: "Desk") -> None:
    assert "lilac" not in session.words(f"<p>&gt; quoted{sign}lilac A3</p><p>help</p>", HTML)


@pytest.mark.parametrize("sign", PARTING)
def test_a_quoted_line_is_no_move_behind_a_parting_sign(sign: str) -> None:
    parsed = parse_commands(f"> quoted{sign}lilac A3", game=find_game("through-the-desert"))
    assert parsed.commands == ()
    assert len(parsed.unread) == 1
