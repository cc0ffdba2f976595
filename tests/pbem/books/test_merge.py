"""Merging: no word is lost, what both say stands once, and merging again changes nothing."""

import os
import random
from collections import Counter
from typing import Any

import pytest

from notation import COMMENT, GLYPH, Entry, Record, Remark, read_text, write_record
from pbem.books.merged_copies import Merged, merge_records
from pbem.books.remarks import is_own, without_own
from pbem.cli.sample import make
from tests.known_games import known_game

KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
MERGES = int(os.environ.get("CARAVAN_MERGES", "60"))
"""How many pairs of copies are merged; 500 in `.ci/long`."""
GAMES = [make(known_game(key), 3, f"merge {number}") for key in KEYS for number in range(2)]


def copied(record: Record, chance: random.Random, name: str) -> Record:
    """A copy of a game with words of its own and some that both copies have."""
    entries = []
    for order, entry in enumerate(record.entries):
        remarks = []
        for at in range(-1, len(entry.moves) + 1):
            if chance.random() < 0.05:
                remarks.append(Remark(at, COMMENT, f"{name} {chance.random()} {{so}}"))
            if order % 7 == 0 and chance.random() < 0.3:
                remarks.append(Remark(at, COMMENT, f"both {order}"))
            if at > 0 and chance.random() < 0.03:
                remarks.append(Remark(at, GLYPH, chance.choice(["!", "?!", "$7"])))
        entries.append(entry._replace(remarks=tuple(remarks)))
    headers = (*record.headers, ("Event", f"the fair of {name}"), (f"Of{name}", "mine"))
    return Record(tuple(header for header in headers), tuple(entries), (Remark(-1, COMMENT, f"the end, says {name}"),))


def cut(record: Record, chance: random.Random) -> Record:
    """The same game, ended earlier."""
    most = len(record.entries) - 1
    entries = record.entries[: chance.randrange(max(1, most // 2), most)]
    ending = Entry(None, "end", read_text('1. end: abandoned "rain"')[0].record.entries[0].moves)  # type: ignore[union-attr]  # it can be read
    headers = tuple(header for header in record.headers if header[0] != "Result")
    return Record(headers, (*entries, ending), record.afterword)


def split(record: Record) -> Record:
    """The same game, with turns of two moves written as two entries, as far as no remark stands between them."""
    entries: list[Entry] = []
    for entry in record.entries:
        if len(entry.moves) > 1 and not entry.remarks and entry.who not in ("*", "end"):
            entries += [entry._replace(moves=entry.moves[:1]), entry._replace(moves=entry.moves[1:])]
        else:
            entries.append(entry)
    return Record(record.headers, tuple(entries), record.afterword)


def words(record: Record) -> Counter[Any]:
    every = [*(each for entry in record.entries for each in entry.remarks), *record.afterword]
    return Counter((each.kind, each.value) for each in every)


def merged(first: Record, second: Record) -> Merged:
    made = merge_records(first, second)
    assert isinstance(made, Merged), made
    return made


def test_no_word_is_lost_and_merging_again_changes_nothing() -> None:
    chance = random.Random(3)
    for number in range(MERGES):
        game = GAMES[number % len(GAMES)]
        first, second = copied(game, chance, "Anna"), copied(game, chance, "Boris")
        if number % 3 == 1:
            second = split(second)
        if number % 4 == 2:
            second = cut(second, chance)
        if number % 8 == 7:
            first, second = second, first
        done = merged(first, second)
        [again] = read_text(write_record(done.record))
        assert again.record == done.record, "it is canonical"
        have = words(done.record)
        for copy in (first, second):
            missing = words(copy) - have
            assert not missing, (number, missing)
        assert all(
            count <= words(first)[each] + words(second)[each]
            for each, count in have.items()
            if "abandoned" not in str(each[1])
        )
        for copy in (first, second, done.record):
            once_more = merged(done.record, copy)
            assert once_more.record == done.record, number
        values = {value for _, value in done.record.headers}
        assert {"the fair of Anna", "the fair of Boris", "mine"} <= values
        own = sum(is_own(each) for entry in done.record.entries for each in entry.remarks)
        assert done.first + done.second + done.both == own + len(done.record.afterword)


def test_what_both_say_stands_once_and_the_first_copy_speaks_first() -> None:
    game = GAMES[0]
    entry = game.entries[20]
    at = len(entry.moves)
    copies = []
    for texts in (("same", "one"), ("two", "same", "same")):
        remarks = tuple(Remark(at, COMMENT, text) for text in texts)
        entries = (*game.entries[:20], entry._replace(remarks=remarks), *game.entries[21:])
        copies.append(Record(game.headers, entries))
    done = merged(*copies)
    assert [each.value for each in done.record.entries[20].remarks] == ["same", "one", "two", "same"]
    assert (done.first, done.second, done.both) == (1, 2, 1)


def test_other_headers_get_a_name_of_their_own_and_make_no_seat() -> None:
    game = GAMES[0]
    other = tuple((name, "Mallory" if name == "Seat.red" else value) for name, value in game.headers)
    done = merged(
        Record((*game.headers, ("Event", "Fair")), game.entries), Record((*other, ("Event", "Market")), game.entries)
    )
    assert done.record.seats == game.seats
    assert done.record.header("Name.red.copy2") == "Mallory"
    assert done.record.header("Event") == "Fair"
    assert done.record.header("Event.copy2") == "Market"
    assert any("Event.copy2" in note for note in done.notes)


def test_into_a_sealed_record_only_remarks_go() -> None:
    game = GAMES[0]
    sealed = Record((*game.headers, ("Proof", "2")), game.entries, (Remark(-1, "annotation", "head 1 00"),))
    chance = random.Random(4)
    copy = copied(game, chance, "Anna")
    for first, second in ((sealed, copy), (copy, sealed)):
        done = merged(first, second)
        assert done.record.headers == sealed.headers
        assert without_own(done.record) == sealed
        assert words(copy) - words(done.record) == Counter()
        assert any(note.startswith("Event: the other copy says") for note in done.notes)


@pytest.mark.parametrize("other", [GAMES[1], GAMES[2]])
def test_other_games_are_not_joined(other: Record) -> None:
    assert isinstance(merge_records(GAMES[0], other), str)
    changed = Record(GAMES[0].headers, (*GAMES[0].entries[:30], *GAMES[0].entries[31:]))
    assert "differ" in str(merge_records(GAMES[0], changed))
