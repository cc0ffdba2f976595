"""Terms that an operator gives one table: told to those who are invited, and refused if there is no such value."""

import re
from collections.abc import Callable
from email import message_from_string
from email.policy import SMTP
from pathlib import Path
from typing import Any

import pytest

from tests.pbem.cli.test_post import SEATS, outgoing

Pbem = Callable[..., Any]


@pytest.fixture(autouse=True)
def config(pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of a post that was founded, which the commands find by themselves."""
    assert pbem("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    found = tmp_path / "post" / "post.toml"
    monkeypatch.setenv("PBEM_CONFIG", str(found))
    return found


def test_terms_of_one_table_are_told_to_those_who_are_invited(pbem: Pbem, config: Path) -> None:
    said = ["--grace", "6h", "--reminders", "12h,1d", "--rest", "sat,fri", "--silence", "play"]
    assert pbem("new", "through-the-desert", *SEATS, *said).exit_code == 0
    pbem("send")
    for (mail,) in outgoing(config).values():
        text: Any = message_from_string(mail, policy=SMTP).get_body(("plain",))
        told = re.sub(r"[|\s]+", " ", text.get_content())
        assert "Friday and Saturday" in told
        assert "1 day before and 12 hours before" in told
        assert "6 hours" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--grace", "90d"], "we cannot play by grace 90d"),
        (["--reminders", "soon"], "we cannot play by reminders soon"),
        (["--rest", "friday"], "mon tue wed thu fri sat sun"),
        (["--rest", "fri", "--weekends", "run"], "say --rest or --weekends"),
    ],
)
def test_a_value_that_no_term_has(pbem: Pbem, words: list[str], told: str) -> None:
    answer = pbem("new", "through-the-desert", *SEATS, *words)
    assert answer.exit_code == 2
    assert told in answer.stderr
    assert pbem("status").stdout.count("none yet") == 1
