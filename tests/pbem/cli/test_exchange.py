"""`pbem export` and `pbem import`: the sums agree, and what is still secret stays behind."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator

from engine.game import PUBLIC, Ply
from notation import Record, read_text, write_games, write_record
from pbem.cli.sample import make
from pbem.exchange.tables import TABLES
from pbem.judging.record_replay import replay_record
from tests.known_games import known_game

Pbem = Callable[..., Any]
KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")


@pytest.fixture(scope="module")
def games() -> list[Record]:
    return [make(known_game(key), 3, "exchange") for key in KEYS]


@pytest.fixture
def heap(games: list[Record], tmp_path: Path) -> Path:
    path = tmp_path / "heap.turns"
    path.write_text("".join(write_games(games)), "utf-8")
    return path


def cut(record: Record, share: float = 0.6) -> Record:
    """A game that goes on: the beginning of one that is over."""
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    return Record(headers, record.entries[: int(len(record.entries) * share)])


def test_games_go_out_and_come_back_the_same(pbem: Pbem, heap: Path, tmp_path: Path) -> None:
    out, back = tmp_path / "heap.json", tmp_path / "back.turns"
    answer = pbem("export", heap, "-o", out)
    assert (answer.exit_code, answer.stdout) == (0, "4 games read: 4 written, 0 left out\n")
    assert pbem("import", out, "-o", back).exit_code == 0
    assert back.read_bytes() == heap.read_bytes()
    assert pbem("import", "-", given=pbem("export", "-", given=heap.read_bytes()).stdout).stdout == heap.read_text()


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_sums_of_tables_are_the_results_of_the_records(
    pbem: Pbem, heap: Path, games: list[Record], tmp_path: Path, form: str
) -> None:
    folder = tmp_path / "tables"
    assert pbem("export", heap, "--to", form, "-o", folder).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{table}.{form}" for table in TABLES)
    read = duckdb.read_csv if form == "csv" else duckdb.read_parquet
    held = {table: read(str(folder / f"{table}.{form}")) for table in TABLES}
    held_points, held_players = held["points"], held["players"]  # the question below names them
    assert held_points is not held_players
    rows = (
        held["games"]
        .query(
            "g",
            """select g.game, p.seat, p.points, p.won, coalesce((select sum(q.points) from held_points q
           where q.text_key = p.text_key and q.seat = p.seat), 0)
           from held_players p join g using (text_key) order by g.number, p.place""",
        )
        .fetchall()
    )
    scores = [(record, replay_record(record).score) for record in games]
    assert rows == [
        (record.header("Game"), seat, score.total(seat), seat in score.winners, score.total(seat))
        for record, score in scores
        for seat in record.seats
    ]
    assert len(held["entries"].fetchall()) == sum(len(entry.moves) for record in games for entry in record.entries)


def test_a_table_holds_any_text(pbem: Pbem, games: list[Record], tmp_path: Path) -> None:
    name = 'Anna, "the\nfox" 🦊'
    headers = tuple((key, name if key == "Seat.red" else value) for key, value in games[0].headers)
    path = tmp_path / "names.turns"
    path.write_text(write_record(Record(headers, games[0].entries)), "utf-8")
    assert pbem("export", path, "--to", "csv", "-o", tmp_path / "csv").exit_code == 0
    with (tmp_path / "csv/players.csv").open(encoding="utf-8", newline="") as stream:
        assert name in [row["name"] for row in csv.DictReader(stream)]
    assert pbem("export", path, "--to", "parquet", "-o", tmp_path / "parquet").exit_code == 0
    assert (name,) in duckdb.read_parquet(f"{tmp_path}/parquet/players.parquet").project("name").fetchall()


AP_SHAPE = {
    "type": "object",
    "required": ["header", "moves"],
    "additionalProperties": False,
    "properties": {
        "header": {
            "type": "object",
            "required": ["game", "site", "date-start", "date-end", "date-generated", "players"],
            "properties": {
                "game": {"type": "object", "required": ["name"]},
                "site": {"type": "object", "required": ["name"]},
                "players": {"type": "array", "items": {"type": "object", "required": ["name", "result"]}},
            },
        },
        "moves": {
            "type": "array",
            "items": {
                "type": "array",
                "items": {
                    "anyOf": [
                        {"type": "null"},
                        {
                            "type": "object",
                            "required": ["move"],
                            "additionalProperties": False,
                            "properties": {"move": {"type": "string"}, "sequence": {"type": "integer"}},
                        },
                    ]
                },
            },
        },
    },
}
"""What Abstract Play's schema 1-0-0 asks of the parts that we write, in our words."""


