"""A letter on the standard input: 0 only when it is on the disk, 75 for whatever is our own trouble."""

import io
import logging
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.transport.pipe import take_letter
from pbem.store.store import Store

LETTER = b"From: anna@example.org\n\nlilac E5\n"


def test_a_letter_is_kept_with_its_envelope(box: Any) -> None:
    assert (
        take_letter(
            io.BytesIO(LETTER), lambda: nullcontext(box), largest=9_999, env_from="anna@x.org", env_to=["caravan@y.org"]
        )
        == 0
    )
    assert box.letters == [LETTER]
    assert box.envelopes == [("pipe", "anna@x.org", ("caravan@y.org",))]


def test_what_goes_wrong_on_our_side_is_temporary_and_logged(box: Any, caplog: pytest.LogCaptureFixture) -> None:
    box.broken = True
    with caplog.at_level(logging.ERROR):
        assert take_letter(io.BytesIO(LETTER), lambda: nullcontext(box), largest=9_999) == 75
    assert "could not be stored" in caplog.text


def test_a_letter_that_there_is_no_room_for_stays_with_the_mail_server(
    box: Any, caplog: pytest.LogCaptureFixture
) -> None:
    box.no_room_for = b"lilac"
    with caplog.at_level(logging.WARNING):
        assert take_letter(io.BytesIO(LETTER), lambda: nullcontext(box), largest=9_999) == 75
    assert "too much from its sender" in caplog.text
    assert "anna" not in caplog.text


@pytest.mark.parametrize(
    "recipients",
    [["caravan\x00@y.org"], ["caravan\udcff@y.org"], ["c" * 2_000 + "@y.org"], ["caravan@y.org"] * 2_000],
    ids=["a NUL", "no text", "too long", "too many"],
)
def test_an_envelope_that_no_database_takes_is_refused_for_good(
    box: Any, recipients: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        taken = take_letter(io.BytesIO(LETTER), lambda: nullcontext(box), largest=9_999, env_to=recipients)
    assert (taken, box.letters) == (65, [])
    assert "refused for its envelope" in caplog.text
    assert "y.org" not in caplog.text


def test_of_a_letter_too_large_as_much_is_kept_as_shows_it_and_the_rest_is_drained(box: Any) -> None:
    stream = io.BytesIO(b"x" * 1_000_000)
    assert take_letter(stream, lambda: nullcontext(box), largest=1_000) == 0
    assert len(box.letters[0]) == 1_001
    assert stream.read() == b""


PROGRAM = """
import sys
from pbem.mail.transport.pipe import take_letter
from pbem.store.store import Store
sys.exit(take_letter(sys.stdin.buffer, lambda: Store.create(sys.argv[1]), largest=262_144))
"""


def test_a_process_that_said_0_has_the_letter_on_the_disk(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/post.db"
    done = subprocess.run([sys.executable, "-c", PROGRAM, url], input=LETTER, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    with Store.open(url) as store:
        letter = store.next_received()
    assert letter is not None
    assert letter.raw == LETTER


def test_a_process_that_cannot_open_the_store_asks_for_another_try(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/no/such/folder.db"
    done = subprocess.run([sys.executable, "-c", PROGRAM, url], input=LETTER, capture_output=True, check=False)
    assert done.returncode == 75
