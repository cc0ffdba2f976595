"""Engine and oracle count the same ways to play on, from the records in ``nomadi.perft``.

A record's ``Perft`` header lists how many sequences of one, two, … plies are legal after its last entry. Where chance
is due a sequence stops: nobody chooses there.
"""

from pathlib import Path
from typing import Any

import pytest

from engine.game import CHANCE
from engine.nomadi import GAME
from notation import Record
from pbem.judging.lookahead import perft
from tests.oracle.nomadi import nomadi_duel
from tests.oracle.nomadi import nomadi_oracle as oracle
from tests.oracle.nomadi.nomadi_play import apply
from tests.oracle.nomadi.nomadi_table import phase, to_act
from tests.perft.perft_counts import Count, name, read_counts

PATIENCE = 60
"""How many positions the oracle may visit for one count; deeper counts are the engine's alone."""

COUNTS = read_counts(Path(__file__).with_name("nomadi.perft"))


def reach(record: Record) -> Any:
    """The oracle's table and the engine's position after a record."""
    plies = [(entry.who, move) for entry in record.entries for move in entry.moves]
    return nomadi_duel.follow(record.seats, dict(record.setup.options), plies)


def count_with_oracle(table: Any, depth: int) -> int:
    if to_act(table) == {CHANCE}:
        return 0
    plies = list(oracle.legal(table))
    return len(plies) if depth == 1 else sum(count_with_oracle(apply(table, ply), depth - 1) for ply in plies)


@pytest.mark.parametrize("count", COUNTS, ids=name)
def test_the_engine_counts_what_the_record_says(count: Count) -> None:
    _, position = reach(count.record)
    assert perft(GAME, position, count.depth) == count.expected


@pytest.mark.parametrize("count", [count for count in COUNTS if count.inner <= PATIENCE], ids=name)
def test_the_oracle_counts_what_the_record_says(count: Count) -> None:
    table, _ = reach(count.record)
    assert count_with_oracle(table, count.depth) == count.expected


def test_the_records_cover_every_number_of_players_and_whatever_a_player_can_be_asked() -> None:
    tables = [reach(count.record)[0] for count in COUNTS if count.depth == 1]
    assert {len(table.seats) for table in tables} == {2, 3, 4, 5}
    assert {phase(table) for table in tables} == {"placing", "moving", "answers"}
