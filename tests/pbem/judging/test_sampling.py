"""A sampled game is complete, legal, the same for ever, and lively enough to show what scores."""

import hashlib
import os
import subprocess
import sys

import pytest

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME
from notation import Ending, Record, read_text, write_record
from pbem.cli.sample import Style, make
from pbem.judging.lookahead import sample_game
from pbem.judging.record_replay import replay_record
from tests.known_games import known_game

PRINT_DIGESTS = """
import sys
from engine.digest import digest
from notation import read_text
from pbem.judging.record_replay import replay_record
for reading in read_text(sys.stdin.read()):
    replayed = replay_record(reading.record)
    print(digest(replayed.game, replayed.position))
"""


@pytest.mark.parametrize("players", GAME.players)
def test_what_is_sampled_is_legal_after_being_written_and_read(players: int) -> None:
    for seed in range(5):
        record = make(GAME, players, str(seed))
        text = write_record(record)
        (reading,) = read_text(text)
        assert reading.record == record
        assert write_record(reading.record) == text
        replayed = replay_record(reading.record)
        assert replayed.refusal is None
        assert replayed.ending == Ending("normal")


def test_a_seed_gives_the_same_game_for_ever() -> None:
    text = write_record(make(GAME, 4, "7"))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "72ff4a482c49b322"


def test_seeds_and_tables_give_different_games() -> None:
    games = {write_record(make(GAME, players, seed)) for players in (2, 3) for seed in ("1", "2", "3")}
    assert len(games) == 6


def test_a_state_has_the_same_digest_under_every_hash_seed(games: dict[int, list[Record]]) -> None:
    archive = "\n".join(write_record(some[0]) for some in games.values())
    told = {
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            input=archive,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(10)
    }
    assert len(told) == 1
    assert len(set(told.pop().split())) == len(games)


def test_seats_may_be_any_of_the_game_in_any_order() -> None:
    record = sample_game(GAME, seats=("cerise", "blue", "red"), dealer=KeyedDealer(b"seats"), name="odd")
    assert record.seats == ("cerise", "blue", "red")
    assert replay_record(record).refusal is None


def test_water_oases_areas_and_longest_caravans_all_occur(games: dict[int, list[Record]]) -> None:
    for some in games.values():
        lines = [line for record in some for tally in replay_record(record).score.tallies for line in tally.lines]
        assert {line.source for line in lines if line.points} == {"water", "oases", "areas", "caravans"}


@pytest.mark.parametrize("key", ["through-the-desert", "brotherhood-base"])
def test_players_who_consider_nothing_play_other_games_to_the_end(key: str) -> None:
    game = known_game(key)
    record = make(game, 3, "1", style=Style.RANDOM)
    assert record.header("Id") == "sample-3-1-random"
    assert record == make(game, 3, "1", style=Style.RANDOM)
    assert record.entries != make(game, 3, "1").entries
    replayed = replay_record(record)
    assert replayed.refusal is None
    assert replayed.finished
