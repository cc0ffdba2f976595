"""`pbem twins` and `pbem merge`: planted copies are all found, and none that is none."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from notation import Entry, Record, read_text, write_games, write_record
from pbem.cli.sample import make
from tests.known_games import known_game
from tests.pbem.books.test_merge import copied, cut, split

Pbem = Callable[..., Any]
KEYS = ("through-the-desert", "nomadi", "brotherhood-base")


@pytest.fixture(scope="module")
def originals() -> list[Record]:
    return [make(known_game(KEYS[number % 3]), 3, f"twins {number}") for number in range(24)]


def renamed(record: Record) -> Record:
    headers = tuple((name, "other" if name in ("Id", "Seat.red") else value) for name, value in record.headers)
    return Record(headers, record.entries, record.afterword)


def lenient(record: Record) -> Record:
    """The same, with the set-up in another order."""
    headers = tuple(
        (name, " ".join(reversed(value.split())) if name in ("Oases", "Water", "Cards") else value)
        for name, value in record.headers
    )
    return Record(headers, record.entries)


def turned_round(record: Record) -> Record | None:
    """Two camels of one turn in the other order, where that leads to a game that is legal."""
    from pbem.judging import replay_record

    for order in range(20, len(record.entries)):
        entry = record.entries[order]
        if entry.who in record.seats and len(entry.moves) == 2 and entry.moves[0] != entry.moves[1]:
            other = entry._replace(moves=entry.moves[::-1])
            made = Record(record.headers, (*record.entries[:order], other, *record.entries[order + 1 :]))
            if replay_record(made).refusal is None:
                return made
    return None


def test_planted_copies_are_all_found_and_no_others(pbem: Pbem, originals: list[Record], tmp_path: Path) -> None:
    chance = random.Random(5)
    planted: dict[str, list[Record]] = {"same": [], "contained": [], "transposed": []}
    for number, game in enumerate(originals):
        kind = number % 6
        if kind == 0:
            planted["same"].append(renamed(game))
        elif kind == 1:
            planted["same"].append(split(copied(game, chance, "Anna")))
        elif kind == 2:
            planted["same"].append(lenient(game))
        elif kind == 3:
            planted["contained"].append(cut(game, chance))
        elif kind == 4:
            most = len(game.entries)
            entries = game.entries[: chance.randrange(most // 2, most - 2)]
            headers = tuple((name, "*" if name == "Result" else value) for name, value in game.headers)
            planted["contained"].append(Record(headers, entries))
        elif (turned := turned_round(game)) is not None:
            planted["transposed"].append(turned)
    assert all(planted.values())
    one, other = tmp_path / "one.turns", tmp_path / "other.turns"
    one.write_text("".join(write_games(originals)), "utf-8")
    other.write_text("".join(write_games([each for some in planted.values() for each in some])), "utf-8")
    answer = pbem("twins", one, other, "-o", tmp_path / "twins.turns", "--json")
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    sums = {relation: told[relation] for relation in planted}
    assert sums == {relation: len(some) for relation, some in planted.items()}
    assert told["near"] == 0
    assert told["compared"] == len(originals) + sum(sums.values())
    beside = read_text((tmp_path / "twins.turns").read_text("utf-8"))
    assert len(beside) == sum(1 + len(each["others"]) for each in told["results"])
    assert all(each.record is not None for each in beside)
    assert pbem("twins", one).stdout.startswith("24 games read, 24 compared: 0 the same, 0 contained, 0 near")


def test_games_that_part_late_are_near(pbem: Pbem, tmp_path: Path) -> None:
    game = make(known_game("through-the-desert"), 3, "near")
    other = game.entries[-3]._replace(moves=game.entries[10].moves)
    path = tmp_path / "both.turns"
    near = Record(game.headers, (*game.entries[:-3], other, *game.entries[-2:]))
    path.write_text("".join(write_games([game, near])), "utf-8")
    assert "0 the same, 0 contained, 1 near" in pbem("twins", path).stdout


def test_few_moves_are_the_same_only_with_the_same_id(pbem: Pbem, tmp_path: Path) -> None:
    game = make(known_game("through-the-desert"), 3, "few")
    headers = tuple((name, "*" if name == "Result" else value) for name, value in game.headers)
    few = Record(headers, game.entries[:5])
    path = tmp_path / "few.turns"
    path.write_text("".join(write_games([few, few, renamed(few)])), "utf-8")
    told = pbem("twins", path).stdout
    assert "1 the same, 0 contained, 0 near, 1 few moves" in told


def test_the_number_of_cores_changes_nothing(pbem: Pbem, originals: list[Record], tmp_path: Path) -> None:
    path = tmp_path / "games.turns"
    path.write_text("".join(write_games([*originals[:6], *originals[3:6]])), "utf-8")
    assert pbem("twins", path, "--jobs", "1").stdout == pbem("twins", path, "--jobs", "2").stdout


def test_standard_input_is_refused(pbem: Pbem) -> None:
    assert pbem("twins", "-", given="x").exit_code == 2


def test_merge_joins_files_game_by_game(pbem: Pbem, originals: list[Record], tmp_path: Path) -> None:
    chance = random.Random(6)
    a, b, out = tmp_path / "a.turns", tmp_path / "b.turns", tmp_path / "out.turns"
    a.write_text("".join(write_games([copied(each, chance, "Anna") for each in originals[:3]])), "utf-8")
    b.write_text("".join(write_games([copied(each, chance, "Boris") for each in originals[3:0:-1]])), "utf-8")
    answer = pbem("merge", a, b, "-o", out, "--json")
    told = json.loads(answer.stdout)
    assert (told["games"], told["joined"]) == (4, 2)
    for _ in range(2):
        before = out.read_bytes()
        assert pbem("merge", out, b, "-o", out).exit_code == 0
        assert out.read_bytes() == before
    for text in (a.read_text("utf-8"), b.read_text("utf-8")):
        words = re.findall(r"(?:Anna|Boris) 0\.\d+", text)
        assert len(words) > 20
        assert [word for word in words if word not in out.read_text("utf-8")] == []


def test_what_is_no_copy_is_not_written(pbem: Pbem, originals: list[Record], tmp_path: Path) -> None:
    a, b, out = tmp_path / "a.turns", tmp_path / "b.turns", tmp_path / "out.turns"
    a.write_text(write_record(originals[0]), "utf-8")
    b.write_text(write_record(originals[1]), "utf-8")
    answer = pbem("merge", a, b, "-o", out)
    assert answer.exit_code == 1
    assert "hold no copies of one game" in answer.stderr
    assert not out.exists()


def test_a_running_game_is_written_for_its_owner_alone(pbem: Pbem, originals: list[Record], tmp_path: Path) -> None:
    game = Record(
        tuple((name, "*" if name == "Result" else value) for name, value in originals[1].headers),
        tuple(Entry(*entry) for entry in originals[1].entries[:30]),
    )
    path, out = tmp_path / "a.turns", tmp_path / "out.turns"
    path.write_text(write_record(game), "utf-8")
    assert pbem("merge", path, path, "-o", out).exit_code == 0
    assert out.stat().st_mode & 0o077 == 0
