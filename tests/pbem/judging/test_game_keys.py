"""Copies of a game have the same keys, and games that part have the same ones up to there."""

import re
from pathlib import Path

import pytest

from engine.registry import find_game
from notation import COMMENT, UNDO, Entry, Record, Remark, Undone, read_text, write_record
from pbem.cli.sample import make
from pbem.judging.game_keys import ChainKeys, chain_keys, keyed_plies, start_key, text_key

GAMES = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")


def keys(record: Record) -> ChainKeys:
    found = chain_keys(record)
    assert found is not None
    return found


def titled(record: Record, name: str, value: str) -> Record:
    return Record(tuple((each, value if each == name else old) for each, old in record.headers), record.entries)


def cut_short(record: Record, plies: int) -> Record:
    kept: list[Entry] = []
    for entry in record.entries:
        moves = entry.moves[: plies - sum(len(each.moves) for each in kept)]
        if not moves:
            break
        kept.append(entry._replace(moves=moves, remarks=()))
    return Record(record.headers, tuple(kept))


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Record:
    found = find_game(request.param)
    assert found is not None
    return make(found, 3, "keys")


def test_keys_are_kept_at_powers_of_two_and_at_the_last_ply(game: Record) -> None:
    found = keys(game)
    last = sum(len(entry.moves) for entry in game.entries if entry.who != "end")
    powers = [1 << n for n in range(12) if 1 << n <= last]
    assert [ply for ply, _ in found.at] == [*powers, *([last] if last not in powers else [])]
    assert found.plies == last
    every = {each.ply: each.key for each in keyed_plies(game, found.start)}
    assert dict(found.at).items() <= every.items()
    assert len(set(every.values())) == last
    assert found.moves == every[last]


def test_a_copy_with_other_names_and_words_has_the_same_chain_and_another_text(game: Record) -> None:
    entries = tuple(entry._replace(remarks=(Remark(1, COMMENT, "bold"),)) for entry in game.entries)
    other = Record(titled(titled(game, "Id", "b"), f"Seat.{game.seats[0]}", "Zofia").headers, entries)
    assert keys(other) == keys(game)
    assert text_key(other) != text_key(game)
    assert text_key(read_text(write_record(other))[0].record or game) == text_key(other)


def test_a_turn_written_as_two_entries_has_the_same_chain(game: Record) -> None:
    number, long = next((n, entry) for n, entry in enumerate(game.entries) if len(entry.moves) > 1)
    parts = [long._replace(moves=(move,)) for move in long.moves]
    other = Record(game.headers, (*game.entries[:number], *parts, *game.entries[number + 1 :]))
    assert keys(other) == keys(game)


def test_a_game_cut_short_is_a_beginning_of_the_whole(game: Record) -> None:
    whole = keys(game)
    every = {each.ply: each.key for each in keyed_plies(game, whole.start)}
    for plies in (1, 7, whole.plies - 1):
        short = keys(cut_short(game, plies))
        assert short.start == whole.start
        assert every[plies] == short.moves
    assert keys(Record(game.headers)).moves == whole.start


def test_games_that_part_share_the_keys_before_and_none_after() -> None:
    desert = find_game("through-the-desert")
    assert desert is not None
    one = make(desert, 3, "keys")
    at = next(n for n, entry in enumerate(one.entries) if n > 20 and len(entry.moves) > 1)
    entry = one.entries[at]
    other = Record(one.headers, (*one.entries[:at], entry._replace(moves=entry.moves[::-1]), *one.entries[at + 1 :]))
    ours, theirs = ([each.key for each in keyed_plies(record, b"12345678")] for record in (one, other))
    before = sum(len(each.moves) for each in one.entries[:at])
    assert ours[:before] == theirs[:before]
    assert not set(ours[before:]) & set(theirs[before:])


def test_seats_rules_set_up_and_order_of_seats_part_games_at_the_start() -> None:
    desert = find_game("through-the-desert")
    assert desert is not None
    one = make(desert, 3, "keys")
    water = one.header("Water") or ""
    place, _, rest = water.partition(" ")
    changed = titled(one, "Water", f"{place[:-1]}{int(place[-1]) % 3 + 1} {rest}")
    seated = Record(tuple(reversed(one.headers)), one.entries)
    assert seated.seats == one.seats[::-1]
    found = {start_key(each) for each in (one, changed, seated, make(desert, 2, "keys"), make(desert, 3, "other"))}
    assert len(found) == 5
    assert None not in found


def test_a_set_up_in_another_order_or_without_the_usual_is_the_same_start() -> None:
    desert = find_game("through-the-desert")
    assert desert is not None
    one = make(desert, 3, "keys")
    turned = titled(one, "Water", " ".join(reversed((one.header("Water") or "").split())))
    assert keys(turned) == keys(one)
    assert keys(Record(tuple(each for each in one.headers if each[0] != "Board"), one.entries)) == keys(one)


def test_what_was_taken_back_is_no_part_of_the_chain() -> None:
    desert = find_game("through-the-desert")
    assert desert is not None
    one = make(desert, 3, "keys")
    again = [entry for entry in one.entries if entry.number == 12]
    at = one.entries.index(again[0]) + len(again)
    undone = Entry(13, UNDO, (Undone(12),))
    other = Record(one.headers, (*one.entries[:at], undone, *again, *one.entries[at:]))
    assert keys(other) == keys(one)


def test_words_inside_a_move_are_no_part_of_the_chain() -> None:
    path = Path("tests/records/nomadi/NO-C3-an-offer-with-words.turns")
    text = path.read_text("utf-8")
    one, silent = (read_text(each)[0].record for each in (text, re.sub(r'offer "(?:[^"\\]|\\.)*"', "offer", text)))
    assert one is not None
    assert silent is not None
    assert one.entries != silent.entries
    assert keys(one) == keys(silent)


def test_where_no_table_can_be_set_up_there_is_no_chain() -> None:
    assert chain_keys(Record((("Game", "chess"),))) is None
    assert chain_keys(Record((("Game", "nomadi"),))) is None


def test_keys_are_the_same_in_every_year_and_on_every_machine() -> None:
    """Catalogues and lists of copies hold them; another way to make them would need another form of catalogue."""
    desert = find_game("through-the-desert")
    assert desert is not None
    found = keys(make(desert, 2, "keys"))
    assert (found.start.hex(), found.plies, found.moves.hex()) == ("8269282921007b3a", 87, "c5bf485c36917f06")
