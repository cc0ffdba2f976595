"""`pbem suggest`, and `pbem perft --ends`: whole turns, told and counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.nomadi import GAME
from notation import Record, write_record
from pbem.cli.sample import make
from pbem.judging.lookahead import count_ends
from pbem.judging.record_replay import replay_record

Pbem = Callable[..., Any]
AT = 30


@pytest.fixture(scope="module")
def caravan() -> Record:
    """A complete game of Nomadi."""
    return make(GAME, 3, "plans")


@pytest.fixture
def nomadi(caravan: Record, tmp_path: Path) -> Path:
    path = tmp_path / "nomadi.turns"
    path.write_text(write_record(caravan), "utf-8")
    return path


def in_progress(record: Record, entries: int) -> str:
    """The first entries of a record, as a game that goes on."""
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    return write_record(Record(headers, record.entries[:entries]))


def test_suggestions_are_whole_turns_with_the_dice_that_stand_in_the_record(
    pbem: Pbem, nomadi: Path, caravan: Record
) -> None:
    replayed = replay_record(caravan, until=AT, thrown=True)
    (seat,) = replayed.due
    answer = pbem("suggest", nomadi, "--at", str(AT), "--best", "3")
    assert answer.exit_code == 0
    head, *lines = answer.stdout.splitlines()
    assert head.startswith(f"{AT + 1}. {seat}: ")
    assert head.endswith(" turns found, the most promising first")
    assert [line.split()[0] for line in lines] == ["1.", "2.", "3."]


def test_a_suggestion_can_be_sent_as_it_is_printed(pbem: Pbem, caravan: Record, tmp_path: Path) -> None:
    path = tmp_path / "begun.turns"
    order = next(order for order, entry in enumerate(caravan.entries) if entry.number == AT)
    path.write_text(in_progress(caravan, order + 1), "utf-8")
    turns = json.loads(pbem("suggest", path, "--best", "4", "--json").stdout)["results"]
    assert [one["turn"] for one in turns] == [AT] * 4
    for one in turns:
        answer = pbem("validate", path, "--seat", one["seat"], "--move", one["moves"])
        assert answer.exit_code == 0, answer.stdout


def test_whoever_is_not_due_has_nothing_to_play(pbem: Pbem, nomadi: Path) -> None:
    (seat,) = replay_record(make(GAME, 3, "plans"), until=AT, thrown=True).due
    other = next(each for each in GAME.seats[:3] if each != seat)
    answer = pbem("suggest", nomadi, "--at", str(AT), "--seat", other)
    assert answer.exit_code == 2
    assert f"{other} has nothing to play now; to move: {seat}" in answer.stderr


@pytest.mark.parametrize("at", [["--at", str(AT)], []])
def test_nobody_can_be_asked_about_who_does_not_sit_there(pbem: Pbem, nomadi: Path, at: list[str]) -> None:
    answer = pbem("suggest", nomadi, *at, "--seat", "pink")
    assert answer.exit_code == 2
    assert answer.stderr == "pbem: nobody sits at pink; the seats are blue, yellow, red\n"


def test_nothing_is_suggested_where_nobody_is_due(pbem: Pbem, nomadi: Path, caravan: Record, tmp_path: Path) -> None:
    for command in (["suggest"], ["perft", "--ends"]):
        assert pbem(*command, nomadi).stdout == "nothing can be played: the game is finished\n"
    path = tmp_path / "unthrown.turns"
    order = next(order for order, entry in enumerate(caravan.entries) if entry.number == AT)
    path.write_text(in_progress(caravan, order), "utf-8")
    for command in (["suggest"], ["legal"], ["perft", "--ends"]):
        answer = pbem(*command, path)
        assert answer.exit_code == 0
        assert answer.stdout == "nothing can be played: the dice or cards that come next are not in the record\n"


def test_the_legal_moves_after_a_turn_are_those_of_the_next_throw(pbem: Pbem, nomadi: Path, caravan: Record) -> None:
    position: Any = replay_record(caravan, until=AT, thrown=True).position
    listed = len(list(GAME.legal(position)))
    assert listed
    assert pbem("legal", nomadi, "--at", str(AT), "--count").stdout == f"{listed}\n"


def test_the_ends_of_a_turn_are_counted(pbem: Pbem, nomadi: Path, caravan: Record) -> None:
    replayed = replay_record(caravan, until=AT, thrown=True)
    (seat,) = replayed.due
    ends = count_ends(GAME, replayed.position, seat)
    assert pbem("perft", nomadi, "--at", str(AT), "--ends").stdout == f"{seat}: {ends}\n"
    (told,) = json.loads(pbem("perft", nomadi, "--at", str(AT), "--ends", "--json").stdout)["results"]
    assert told == {"seat": seat, "ends": ends}


def test_depth_and_ends_are_counted_one_at_a_time(pbem: Pbem, nomadi: Path) -> None:
    answer = pbem("perft", nomadi, "--ends", "--depth", "2")
    assert answer.exit_code == 2
    assert "--depth D" in answer.stderr
