"""What is read without the grammar because it is canonical means what the grammar makes of it."""

import random
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.brotherhood import moves as m
from engine.brotherhood.moves import DEVELOPMENTS, HEROES, RESOURCES
from engine.chance import KeyedDealer
from notation import END
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases, phrases
from pbem.judging.lookahead import sample_game
from tests.known_games import known_game

GAMES = ("nomadi", "brotherhood-base", "brotherhood")


def reader(key: str) -> Phrases:
    found = phrases(key)
    assert found is not None
    assert found.book.canonical is not None
    return found


@cache
def written(key: str) -> tuple[tuple[str, Any], ...]:
    """The moves of a lively game, each with its text."""
    game, book = known_game(key), reader(key).book
    record = sample_game(game, seats=game.seats[:3], dealer=KeyedDealer(b"canonical"), name="one", lively=True)
    moves = [move for entry in record.entries if entry.who != END for move in entry.moves]
    return tuple({book.text(move): move for move in moves}.items())


def agrees(key: str, text: str) -> bool:
    """Whether a text is read without the grammar; then both must agree."""
    book = reader(key).book
    assert book.canonical is not None
    move = book.canonical(text)
    if move is None or book.text(move) != text:
        return False
    read = reader(key).parse(text)
    assert not isinstance(read, Unexpected), text
    assert read.moves == (move,), text
    return True


@pytest.mark.parametrize("key", GAMES)
def test_nearly_all_that_records_say_is_read_without_the_grammar(key: str) -> None:
    texts = [text for text, _ in written(key)]
    assert len(texts) > 50
    assert [text for text in texts if '"' not in text and not agrees(key, text)] == []


def test_every_kind_of_move_of_the_brotherhood_is_read_without_the_grammar() -> None:
    """Every value that stands in a record, at least once in each place."""
    numbers, seats = range(100), ("red", "blue", "yellow", "black")
    pairs = [(one, two) for one, two in product(RESOURCES, RESOURCES) if one != two]
    one, two = (0, 0, 2, 0, 1), (1, 0, 0, 10, 0)
    moves: list[object] = [
        *[m.Roll(), m.End(), m.Buy(), m.Withdraw(), m.Pass(), m.Flip(), m.Qhorin(), m.Melisandre()],
        *[kind(number) for kind in (m.Settlement, m.Keep, m.Guard, m.Recruits, m.Yoren) for number in numbers],
        *[kind(seat) for kind in (m.Accept, m.Decline) for seat in (*seats, None)],
        *[m.Mance(seat) for seat in seats],
        *[kind(name) for kind in (m.Steal, m.Take) for name in (*RESOURCES, None)],
        *[kind(name) for kind in (m.Draw, m.Choose) for name in (*DEVELOPMENTS, None)],
        *[m.Road(17, number) for number in range(18, 100)],
        *[m.Roads(((1, 2), (17, 18))), m.Roads(((3, 4),)), m.Yarwyck((17, 18), (20, 21))],
        *[m.Dice(white, red, wild) for white in range(1, 7) for red in range(1, 7) for wild in (None, *range(1, 13))],
        *[kind for hex_ in "ABCDEFGHIJKLMNOPQRSTU" for kind in (m.Tormund(hex_), m.Ygritte(hex_))],
        *[m.Tormund("H", seat) for seat in seats],
        *[m.Ranger(m.TORMUND, "H", seat) for seat in (*seats, None)],
        m.Ranger(m.WILDLING, "K"),
        *[kind(*pair) for kind in (m.Winter, m.Marsh, m.Melisandre) for pair in pairs],
        *[m.Thorne(2, *pair) for pair in pairs],
        *[m.Tarly(name) for name in RESOURCES],
        *[m.Swap(name) for name in HEROES],
        *[m.Token(clan, kind) for clan in m.CLANS for kind in m.WILDLINGS],
        *[m.Benjen(clan, place) for clan in (*m.CLANS, None) for place in range(1, 6)],
        *[m.Mormont("ore", (("blue", "wool"),)), m.Mormont("ore", (("blue", "wool"), ("red", "grain")))],
        *[m.Look(None), m.Look(("point",)), m.Look(("ranger", "point", "ranger"))],
        *[m.Discard(one), m.Discard(two), m.Trade((3, 0, 0, 0, 0), one), m.Trade((0, 0, 0, 0, 4), two)],
        *[m.Offer(one, two, seat) for seat in (*seats, None)],
    ]
    assert {type(move) for move in moves} == set(m.WATCH)
    book = reader("brotherhood").book
    assert [book.text(move) for move in moves if not agrees("brotherhood", book.text(move))] == []


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_what_is_nearly_canonical_is_read_as_the_grammar_reads_it(key: str, seed: int) -> None:
    """Words dropped, doubled, exchanged and changed: both agree, or the grammar alone decides."""
    draw = random.Random(seed)
    texts = [text for text, _ in written(key)]
    words = draw.choice(texts).split(" ")
    other = draw.choice(texts).split(" ")
    at = draw.randrange(len(words))
    change = draw.randrange(5)
    if change == 0:
        words[at] = draw.choice(other)
    elif change == 1:
        words.insert(at, draw.choice(other))
    elif change == 2:
        del words[at]
    elif change == 3:
        words[at] = draw.choice([words[at].upper(), "0" + words[at], words[at] + ",", words[at][:-1], "٣"])
    else:
        words[at:] = other[at:]
    agrees(key, " ".join(words))
