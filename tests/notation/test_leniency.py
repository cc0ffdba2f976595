"""Lenient in, canonical out: the tables of what players write are files beside this one."""

from pathlib import Path

import pytest

from engine import nomadi
from engine.through_the_desert import GAME
from notation import Fault, read_games, read_moves, read_text, write_games, write_moves

HERE = Path(__file__).parent


def table(file: str) -> list[tuple[str, ...]]:
    """What players write, and what is written in the record."""
    lines = (HERE / file).read_text("utf-8").splitlines()
    return [tuple(part.strip(" ") for part in line.split("=>")) for line in lines if line and not line.startswith("#")]


PHRASES = table("phrases.txt")
NOMADI = table("phrases-of-nomadi.txt")
FILES = sorted((HERE / "leniency").glob("*.lenient.turns"))


@pytest.mark.parametrize(("said", "canonical"), [pair for pair in PHRASES if len(pair) == 2])
def test_a_phrase_is_understood_and_written_in_canonical_form(said: str, canonical: str) -> None:
    moves = read_moves(GAME, said)
    assert not isinstance(moves, Fault), moves.render()
    assert write_moves(GAME, moves) == canonical
    assert read_moves(GAME, canonical) == moves


@pytest.mark.parametrize(("said", "canonical"), [pair for pair in NOMADI if len(pair) == 2])
def test_a_phrase_of_nomadi_is_understood_and_written_in_canonical_form(said: str, canonical: str) -> None:
    moves = read_moves(nomadi.GAME, said)
    assert not isinstance(moves, Fault), moves.render()
    assert write_moves(nomadi.GAME, moves) == canonical
    assert read_moves(nomadi.GAME, canonical) == moves


@pytest.mark.parametrize("said", ["6 F12", "6 F12xI15", "7", "card I15", "card I15 +22", "give 3", "offer it", "dice"])
def test_what_is_no_move_of_nomadi_is_not_guessed(said: str) -> None:
    assert isinstance(read_moves(nomadi.GAME, said), Fault)


@pytest.mark.parametrize(
    "said",
    [
        *("with a 6: from F12 to I15", "met een 6: van F12 naar I15", "kostką 6: z F12 na I15"),
        *("кубиком 6: с F12 на I15", "עם 6: מן F12 אל I15", "stone on P19", "steen op P19", "камень на P19"),
        *("took the card from I15, unseen", "берёт карту с I15 не глядя", "the card from I15"),
    ],
)
def test_what_a_mail_of_nomadi_tells_is_no_move(said: str) -> None:
    assert isinstance(read_moves(nomadi.GAME, said), Fault)


def test_every_line_of_the_tables_of_phrases_is_a_pair() -> None:
    assert all(len(pair) == 2 for pair in (*PHRASES, *NOMADI))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_understood_and_written_in_canonical_form(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as lines:
        readings = list(read_games(lines))
    assert [fault.render() for reading in readings for fault in reading.faults] == []
    written = "".join(write_games(reading.record for reading in readings if reading.record))
    assert written == path.with_name(path.name.replace("lenient", "canonical")).read_text("utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_canonical_form_of_a_file_is_its_own_canonical_form(path: Path) -> None:
    canonical = path.with_name(path.name.replace("lenient", "canonical")).read_text("utf-8")
    records = [reading.record for reading in read_text(canonical)]
    assert None not in records
    assert "".join(write_games(record for record in records if record)) == canonical


@pytest.mark.parametrize("letter", "\u0412\u041d\u0420\u0421")
def test_a_letter_that_looks_like_one_and_sounds_like_another_is_not_guessed(letter: str) -> None:
    assert isinstance(read_moves(GAME, f"lilac {letter}7"), Fault)