def test_a_record_of_abstract_play_says_what_it_loses(pbem: Pbem, games: list[Record], tmp_path: Path) -> None:
    dated = [Record((*record.headers, ("Date", "2026.03.01")), record.entries) for record in games]
    path = tmp_path / "dated.turns"
    path.write_text("".join(write_games([*dated, games[0], cut(dated[0])])), "utf-8")
    answer = pbem("export", path, "--to", "abstract-play", "-o", tmp_path / "ap.json", "--json")
    assert answer.exit_code == 1, "two games are left out"
    told = json.loads(answer.stdout)
    assert (told["games"], told["written"], told["left_out"]) == (6, 4, 2)
    assert told["results"][0]["lost"]["dice and draws"] > 100
    assert "neither times nor a whole header Date" in told["problems"][0]
    assert "it goes on" in told["problems"][1]
    for line, record in zip((tmp_path / "ap.json").read_text("utf-8").splitlines(), dated, strict=True):
        made = json.loads(line)
        assert not list(Draft202012Validator(AP_SHAPE).iter_errors(made))
        assert made["header"]["date-start"] == "2026-03-01T00:00:00Z"
        players = made["header"]["players"]
        winners = [each["seat"] for each in players if each["result"] == max(one["result"] for one in players)]
        by_result, by_points = (sorted(players, key=lambda each: -each[key]) for key in ("result", "score"))
        assert [each["score"] for each in by_result] == [each["score"] for each in by_points]
        assert made["header"]["game"]["variants"] == [], "nothing unusual was chosen"
        assert made["header"]["startingPosition"].partition(":")[0] in dict(record.setup.options)
        assert tuple(winners) == replay_record(record).score.winners
        moves = sum(each is not None for turn in made["moves"] for each in turn)
        assert moves == sum(entry.who in record.seats for entry in record.entries)


LEAK = "the card is in the well"


def planted(record: Record) -> Record:
    """A game that goes on, with a leak in every kind of remark and in a header of the proof."""
    text = write_record(cut(record)).rstrip("\n")
    head, _, body = text.partition("\n\n")
    return next(
        each.record
        for each in read_text(f'{head}\n[Proof "2"]\n\n[%told 1 note.red aa "{LEAK}"]\n{body} [%x {LEAK}]\n')
        if each.record is not None
    )


@pytest.mark.parametrize("key", KEYS)
def test_no_form_of_a_running_game_holds_what_the_public_may_not_know(pbem: Pbem, tmp_path: Path, key: str) -> None:
    record = planted(make(known_game(key), 3, "exchange"))
    path = tmp_path / "running.turns"
    path.write_text(write_record(record), "utf-8")
    game = known_game(key)
    hidden = set()

    position = game.start(record.setup)
    for entry in record.entries:
        for move in entry.moves:
            ply = Ply(entry.who, move)
            if game.told(position, ply, PUBLIC) != move:
                hidden.add((entry.number, entry.who))
            position = game.apply(position, ply)
    written = pbem("export", path).stdout.encode()
    assert pbem("export", path, "--to", "csv", "-o", tmp_path / "csv").exit_code == 0
    assert pbem("export", path, "--to", "parquet", "-o", tmp_path / "pq").exit_code == 0
    rows = duckdb.read_parquet(f"{tmp_path}/pq/entries.parquet").fetchall()
    for text in (written, *(table.read_bytes() for table in (tmp_path / "csv").iterdir()), repr(rows).encode()):
        assert LEAK.encode() not in text
    told = json.loads(written)
    assert ["Proof", "2"] not in told["headers"]
    shown = {(each["turn"], each["who"]) for each in told["entries"] if "hidden" in " ".join(each["moves"])}
    assert shown == hidden
    if key != "through-the-desert":
        assert hidden, "this game has secrets, and this test would not see a leak"
    whole = pbem("export", path, "--secrets").stdout
    assert LEAK in whole
    assert '["Proof", "2"]' in whole


def test_a_finished_game_keeps_its_remarks(pbem: Pbem, games: list[Record], tmp_path: Path) -> None:
    path = tmp_path / "over.turns"
    path.write_text(write_record(games[1]) + f"{{{LEAK}}}\n", "utf-8")
    assert LEAK in pbem("export", path).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "sgf"], "there is no form 'sgf'"),
        (["--to", "csv"], "name a folder"),
        (["--json"], "name a file with -o"),
        (["-o", "."], "is a folder"),
        (["--to", "csv", "-o", "FILE"], "is a file"),
    ],
)
def test_a_misuse_is_told_in_one_line(pbem: Pbem, file: Path, words: list[str], said: str) -> None:
    answer = pbem("export", file, *(file if word == "FILE" else word for word in words))
    assert answer.exit_code == 2
    assert said in answer.stderr


def test_games_that_cannot_be_taken_are_counted(pbem: Pbem, heap: Path, spoiled: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.turns"
    broken.write_text("1. red: lalala\n", "utf-8")
    answer = pbem("export", heap, spoiled, broken, "-o", tmp_path / "x.json")
    assert answer.exit_code == 1
    assert "6 games read: 4 written, 2 left out" in answer.stdout
    assert "TD-" in answer.stdout


def test_an_import_lists_what_has_no_place_and_what_is_no_game(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    game = json.loads(pbem("export", file).stdout) | {"elo": 7}
    path, listed = tmp_path / "games.json", tmp_path / "left.txt"
    path.write_text(f"{json.dumps(game)}\nnonsense\n\n{'[' * 100_000}\n", "utf-8")
    answer = pbem("import", path, "-o", tmp_path / "in.turns", "--report", listed)
    assert answer.exit_code == 1
    assert listed.read_text("utf-8") == f"{path}, game 1, the game: elo: 7\n"
    assert "3 games read: 1 written" in answer.stdout
    assert "game 2: character 1: no JSON" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert (tmp_path / "in.turns").read_text("utf-8") == file.read_text("utf-8")
