"""`pbem legal` and `pbem perft`: what may be played next, and how much of it there is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel
from notation import Record
from pbem.judging.lookahead import perft
from pbem.judging.record_replay import replay_record

Pbem = Callable[..., Any]


def test_all_legal_moves_are_listed_in_notation(pbem: Pbem, file: Path, game: Record) -> None:
    position: Any = replay_record(game, until=20).position
    plies = list(GAME.legal(position))
    answer = pbem("legal", file, "--at", "20")
    assert answer.exit_code == 0
    head, rest = answer.stdout.split("\n", 1)
    assert head == f"21. {plies[0].seat}: {len(plies)} legal moves"
    listed = " ".join(rest.split()).split("; ")
    camels = [ply.move for ply in plies if isinstance(ply.move, Camel)]
    assert listed == [f"{camel.colour} {camel.space}" for camel in camels]


def test_the_count_alone_is_a_number(pbem: Pbem, file: Path, game: Record) -> None:
    position: Any = replay_record(game, until=20).position
    plies = list(GAME.legal(position))
    assert pbem("legal", file, "--at", "20", "--count").stdout == f"{len(plies)}\n"
    (told,) = json.loads(pbem("legal", file, "--at", "20", "--count", "--json").stdout)["results"]
    assert told == {"turn": 21, "to_act": [plies[0].seat], "count": len(plies)}
    (told,) = json.loads(pbem("legal", file, "--at", "20", "--json").stdout)["results"]
    assert len(told["moves"]) == told["count"]
    assert told["moves"][0]["seat"] == plies[0].seat


def test_nothing_is_legal_in_a_finished_game(pbem: Pbem, file: Path) -> None:
    assert pbem("legal", file).stdout == "nothing can be played: the game is finished\n"
    assert pbem("legal", file, "--count").stdout == "0\n"


def test_a_refused_record_has_no_legal_moves(pbem: Pbem, spoiled: Path) -> None:
    answer = pbem("legal", spoiled)
    assert answer.exit_code == 1
    assert "TD-C1" in answer.stdout


def test_perft_counts_depth_by_depth(pbem: Pbem, file: Path, game: Record) -> None:
    position = replay_record(game, until=40).position
    ways = [perft(GAME, position, depth) for depth in (1, 2)]
    answer = pbem("perft", file, "--at", "40", "--depth", "2")
    assert answer.exit_code == 0
    assert answer.stdout.split() == ["1", str(ways[0]), "2", str(ways[1])]
    told = json.loads(pbem("perft", file, "--at", "40", "--depth", "2", "--json").stdout)
    assert told["results"] == [{"depth": 1, "count": ways[0]}, {"depth": 2, "count": ways[1]}]


def test_nothing_can_be_played_after_a_game_that_players_have_ended(pbem: Pbem, root: Path) -> None:
    ended = root / "tests/records/through-the-desert/ending-resigned.turns"
    why = "nothing can be played: the game is finished"
    assert pbem("legal", ended).stdout == f"{why}\n"
    assert pbem("perft", ended, "--ends").stdout == f"{why}\n"
    answer = pbem("perft", ended, "--depth", "2")
    assert answer.exit_code == 0
    assert " ".join(answer.stdout.split()) == f"1 0 2 0 {why}"
    told = json.loads(pbem("perft", ended, "--depth", "2", "--json").stdout)
    assert told["results"] == [{"depth": 1, "count": 0}, {"depth": 2, "count": 0}]


def test_perft_wants_a_depth(pbem: Pbem, file: Path) -> None:
    assert pbem("perft", file).exit_code == 2
    assert pbem("perft", file, "--depth", "0").exit_code == 2
