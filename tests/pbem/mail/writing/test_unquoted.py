"""A mail of ours that comes back without quotation marks below an answer: nothing in it is played or pencilled."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from engine.registry import IN_HOUSE
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.questions import Status
from pbem.mail.reading.quotes import find_own_words
from pbem.mail.reading.text_lines import plain_lines
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.tables.play import Pending
from tests.known_games import known_game
from tests.letters.planted_letters import POST
from tests.pbem.mail.writing.conftest import POST as WRITER

ANYTHING = Pending(has_votes=True, allows=lambda _: True, places=frozenset(("K8", "N5")), names={"boris": "blue"})
"""A table at which any move could be made now."""


@pytest.fixture(params=LANGUAGE_CODES)
def ours(
    request: pytest.FixtureRequest,
    write_mails: Callable[..., dict[str, Mail]],
    read: Callable[[Mail], dict[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, dict[str, str]]:
    """The parts of a mail of every kind in one language, without pictures."""
    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", lambda *_: b"\x89PNG")
    return {name: read(mail) for name, mail in write_mails(Composer(WRITER), request.param).items()}


def test_nothing_below_a_word_is_taken_for_the_answer(
    ours: dict[str, dict[str, str]], shown: Callable[[str], list[str]]
) -> None:
    for name, written in ours.items():
        for part in (written["text/plain"], "\n".join(shown(written.get("text/html", "")))):
            own = find_own_words(plain_lines(f"status\n\n{part}"), POST)
            assert own.words == "status", name


def test_what_stands_behind_a_bar_is_no_order_even_without_the_line_that_we_ask_to_write_above(
    ours: dict[str, dict[str, str]],
) -> None:
    barred = {line for written in ours.values() for line in re.findall(r"^\|.*$", written["text/plain"], re.MULTILINE)}
    assert len(barred) > 100
    for key in IN_HOUSE:
        game: Any = known_game(key)
        for line in barred:
            parsed = parse_commands(f"status\n{line}", game=game, pending=ANYTHING)
            assert (parsed.commands, parsed.pencilled, parsed.question) == ((Status(),), (), None), line
