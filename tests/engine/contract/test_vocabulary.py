"""The kinds of move that a game names, and their written form."""

from pathlib import Path
from typing import Any

from engine import CHANCE, Game
from notation import read_moves, read_text, write_moves
from tests.engine.contract_journeys import every_game, every_table, journeys, some_positions


@every_game
def test_every_kind_of_move_occurs_and_no_other(game: Game[Any], root: Path) -> None:
    seen = {type(ply.move) for n in game.players for journey in journeys(game, n) for ply in journey.plies}
    # Some moves are so rare that chance does not meet them; then a record kept for the tests must.
    for path in (root / "tests/records" / game.key).glob("*.turns"):
        for reading in read_text(path.read_text("utf-8")):
            assert reading.record is not None, reading.faults
            seats = {*reading.record.seats, CHANCE}
            seen |= {type(move) for entry in reading.record.entries if entry.who in seats for move in entry.moves}
    assert seen == {*game.moves}


@every_table
def test_every_move_can_be_written_and_read_back(game: Game[Any], players: int) -> None:
    moves = {ply.move for journey in journeys(game, players) for ply in journey.plies}
    moves |= {ply.move for position in some_positions(game, players, 5) for ply in game.legal(position)}
    for move in moves:
        text = write_moves(game, (move,))
        assert read_moves(game, text) == (move,), text
