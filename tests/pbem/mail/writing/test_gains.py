"""What turns bring is told by what brought it: a keep is worth one point more than the settlement that it replaces."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.brotherhood.moves import Keep, Settlement
from engine.game import CHANCE, Ply
from engine.nomadi.moves import Give
from engine.registry import find_game
from notation import Ending, Record, read_text, write_moves
from pbem.events.chain import Event
from pbem.events.kinds import TurnPlayed
from pbem.judging.entries import standing_entries
from pbem.judging.record_replay import replay_record
from pbem.locale.catalogues import find_locale
from pbem.mail.writing.event_descriptions import EventDescriber
from pbem.mail.writing.gains import Gains, _brought
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH
from pbem.tables.table import OVER, PLAYING

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
        standing=tuple(standing_entries(record.entries)),
        turn=replay_record(record).turn,
        stage=PLAYING,
    )


def gained(table: Any) -> dict[int, Counter[str]]:
    """What the players won turn by turn, by source and reason."""
    turns: dict[int, Counter[str]] = {}
    for (turn, who, _), brought in Gains().of_moves(table).items():
        if who != CHANCE:
            for each in brought:
                turns.setdefault(turn, Counter()).update(dict(each.counted))
                turns[turn].update(dict(each.paid))
    return turns


@pytest.mark.parametrize("name", WHOLE)
def test_settlements_and_keeps_bring_one_point_each_whatever_else_a_turn_builds(root: Path, name: str) -> None:
    record = read(root, name)
    built = {kind: Counter[int]() for kind in (Settlement, Keep)}
    for entry in record.entries:
        for move in entry.moves:
            if type(move) in built:
                built[type(move)][entry.number or 0] += 1
    gains = gained(table_of(record))
    assert {turn: found["settlements"] for turn, found in gains.items() if found["settlements"]} == built[Settlement]
    assert {turn: found["keeps"] for turn, found in gains.items() if found["keeps"]} == built[Keep]
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
    gains = gained(table)
    assert {turn: sum(found.values()) for turn, found in gains.items()} == {turn: added[turn] for turn in gains}
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


NOMADS = sorted(path.stem for path in (Path(__file__).parents[4] / "tests/records/nomadi").glob("*.turns"))


def test_what_nomadi_says_it_pays_is_what_coins_change_by(root: Path) -> None:
    reasons: set[str] = set()
    for name in NOMADS:
        record = read(root, f"nomadi/{name}")
        game: Any = record.game
        position: Any = replay_record(Record(record.headers, ())).position
        for entry in record.entries:
            for move in entry.moves:
                ply = Ply(entry.who, move)
                after, paid = game.apply(position, ply), dict.fromkeys(record.seats, 0)
                for each in game.earnings(position, ply):
                    paid[each.seat] += each.points
                    reasons.add(each.reason)
                if not isinstance(move, Give):
                    changed = [new - old for new, old in zip(after.coins, position.coins, strict=True)]
                    assert changed == list(paid.values()), (name, ply)
                position = after
    assert reasons == find_sentences(ENGLISH, "nomadi")._own.sources.keys() - {"coins", "cards"}


def tell(
    record: Record, reader: str, code: str = "en", *, shows_points: bool = True, stage: str = PLAYING
) -> list[str]:
    """What a reader is told of the moves of a record, each entry as a letter of its own."""
    table = table_of(record)
    table.seats, table.has_short_offers, table.stage = record.seats, False, stage
    table.names = {seat: record.header(f"Seat.{seat}") for seat in record.seats}
    table.name = table.names.get
    moved = [(entry, write_moves(table.game, entry.moves)) for entry in record.entries if entry.who != CHANCE]
    events = [
        Event("a-table", at, TurnPlayed(entry.who, entry.number or 0, phrase, "player", ""), "", "", "")
        for at, (entry, phrase) in enumerate(moved)
    ]
    sentences = find_sentences(find_locale(code), "nomadi")
    return EventDescriber(table, reader, sentences, gains=Gains(), shows_points=shows_points).describe(events)


def test_a_turn_in_several_letters_is_one_line_up_to_what_it_brought(root: Path) -> None:
    record = read(root, "nomadi/NO-G1-somebody-elses-stone")
    *before, last = [entry for entry in record.entries if entry.number == 18]
    apart = [last._replace(moves=moves) for moves in (last.moves[:2], last.moves[2:4], last.moves[4:])]
    entries = tuple(entry for entry in record.entries if (entry.number or 0) < 18)
    assert tell(Record(record.headers, (*entries, *before, *apart)), "blue")[-3:] == [
        "Anna: 6 O19-M15, 6 N19-M14, 6 P16-M13, 6 O16-M12, 6 N16-M11, 6 M19-L14",
        "Boris: 5 L14-M10, 6 M18-L13, 5 L13-M9, 1 O17-N16. +5 (first stone over the ravine)",
        "Boris: 6 M17-L12, 5 L12-M8",
    ]


def test_what_others_are_paid_is_told_with_what_for(root: Path) -> None:
    home, left = (
        read(root, f"nomadi/{name}") for name in ("NO-G1-somebody-elses-stone", "NO-Z2-the-last-stone-leaves")
    )
    told = "Anna: 1 M8-L9. +4 (first stone in the oasis)."
    assert tell(home, "blue")[-1] == f"{told} Boris +4 (first stone in the oasis)"
    assert tell(home, "yellow")[-1] == f"{told} You +4 (first stone in the oasis)"
    assert tell(left, "blue")[-1] == "Anna: 6 M19-H18. Boris +5 (last stone out of the start)"


def test_the_last_turn_is_told_with_what_it_was_paid_and_without_the_final_count(root: Path) -> None:
    record = read(root, "nomadi/NO-R3-last-over-and-third-home")
    told = tell(record, "yellow", stage=OVER)[-1]
    assert told.endswith(". -1 (last stone over the ravine -5, third stone in the oasis 4)"), told


def test_deeds_are_told_without_their_points_where_these_are_hidden(root: Path) -> None:
    record = read(root, "nomadi/NO-R1-with-somebody-elses-stone")
    hidden = Record((*record.headers, ("Coins", "hidden")), record.entries)
    told = "Boris: 6 O16-O10, 4 P18-P14, 6 P14-O9. First stone over the ravine"
    assert tell(hidden, "blue")[-1] == told
    assert tell(record, "blue", shows_points=False)[-1] == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("nl", "+5 (eerste steen over het ravijn)"),
        ("pl", "+5 (pierwszy kamień za wąwozem)"),
        ("ru", "+5 (первый камень за ущельем)"),
        ("he", "(אבן ראשונה מעבר לנקיק)"),
    ],
)
def test_deeds_are_told_in_every_language(root: Path, code: str, told: str) -> None:
    assert told in tell(read(root, "nomadi/NO-R1-with-somebody-elses-stone"), "blue", code)[-1]
