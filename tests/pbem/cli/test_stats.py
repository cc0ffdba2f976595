"""`pbem stats`: sums over finished games, and nothing of games that go on."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from notation import Record, write_games, write_record
from pbem.cli.sample import make
from pbem.judging.record_replay import replay_record
from tests.known_games import known_game
from tests.pbem.cli.test_exchange import KEYS, LEAK, cut, planted

Pbem = Callable[..., Any]


@pytest.fixture(scope="module")
def games() -> list[Record]:
    return [make(known_game(key), 3, f"stats {number}") for key in KEYS for number in range(3)]


@pytest.fixture
def heap(games: list[Record], tmp_path: Path) -> Path:
    path = tmp_path / "heap.turns"
    path.write_text("".join(write_games(games)), "utf-8")
    return path


def test_the_sums_are_those_of_the_games(pbem: Pbem, heap: Path, games: list[Record]) -> None:
    told = json.loads(pbem("stats", heap, "--json").stdout)
    assert (told["games"], told["counted"], told["running"], told["refused"]) == (12, 12, 0, 0)
    for each in told["results"]:
        mine = [record for record in games if record.header("Game") == each["game"]]
        scores = [replay_record(record).score for record in mine]
        [seats] = each["seats"]
        wins = Counter(
            record.seats.index(score.winners[0])
            for record, score in zip(mine, scores, strict=True)
            if len(score.winners) == 1
        )
        assert seats["wins"] == [wins[place] for place in range(3)]
        assert sum(seats["wins"]) + seats["shared"] == each["games"] == 3
        total = sum(tally.total for score in scores for tally in score.tallies)
        assert sum(source["points"] for source in each["points"]) == total
        assert sum(turn["points"] for turn in each["points_by_turn"]) == total
        dice = sum(sum(one["counts"]) for one in each["dice"])
        text = "".join(map(write_record, mine))
        thrown = [line.partition("dice ")[2] for line in text.split("\n") if "*: dice" in line]
        assert dice == sum(len(line.partition(" [")[0].split()) for line in thrown)
        for name in {trait["name"] for trait in each["traits"]}:
            assert sum(trait["games"] for trait in each["traits"] if trait["name"] == name) <= 3
        assert each["traits"], "each of our games has some"


def test_the_number_of_cores_changes_nothing(pbem: Pbem, heap: Path) -> None:
    assert pbem("stats", heap, "--jobs", "1").stdout == pbem("stats", heap, "--jobs", "2").stdout


def test_games_that_go_on_are_left_out_and_told(pbem: Pbem, games: list[Record], spoiled: Path, tmp_path: Path) -> None:
    path, page = tmp_path / "mixed.turns", tmp_path / "page.html"
    running = [cut(games[0]), planted(games[3]), planted(games[9])]
    path.write_text("".join(write_games([games[0], *running])), "utf-8")
    answer = pbem("stats", path, spoiled, "-o", page)
    assert answer.exit_code == 1
    assert "5 games read: 1 counted, 3 games left out because they go on, 1 refused" in answer.stdout
    alone = tmp_path / "alone.turns"
    alone.write_text(write_record(games[0]), "utf-8")
    first = pbem("stats", alone, "-o", tmp_path / "alone.html").stdout.split("\n\n")[0]
    assert first.split("\n", 1)[1].split("\n\n")[0].strip() in answer.stdout
    assert page.read_bytes() == (tmp_path / "alone.html").read_bytes(), "three games that go on changed not a byte"
    assert LEAK not in answer.stdout + page.read_text("utf-8")


def test_the_page_is_drawn(pbem: Pbem, heap: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert pbem("stats", heap, "-o", page).exit_code == 0
    text = page.read_text("utf-8")
    assert text.count("<article") == 4
    assert text.count("<svg") >= 4 * 3
    assert "<script" not in text
    assert pbem("stats", heap, "-o", tmp_path / "page.txt").exit_code == 2


def test_sealed_draws_are_tested(pbem: Pbem, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    assert pbem("demo", folder, "--game", "nomadi", "--seats", "2").exit_code == 0
    [record] = list(folder.rglob("*.turns"))
    told = json.loads(pbem("stats", record, "--json").stdout)["results"][0]
    [side] = [each for each in told["drawn"] if len(each["counts"]) == 6 and each["name"] == "die"]
    assert sum(side["counts"]) == sum(told["dice"][0]["counts"])
    assert told["timed"] > 0


def test_the_tree_counts_every_game_once_at_every_depth(pbem: Pbem, games: list[Record], tmp_path: Path) -> None:
    base = [record for record in games if record.header("Game") == "brotherhood-base"]
    path = tmp_path / "tree.turns"
    path.write_text("".join(write_games([*games, cut(base[0]), planted(base[1])])), "utf-8")
    told = json.loads(pbem("tree", path, "--to", "3", "--json").stdout)
    assert (told["games"], told["counted"], told["running"]) == (14, 12, 2)
    for key in KEYS:
        mine = [each for each in told["results"] if each["game"] == key]
        for depth in (1, 2, 3):
            assert sum(each["games"] for each in mine if len(each["moves"]) == depth) == 3
        wins = Counter(
            seat for record in games if record.header("Game") == key for seat in replay_record(record).score.winners
        )
        first = [each for each in mine if len(each["moves"]) == 1]
        assert all(
            sum(won["games"] for each in first for won in each["wins"] if won["seat"] == seat) == wins[seat]
            for seat in wins
        )
    text = pbem("tree", path, "--to", "3").stdout
    assert LEAK not in text
    alone = tmp_path / "alone.turns"
    alone.write_text("".join(write_games(games)), "utf-8")
    assert pbem("tree", alone, "--to", "3").stdout.split("\n")[:-2] == text.split("\n")[:-2], (
        "what goes on adds nothing"
    )


def test_the_tree_says_what_it_left_out(pbem: Pbem, tmp_path: Path) -> None:
    path = tmp_path / "many.turns"
    path.write_text(
        "".join(write_games([make(known_game("through-the-desert"), 2, f"tree {at}") for at in range(16)])), "utf-8"
    )
    short, whole = (pbem("tree", path, "--to", "1", *words).stdout for words in ([], ["--all"]))
    assert "moves shown; --all for the rest" in short
    assert "--all" not in whole
    assert len(whole.split("\n")) > len(short.split("\n"))
    assert "set-ups, so positions differ" in short
