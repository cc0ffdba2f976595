"""What turns bring is told by what brought it: a keep is worth one point more than the settlement that it replaces."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.brotherhood.moves import Keep, Settlement
from engine.game import Ply
from engine.registry import find_game
from notation import Ending, Record, read_text
from pbem.judging.record_replay import replay_record
from pbem.mail.writing.gains import Gains, _brought
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH
from pbem.tables.table import PLAYING

WHOLE = [
    "brotherhood-base/whole-game-of-four",
    "brotherhood-base/whole-game-of-three",
    "brotherhood/BW-E1-whole-game-of-four",
    "brotherhood/BW-E1-whole-game-of-three",
]


def read(root: Path, name: str) -> Record:
    (reading,) = read_text((root / "tests/records" / f"{name}.turns").read_text("utf-8"))
    assert reading.record is not None
    entries = tuple(entry for entry in reading.record.entries if not isinstance(entry.moves[0], Ending))
    return Record(reading.record.headers, entries)


def table_of(record: Record) -> Any:
    """A table at which a record is being played, as far as gains look at one."""
    game = find_game(record.header("Game") or "")
    return SimpleNamespace(
        id="a-table",
        game=game,
        setup=record.setup,
        entries=record.entries,
        turn=replay_record(record).turn,
        stage=PLAYING,
    )


@pytest.mark.parametrize("name", WHOLE)
def test_settlements_and_keeps_bring_one_point_each_whatever_else_a_turn_builds(root: Path, name: str) -> None:
    record = read(root, name)
    built = {kind: Counter[int]() for kind in (Settlement, Keep)}
    for entry in record.entries:
        for move in entry.moves:
            if type(move) in built:
                built[type(move)][entry.number or 0] += 1
    gains = {turn: dict(found) for turn, found in Gains().of_turns(table_of(record), range(1, 1000)).items()}
    assert {turn: found["settlements"] for turn, found in gains.items() if found.get("settlements")} == built[
        Settlement
    ]
    assert {turn: found["keeps"] for turn, found in gains.items() if found.get("keeps")} == built[Keep]
    assert built[Settlement]
    assert built[Keep]


@pytest.mark.parametrize("name", WHOLE)
def test_what_a_turn_brings_is_what_it_adds_to_the_score_of_its_seat(root: Path, name: str) -> None:
    record = read(root, name)
    table = table_of(record)
    position, added = table.game.start(record.setup), Counter[int]()
    for entry in record.entries:
        for move in entry.moves:
            after = table.game.apply(position, Ply(entry.who, move))
            if entry.who in record.seats and entry.number is not None:
                scores = table.game.score(after), table.game.score(position)
                added[entry.number] += scores[0].total(entry.who) - scores[1].total(entry.who)
            position = after
    gains = Gains().of_turns(table, range(1, 1000))
    assert {turn: sum(points for _, points in found) for turn, found in gains.items()} == {
        turn: added[turn] for turn in gains
    }
    assert any(added.values())


def test_a_special_card_that_is_given_up_counts_against_what_was_won_for_it() -> None:
    patrol, settled = {"settlements": 2, "largest-patrol": 1}, {"settlements": 2}
    assert _brought({**patrol, "guards": 0}, {**settled, "guards": 2}) == {"guards": 1}
    assert _brought(patrol, settled) == {"settlements": 0, "largest-patrol": -1}


@pytest.mark.parametrize("game", ["brotherhood", "brotherhood-base"])
def test_buildings_are_counted_in_words_and_other_sources_are_named(game: str) -> None:
    sentences = find_sentences(ENGLISH, game)
    assert [sentences.gain("settlements", 1), sentences.gain("settlements", 2)] == ["settlement", "2 settlements"]
    assert [sentences.gain("keeps", 1), sentences.gain("keeps", 2)] == ["keep", "2 keeps"]
    assert [sentences.gain("longest-road", 2), sentences.gain("guards", 1)] == ["Longest Road", "guards"]


def test_a_game_that_counts_nothing_names_its_sources() -> None:
    assert find_sentences(ENGLISH, "through-the-desert").gain("oases", 5) == "oases"
