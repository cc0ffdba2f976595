"""A database that somebody has touched where no chain holds: no page accuses a player, and the doctor knows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from pbem.events.codec import encode
from pbem.service.checks import run_checks
from pbem.service.folder_checks import BAD
from tests.post.court.courts import Court, convene
from tests.post.post_games import TABLE


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Court]:
    """A case about a move that was legal, by a letter that said it."""
    with convene(tmp_path, monkeypatch, DESERT, 2) as court:
        court.play(12)
        turn = court.town.table.turn - 1
        court.pbem("case", "open", TABLE, "--turn", str(turn), "--reason", "to look at it")
        yield court


def touch(court: Court, statement: str, **values: object) -> None:
    """Do something to the database that nobody should."""
    with closing(sqlite3.connect(court.folder / "post" / "post.db")) as hand:
        assert hand.execute(statement, values).rowcount == 1
        hand.commit()


def disputed(court: Court) -> dict[str, Any]:
    (letter,) = court.file("1")["letters"]
    return dict(letter)


def swap_bytes(court: Court) -> dict[str, Any]:
    """Let the letter say something that no rule allows."""
    letter = disputed(court)
    said = court.file("1")["moves"][0]["said"].encode()
    with closing(sqlite3.connect(court.folder / "post" / "post.db")) as hand:
        (raw,) = hand.execute("SELECT raw FROM inbox_bytes WHERE inbox_id = ?", (letter["number"],)).fetchone()
    assert said in raw
    changed = raw.replace(said, b"lilac A1, lilac A1")
    touch(court, "UPDATE inbox_bytes SET raw = :raw WHERE inbox_id = :id", raw=changed, id=letter["number"])
    return letter


def test_a_letter_that_nobody_touched_is_beyond_doubt(court: Court) -> None:
    letter = disputed(court)
    assert (letter["genuine"], letter["doubts"]) == (True, [])
    assert letter["promptness"] == "before the deadline"
    assert not any(word in court.page("sound") for word in ("NOT", "DOUBTED", "touched"))


def test_a_letter_with_other_bytes_accuses_nobody(court: Court) -> None:
    before = swap_bytes(court)
    letter, page = disputed(court), court.page("touched")
    assert not letter["genuine"]
    event = court.file("1")["moves"][0]
    assert [doubt.partition(":")[0] for doubt in letter["doubts"]] == ["NOT the letter that came"] * 3
    assert f"event {event['seq']} names the letter {before['digest']}" in letter["doubts"][0]
    assert (letter["against"], letter["understood"], letter["repeats"]) == (None, [], "")
    assert f"Letter {letter['number']} was touched in the database" in page
    assert "was refused" not in page
    html = (court.folder / "touched.html").read_text("utf-8")
    assert "NOT the letter that came" in html
    assert "is stored now, which is NOT how it came" in html
    assert "was refused" not in html


def test_the_doctor_knows_a_letter_whose_digest_was_changed_with_it(court: Court) -> None:
    event = court.file("1")["moves"][0]["seq"]
    number = swap_bytes(court)["number"]
    touch(court, "UPDATE inbox SET raw_sha256 = :other WHERE id = :id", other=disputed(court)["digest"], id=number)
    told = [finding.text for finding in run_checks(court.town.context.settings) if finding.state == BAD]
    assert f"{TABLE}: the letter that event {event} names is not there any more, or was changed" in told


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE inbox SET received_at = replace(received_at, '2026', '2027') WHERE id = :id", "NOT received 2027-"),
        ("UPDATE inbox SET state = 'refused', reason = 'TD-1' WHERE id = :id", "NOT of the outcome refused"),
        (
            "UPDATE receipt SET text = replace(text, 'outcome played', 'outcome done') WHERE inbox_id = :id",
            "its receipt is NOT the",
        ),
        (
            "UPDATE receipt SET text = replace(text, 'before ', 'before 9') WHERE inbox_id = :id",
            "its receipt is NOT the",
        ),
        ("UPDATE inbox SET raw_sha256 = 'ab' WHERE id = :id", "NOT the letter that came: its digest was ab then"),
    ],
)
def test_what_the_database_says_of_a_letter_is_held_against_its_receipt(
    court: Court, statement: str, says: str
) -> None:
    touch(court, statement, id=disputed(court)["number"])
    letter, page = disputed(court), court.page("touched")
    assert any(doubt.startswith(says) for doubt in letter["doubts"]), letter["doubts"]
    assert letter["promptness"] == "", "nobody is called late by what was touched"
    assert "was touched in the database" in page
    assert "and was refused" not in page


def test_a_part_that_was_refused_is_not_told_as_the_whole_letter(court: Court) -> None:
    court.pbem("case", "close", TABLE, "1")
    seat, turn = court.town.table.due[0], court.town.table.turn
    assert court.town.write(seat, "lilac A1, lilac A1\nstatus").fate == "applied"
    page = court.pbem("case", "show", TABLE, "--turn", str(turn))
    assert " wanted " in page
    assert "of which was refused:\n    TD-" in page
    assert "and was refused" not in page


def test_another_seed_accuses_neither_the_dice_nor_the_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with convene(tmp_path, monkeypatch, NOMADI, 2) as court:
        while not (dealt := [event for event in court.town.events if event.kind == "dealt"]):
            court.play(1)
        court.play(1)
        touch(court, "UPDATE game SET seed = zeroblob(32)")
        file = court.file("--turn", str(encode(dealt[0].payload)["turn"]))
        page = court.pbem("case", "show", TABLE, "--turn", str(encode(dealt[0].payload)["turn"]))
    assert all(draw["lost"] and draw["fits"] is None and not draw["statement"] for draw in file["draws"])
    assert "THE SEED IN THE DATABASE IS NOT THE ONE THAT WAS PROMISED" in page
    assert "SOMETHING ELSE" not in page
    assert not any("does not make" in letter["repeats"] for letter in file["letters"])
