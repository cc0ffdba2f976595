"""Draws are uniform, bound to their place, and the same for whoever has the seed."""

import hmac
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import draw_some
from engine.digest import canonical
from pbem.events.chain import extend_move_chain, start_move_chain
from pbem.events.kinds import GameStarted, PressSent, TimeExtended, TurnPlayed, VoteAsked
from pbem.proof import draws
from pbem.proof.draws import BoundDealer, DrawPlace, draw_key

PLACE = DrawPlace("sirocco-7", 0, 5, "ab" * 32)
KEY = draw_key(b"s" * 32, "sirocco-7", ["11" * 32, "22" * 32])


def naive(key: bytes, place: DrawPlace, number: int, purpose: str, count: int) -> int:
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


def test_a_block_without_a_fair_word_is_followed_by_the_next_of_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([b"\xff" * 32, b"\xff" * 32, b"\xff" * 24 + (2**63).to_bytes(8, "big")])
    asked = []

    def digest(_key: bytes, said: bytes, _kind: str) -> bytes:
        asked.append(json.loads(said))
        return next(blocks)

    monkeypatch.setattr(hmac, "digest", digest)
    assert BoundDealer(KEY, PLACE).pick(2**63 + 1, "wide") == 2**63
    question = ["pbm-draw-1", "sirocco-7", 0, 5, 1, "wide", "ab" * 32, None]
    assert asked == [question, [*question, 1], [*question, 2]]


COUNTS = st.integers(1, 60) | st.integers(2**62, 2**64)
"""Few outcomes, as games have; and so many that words are often thrown away, and blocks too."""


@given(COUNTS, st.text(max_size=8), st.integers(0, 3), st.integers(0, 500))
def test_a_draw_is_what_the_document_says(count: int, purpose: str, epoch: int, plies: int) -> None:
    place = PLACE._replace(epoch=epoch, plies=plies)
    dealer = BoundDealer(KEY, place)
    assert [dealer.pick(count, purpose) for _ in range(3)] == [
        naive(KEY, place, number, purpose, count) for number in (1, 2, 3)
    ]


def test_where_every_other_word_is_thrown_away_each_block_asks_something_new() -> None:
    """Of 2^63+1 outcomes nearly half of the words favour some; of 500 draws some 30 find none among four."""
    dealer, count = BoundDealer(KEY, PLACE), 2**63 + 1
    drawn = [dealer.pick(count, "wide") for _ in range(500)]
    assert drawn == [naive(KEY, PLACE, number, "wide", count) for number in range(1, 501)]


def test_no_outcome_is_favoured_where_a_remainder_would_favour_a_third_of_them() -> None:
    """Of 3 * 2^62 outcomes the lowest third would have twice as many words, if none were thrown away: 1500 of 3000."""
    dealer = BoundDealer(KEY, PLACE)
    low = sum(dealer.pick(3 * 2**62, "third") < 2**62 for _ in range(3_000))
    assert 900 < low < 1_100


class ThrownAwayError(Exception):
    """Another word is asked for: the one before was not taken."""


@pytest.mark.parametrize("count", range(1, 61))
def test_every_outcome_of_a_small_range_has_as_many_words(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """With words of one byte all of them can be counted: the rule of rejection favours nobody, and wastes nothing."""
    monkeypatch.setattr(draws, "_WORD", 1)
    monkeypatch.setattr(draws, "_SPAN", 256)
    found: Counter[int] = Counter()
    for word in range(256):
        blocks = iter([bytes([word])])
        monkeypatch.setattr(hmac, "digest", lambda *_, blocks=blocks: _next(blocks))
        with suppress(ThrownAwayError):
            found[BoundDealer(b"", PLACE).pick(count, "count")] += 1
    assert found == dict.fromkeys(range(count), 256 // count)


def _next(blocks: Iterator[bytes]) -> bytes:
    for block in blocks:
        return block
    raise ThrownAwayError


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
    def drawn(key: bytes, place: DrawPlace, purpose: str = "dice") -> list[int]:
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
    start = start_move_chain("sirocco-7")
    whole = TurnPlayed("red", 3, "mint K8 K7", by="player", letter="", plies=("mint K8", "mint K7"))
    halves = [TurnPlayed("red", 3, phrase, by="player", letter="x") for phrase in ("mint K8", "mint K7")]
    cut = extend_move_chain(extend_move_chain(start, halves[0]), halves[1])
    assert extend_move_chain(start, whole) == cut
    for other in (
        PressSent("red", "all", words_sha256="", words="six, please"),
        VoteAsked("undo", by="red", turn=3),
        TimeExtended("1d", reason="", by="referee"),
    ):
        assert extend_move_chain(cut, other) == cut
    assert extend_move_chain(start, halves[0]) != extend_move_chain(start, halves[1])


def test_the_set_up_is_a_link_of_its_own() -> None:
    start = start_move_chain("sirocco-7")
    begun = extend_move_chain(start, GameStarted({}))
    assert begun.length == 1
    assert begun != extend_move_chain(start, GameStarted({"Oases": "B8"}))


@pytest.mark.parametrize("count", [0, -1, 2**64 + 1])
def test_nothing_can_be_drawn_of_nothing(count: int) -> None:
    with pytest.raises(ValueError, match="cannot pick"):
        BoundDealer(KEY, PLACE).pick(count, "any")
