"""Draws are uniform, bound to their place, and the same for whoever has the seed."""

import hmac
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import draw_some
from engine.digest import canonical
from pbem.ledger.moves import after, first_link
from pbem.proof import draws
from pbem.proof.draws import BoundDealer, Place, draw_key

PLACE = Place("sirocco-7", 0, 5, "ab" * 32)
KEY = draw_key(b"s" * 32, "sirocco-7", ["11" * 32, "22" * 32])


def naive(key: bytes, place: Place, number: int, purpose: str, count: int) -> int:
    """A draw as the document tells it."""
    asked = ["pbm-draw-1", place.game, place.epoch, place.plies, number, purpose, place.moves, place.beacon]
    most = 2**64 // count * count
    for block in range(1_000):
        digest = hmac.new(key, canonical(asked + ([block] if block else [])), "sha256").digest()
        words = [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
        for word in words:
            if word < most:
                return word % count
    raise AssertionError("no luck")


@given(st.integers(1, 2**64), st.text(max_size=8), st.integers(0, 3), st.integers(0, 500))
def test_a_draw_is_what_the_document_says(count: int, purpose: str, epoch: int, plies: int) -> None:
    place = PLACE._replace(epoch=epoch, plies=plies)
    dealer = BoundDealer(KEY, place)
    assert [dealer.pick(count, purpose) for _ in range(3)] == [
        naive(KEY, place, number, purpose, count) for number in (1, 2, 3)
    ]


@pytest.mark.parametrize("count", range(1, 61))
def test_every_outcome_of_a_small_range_has_as_many_words(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """With words of one byte all of them can be counted: the rule of rejection favours nobody."""
    monkeypatch.setattr(draws, "_WORD", 1)
    monkeypatch.setattr(draws, "_SPAN", 256)
    found = Counter()
    for word in range(256):
        monkeypatch.setattr(draws.hmac, "digest", lambda key, said, kind, word=word: _blocks(word, said))
        drawn = BoundDealer(b"", PLACE).pick(count, "count")
        if draws_first(word, count):
            found[drawn] += 1
    assert set(found) == set(range(count))
    assert len(set(found.values())) == 1


def _blocks(word: int, said: bytes) -> bytes:
    """A block that begins with a word, and one that never fails after it."""
    return bytes([word]) + bytes(31)


def draws_first(word: int, count: int) -> bool:
    return word < 256 - 256 % count


@pytest.mark.parametrize("count", [2, 3, 5, 6, 7, 30, 52])
def test_draws_pass_a_test_of_chance(count: int) -> None:
    """The chi-square statistic of a few thousand draws; benchmarks/draws.py asks a million."""
    throws = 200 * count
    dealer = BoundDealer(KEY, PLACE)
    found = Counter(dealer.pick(count, "chance") for _ in range(throws))
    statistic = sum((found[each] - throws / count) ** 2 / (throws / count) for each in range(count))
    assert statistic < count - 1 + 5 * (2 * (count - 1)) ** 0.5


def test_a_deck_has_no_order_beforehand() -> None:
    """What is drawn first decides nothing about what another place draws."""
    first = draw_some(BoundDealer(KEY, PLACE), range(20), 20, "cards")
    second = draw_some(BoundDealer(KEY, PLACE._replace(plies=6)), range(20), 20, "cards")
    assert sorted(first) == sorted(second) == list(range(20))
    assert first != second


def test_every_part_of_the_place_and_the_key_matters() -> None:
    def drawn(key: bytes, place: Place, purpose: str = "dice") -> list[int]:
        dealer = BoundDealer(key, place)
        return [dealer.pick(2**32, purpose) for _ in range(4)]

    places = [
        PLACE,
        PLACE._replace(game="sirocco-8"),
        PLACE._replace(epoch=1),
        PLACE._replace(plies=6),
        PLACE._replace(moves="ac" * 32),
        PLACE._replace(beacon="00" * 32),
    ]
    keys = [
        KEY,
        draw_key(b"t" * 32, "sirocco-7", ["11" * 32, "22" * 32]),
        draw_key(b"s" * 32, "sirocco-8", ["11" * 32, "22" * 32]),
        draw_key(b"s" * 32, "sirocco-7", ["22" * 32, "11" * 32]),
        draw_key(b"s" * 32, "sirocco-7", ["11" * 32, "22" * 32], "00" * 32),
    ]
    found = {tuple(drawn(key, place, purpose)) for key, place, purpose in product(keys, places, ("dice", "card"))}
    assert len(found) == len(keys) * len(places) * 2


def test_words_times_votes_and_how_a_turn_is_cut_into_letters_do_not_stir_the_dice() -> None:
    start = first_link("sirocco-7")
    whole = {"seat": "red", "turn": 3, "phrase": "mint K8 K7", "plies": ["mint K8", "mint K7"], "by": "player"}
    halves = [{"seat": "red", "turn": 3, "phrase": phrase, "letter": "x"} for phrase in ("mint K8", "mint K7")]
    cut = after(after(start, "played", halves[0]), "played", halves[1])
    assert after(start, "played", whole) == cut
    for kind, data in (
        ("press", {"words": "six, please"}),
        ("asked", {"what": "undo"}),
        ("extended", {"length": "1d"}),
    ):
        assert after(cut, kind, data) == cut
    assert after(start, "played", halves[0]) != after(start, "played", halves[1])


def test_the_set_up_is_a_link_of_its_own() -> None:
    start = first_link("sirocco-7")
    begun = after(start, "started", {"options": {}})
    assert begun.length == 1
    assert begun != after(start, "started", {"options": {"Oases": "B8"}})


@pytest.mark.parametrize("count", [0, -1, 2**64 + 1])
def test_nothing_can_be_drawn_of_nothing(count: int) -> None:
    with pytest.raises(ValueError, match="cannot pick"):
        BoundDealer(KEY, PLACE).pick(count, "any")
