"""`pbem replay`: a game told turn by turn, every point explained."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.through_the_desert import GAME
from notation import Record, write_moves
from pbem.judging.record_replay import replay_record

Pbem = Callable[..., Any]


def test_every_turn_is_told_and_the_standings_add_up(pbem: Pbem, file: Path, game: Record) -> None:
    answer = pbem("replay", file)
    assert answer.exit_code == 0
    told, standings = answer.stdout.split("\n\n", 1)
    lines = told.split("\n")
    assert len(lines) == len(game.entries)
    for line, entry in zip(lines[:-1], game.entries, strict=False):
        assert line.startswith(f"{entry.number}. {entry.who}: {write_moves(GAME, entry.moves)}")
    assert lines[-1] == f"{len(game.entries)}. end: normal"
    score = replay_record(game).score
    for tally in score.tallies:
        assert f"{tally.seat:<8}{tally.total:>4}" in standings
        assert all(f"{line.detail} ({line.rule})" in standings for line in tally.lines if line.points)
    assert standings.count("winner") == len(score.winners)


def test_what_turns_earn_adds_up_to_the_score(pbem: Pbem, file: Path, game: Record) -> None:
    (told,) = json.loads(pbem("replay", "--json", file).stdout)["results"]
    earned = [gain for entry in told["entries"] for gain in entry["earned"]]
    for tally in replay_record(game).score.tallies:
        assert sum(gain["points"] for gain in earned if gain["seat"] == tally.seat) == tally.total
    assert told["score"]["winners"] == list(replay_record(game).score.winners)
    assert told["ending"] == {"kind": "normal", "seats": [], "reason": ""}
    assert told["view"]["phase"] == "over"
    assert told["refusal"] is None


def test_a_replay_stops_after_the_turn_asked_for(pbem: Pbem, file: Path) -> None:
    answer = pbem("replay", file, "--to", "16")
    assert answer.stdout.split("\n\n")[0].count("\n") == 15
    assert "Through the Desert, 3 players, 16 turns, blue to move" in answer.stdout
    (told,) = json.loads(pbem("replay", "--json", "--to", "16", file).stdout)["results"]
    assert (told["turns"], told["to_act"], told["finished"]) == (16, ["blue"], False)


def test_a_turn_that_was_not_played_is_missed_as_show_misses_it(pbem: Pbem, file: Path, game: Record) -> None:
    turns = len(game.entries) - 1
    assert pbem("replay", file, "--to", str(turns)).exit_code == 0
    answer = pbem("replay", file, "--to", str(turns + 1))
    assert answer.exit_code == 2
    assert answer.stderr == f"pbem: {file}: turn {turns + 1} was not played; the record has {turns}\n"
    assert answer.stderr == pbem("show", file, "--at", str(turns + 1)).stderr
    assert "end: normal" in answer.stdout  # what there is, is told


def test_a_record_that_breaks_a_rule_is_told_as_far_as_it_is_legal(pbem: Pbem, spoiled: Path) -> None:
    answer = pbem("replay", spoiled)
    assert answer.exit_code == 1
    assert "\n17. blue: " in answer.stdout
    assert "TD-C1 no-room-for-a-camel" in answer.stdout
    assert "Through the Desert, 3 players, 17 turns, green to move" in answer.stdout


def test_several_games_are_told_one_after_the_other(pbem: Pbem, archive: Path, file: Path) -> None:
    answer = pbem("replay", archive, file)
    assert answer.exit_code == 0
    assert answer.stdout.count("end: normal") == 4


def test_a_seat_may_look_and_a_stranger_may_not(pbem: Pbem, file: Path) -> None:
    assert pbem("replay", file, "--as", "blue").exit_code == 0
    answer = pbem("replay", file, "--as", "purple")
    assert answer.exit_code == 2
    assert answer.stderr == f"pbem: {file}: nobody sits at purple; the seats are red, blue, green\n"


def test_a_game_nobody_knows_is_refused(pbem: Pbem, file: Path) -> None:
    text = file.read_text("utf-8").replace("through-the-desert", "chess")
    (told,) = json.loads(pbem("replay", "--json", "-", given=text).stdout)["results"]
    assert told["refusal"]["code"] == "RC-G1"


def test_points_that_are_hidden_are_not_told_as_none(pbem: Pbem, root: Path) -> None:
    file = root / "tests/records/nomadi/NO-V3-hidden-coins.turns"
    for words in ([], ["--as", "yellow"]):
        told = pbem("replay", file, *words).stdout
        assert "blue    hidden until the end" in told
        assert not any(line.split()[1:] == ["0"] for line in told.splitlines() if line)
    (data,) = json.loads(pbem("replay", "--json", file).stdout)["results"]
    assert {seat["points"] for seat in data["score"]["seats"]} == {None}
    (data,) = json.loads(pbem("replay", "--json", file.with_name("NO-V3-open-coins.turns")).stdout)["results"]
    assert None not in {seat["points"] for seat in data["score"]["seats"]}
